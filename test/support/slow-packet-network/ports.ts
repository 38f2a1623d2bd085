import { ByteRate } from '../../../src/network/byte-rate.js';
import type { Topology } from '../../../src/network/topology/topology.js';
import { PortCounters } from './counters.js';

/** One end of a link. */
export class Port {
  peer!: Port;
  busy = false;
  /** By class, since when; undefined where it is not paused. */
  readonly pausedSince: (number | undefined)[] = [undefined, undefined];
  readonly counters = new PortCounters();
  readonly rate: ByteRate;

  constructor(
    readonly id: number,
    readonly node: number,
    /** Among the ports of its node. */
    readonly index: number,
    readonly link: number,
    readonly gbps: number,
    readonly delayPs: number,
    readonly loss: number,
    readonly queueLimitBytes: number | undefined,
  ) {
    this.rate = new ByteRate(gbps, 1n, 8n);
  }
}

/** Both ends of every link, numbered by node, then link. */
export function portsOf({ nodes, links }: Topology): Port[] {
  const ports: Port[] = [];
  for (const node of nodes.keys()) {
    let index = 0;
    for (const [link, { a, b, gbps, delayPs, loss, queueBytes }] of links.entries()) {
      if (a !== node && b !== node) continue;
      ports.push(new Port(ports.length, node, index++, link, gbps, delayPs, loss, queueBytes));
    }
  }
  for (const port of ports) port.peer = ports.find((other) => other.link === port.link && other !== port)!;
  return ports;
}
