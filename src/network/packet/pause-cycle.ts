import { grouped } from '../../base/counts.js';
import type { Fabric } from './fabric.js';
import { INGRESS, NEXT, PACKET_INTEGERS } from './packet-record.js';
import { CONTROL, DATA, HEAD, PAUSED, PORT_DOUBLES, PORT_INTEGERS, WAITING } from './port-record.js';

/** An egress port that its peer has stopped (SW-6), as one of a circle of them. */
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

/** A line for each port of a circle: `switch s1 port 2 → s2, paused 12.3 µs, 700,123 bytes waiting`. */
export function pauseCycleLines(cycle: readonly PausedPort[], fabric: Fabric, nowPs: number): string[] {
  const { spec, numbers } = fabric;
  const { nodes } = spec.topology;
  return cycle.map(({ port, packetClass, sincePs, waitingBytes }) => {
    const node = numbers.nodeOf[port];
    const from = `${nodes[node].kind} ${nodes[node].name} port ${port - numbers.first[node]}`;
    const to = nodes[numbers.nodeOf[numbers.peerOf[port]]].name;
    const what = packetClass === CONTROL ? 'control paused' : 'paused';
    const micros = ((nowPs - sincePs) / 1e6).toFixed(1);
    return `${from} → ${to}, ${what} ${micros} µs, ${grouped(waitingBytes)} bytes waiting`;
  });
}

/** Each paused port and class, as port × 2 + class, with the paused ones that it waits for. */
function waitsOf(fabric: Fabric): Map<number, number[]> {
  const { integers, numbers } = fabric;
  const waits = new Map<number, number[]>();
  for (let port = 0; port < numbers.count; port++) {
    for (const packetClass of CLASSES) {
      if (isPaused(integers, port, packetClass)) waits.set(2 * port + packetClass, []);
    }
  }
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
