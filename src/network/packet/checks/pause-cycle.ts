import { grouped } from '../../../base/counts.js';
import type { Fabric } from '../fabric/fabric.js';
import { INGRESS, NEXT, PACKET_INTEGERS } from '../fabric/packet-record.js';
import { CONTROL, DATA, HEAD, PAUSED, PORT_DOUBLES, PORT_INTEGERS, WAITING } from '../fabric/port-record.js';

/** An egress port that its peer has stopped (SW-6). */
export interface PausedPort {
  readonly port: number;
  readonly packetClass: number;
  /** When it was stopped, ps. */
  readonly sincePs: number;
  /** Bytes of the class that wait at it. */
  readonly waitingBytes: number;
}

const CLASSES = [DATA, CONTROL];

/**
 * The circle of paused ports behind a run that can go no further: each waits for its peer's buffer to drain, where packets wait
 * that leave by the next one. Undefined where there is no circle. The circle begins at its lowest port.
 */
export function pauseCycle(fabric: Fabric): PausedPort[] | undefined {
  const nextOf = waitsOf(fabric);
  const done = new Set<number>();
  for (const start of nextOf.keys()) {
    const way: number[] = [];
    const circle = circleFrom(start, nextOf, way, new Set(), done);
    if (circle !== undefined) return lowestFirst(circle).map((stop) => pausedPort(fabric, stop));
  }
  return undefined;
}

/** All paused ports, ascending, then by class. */
export function pausedPorts(fabric: Fabric): PausedPort[] {
  const found: PausedPort[] = [];
  for (let port = 0; port < fabric.numbers.count; port++) {
    for (const packetClass of CLASSES) {
      if (isPaused(fabric.integers, port, packetClass)) found.push(pausedPort(fabric, 2 * port + packetClass));
    }
  }
  return found;
}

/**
 * A line for each port: `switch s1 port 2 → s2, paused since 12.345 µs, 700,123 bytes waiting`. Data of a host waits in its transport,
 * not at its port.
 */
export function pausedPortLines(paused: readonly PausedPort[], fabric: Fabric): string[] {
  return paused.map(({ port, packetClass, sincePs, waitingBytes }) => {
    const what = packetClass === CONTROL ? 'control paused' : 'paused';
    const waiting = waitingBytes === 0 ? '' : `, ${grouped(waitingBytes)} bytes waiting`;
    return `${portLabel(fabric, port)}, ${what} since ${(sincePs / 1e6).toFixed(3)} µs${waiting}`;
  });
}

/** `switch s1 port 2 → s2`; `switch0 port 2 → h2` where the name says what it is. */
export function portLabel({ spec, numbers }: Fabric, port: number): string {
  const { nodes } = spec.topology;
  const node = numbers.nodeOf[port];
  const { kind, name } = nodes[node];
  const to = nodes[numbers.nodeOf[numbers.peerOf[port]]].name;
  return `${name.startsWith(kind) ? '' : `${kind} `}${name} port ${port - numbers.first[node]} → ${to}`;
}

/** Each paused port and class, as port × 2 + class, with the paused ones that it waits for. */
function waitsOf(fabric: Fabric): Map<number, number[]> {
  const { numbers } = fabric;
  const waits = new Map<number, number[]>();
  for (const { port, packetClass } of pausedPorts(fabric)) waits.set(2 * port + packetClass, []);
  for (const stop of waits.keys()) {
    // Packets that wait here were charged to the ports by which they came, whose peers may be stopped.
    for (const ingress of ingressesAt(fabric, stop >> 1, stop & 1)) {
      waits.get(2 * numbers.peerOf[ingress] + (stop & 1))?.push(stop);
    }
  }
  return waits;
}

function isPaused(integers: Int32Array, port: number, packetClass: number): boolean {
  return (integers[port * PORT_INTEGERS + PAUSED] & (1 << packetClass)) !== 0;
}

/** Ports by which the packets of a class came that wait at an egress of a switch. */
function ingressesAt({ integers, packets, numbers, spec }: Fabric, port: number, packetClass: number): Set<number> {
  const ingresses = new Set<number>();
  if (spec.topology.nodes[numbers.nodeOf[port]].kind === 'host') return ingresses;
  let slot = integers[port * PORT_INTEGERS + HEAD + 2 * packetClass];
  for (; slot >= 0; slot = packets.integers[slot * PACKET_INTEGERS + NEXT]) {
    ingresses.add(packets.integers[slot * PACKET_INTEGERS + INGRESS]);
  }
  return ingresses;
}

/** Depth first; `way` leads to `stop`. */
function circleFrom(
  stop: number,
  nextOf: ReadonlyMap<number, readonly number[]>,
  way: number[],
  onWay: Set<number>,
  done: Set<number>,
): number[] | undefined {
  if (onWay.has(stop)) return way.slice(way.indexOf(stop));
  if (done.has(stop)) return undefined;
  way.push(stop);
  onWay.add(stop);
  for (const next of nextOf.get(stop)!) {
    const circle = circleFrom(next, nextOf, way, onWay, done);
    if (circle !== undefined) return circle;
  }
  way.pop();
  onWay.delete(stop);
  done.add(stop);
  return undefined;
}

function lowestFirst(circle: readonly number[]): number[] {
  const first = circle.indexOf(Math.min(...circle));
  return [...circle.slice(first), ...circle.slice(0, first)];
}

function pausedPort({ counters, doubles }: Fabric, stop: number): PausedPort {
  const port = stop >> 1;
  const packetClass = stop & 1;
  return {
    port,
    packetClass,
    sincePs: counters.pausedSincePs[stop],
    waitingBytes: doubles[port * PORT_DOUBLES + WAITING + packetClass],
  };
}
