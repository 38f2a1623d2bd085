import { counted, grouped } from '../../../base/counts.js';
import type { HeldUp } from '../../network.js';
import type { Fabric } from '../fabric/fabric.js';
import { BYTES, NEXT, PACKET_INTEGERS } from '../fabric/packet-record.js';
import { pauseCycle, pausedPortLines, pausedPorts, portLabel } from './pause-cycle.js';
import {
  CONTROL,
  DATA,
  FREE,
  HEAD,
  MODE,
  PAUSED,
  PORT_DOUBLES,
  PORT_INTEGERS,
  PortMode,
} from '../fabric/port-record.js';

/** Ports that are named one by one, of those that are in no circle. */
const PORTS_NAMED = 8;

/** What holds transfers up in a fabric whose run came to a stop at `nowPs`. */
export function heldUp(fabric: Fabric, nowPs: number): HeldUp[] {
  const cycle = pauseCycle(fabric) ?? [];
  const inCycle = new Set(cycle.map(({ port, packetClass }) => 2 * port + packetClass));
  const others = pausedPorts(fabric).filter(({ port, packetClass }) => !inCycle.has(2 * port + packetClass));
  const found: HeldUp[] = [];
  if (cycle.length > 0) {
    const ports = counted(cycle.length, 'port');
    found.push({
      code: 'pause-cycle',
      count: cycle.length,
      text: `${ports} that have paused each other in a circle`,
      lines: [
        `${ports} have paused each other in a circle; each waits for the buffer behind the next one:`,
        ...pausedPortLines(cycle, fabric).map(indented),
      ],
    });
  }
  if (others.length > 0) {
    const ports = counted(others.length, cycle.length > 0 ? 'more paused port' : 'paused port');
    found.push({
      code: 'paused-ports',
      count: others.length,
      text: `${ports}, whose peers have said stop and not yet go on`,
      lines: [`${ports}:`, ...shortened(pausedPortLines(others, fabric))],
    });
  }
  return [...found, ...waiting(fabric, nowPs)];
}

/** Packets that wait behind others, at ports that are not paused. */
function waiting(fabric: Fabric, nowPs: number): HeldUp[] {
  const queues: { port: number; packets: number; bytes: number }[] = [];
  for (let port = 0; port < fabric.numbers.count; port++) {
    const queue = queueAt(fabric, port, nowPs);
    if (queue.packets > 0) queues.push({ port, ...queue });
  }
  if (queues.length === 0) return [];
  queues.sort((a, b) => b.bytes - a.bytes || a.port - b.port);
  const count = queues.reduce((sum, { packets }) => sum + packets, 0);
  const lines = queues.map(
    ({ port, packets, bytes }) =>
      `${portLabel(fabric, port)}, ${counted(packets, 'packet')} with ${grouped(bytes)} bytes waiting`,
  );
  const text = `${counted(count, 'packet')} waiting in the queues of ${counted(queues.length, 'port')}`;
  return [{ code: 'packets-waiting', count, text, lines: [`${text}, most bytes first:`, ...shortened(lines)] }];
}

/** What waits at a port in classes that are not paused. A lazy port has started by now what its link has had time for. */
function queueAt(fabric: Fabric, port: number, nowPs: number): { packets: number; bytes: number } {
  const { integers, doubles, packets } = fabric;
  const at = port * PORT_INTEGERS;
  const isLazy = integers[at + MODE] === PortMode.lazy;
  let freePs = doubles[port * PORT_DOUBLES + FREE];
  const queue = { packets: 0, bytes: 0 };
  for (const packetClass of [CONTROL, DATA]) {
    if ((integers[at + PAUSED] & (1 << packetClass)) !== 0) continue;
    let slot = integers[at + HEAD + 2 * packetClass];
    for (; slot >= 0; slot = packets.integers[slot * PACKET_INTEGERS + NEXT]) {
      const bytes = packets.integers[slot * PACKET_INTEGERS + BYTES];
      if (isLazy && freePs <= nowPs) {
        freePs += fabric.serialisationPs(port, bytes);
        continue;
      }
      queue.packets++;
      queue.bytes += bytes;
    }
  }
  return queue;
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - PORTS_NAMED;
  return [...lines.slice(0, PORTS_NAMED), ...(more > 0 ? [`… and ${counted(more, 'more port')}`] : [])].map(indented);
}

function indented(line: string): string {
  return `  ${line}`;
}
