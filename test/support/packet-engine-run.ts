import { EventClass } from '../../src/kernel/event-queue.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { PacketNetworkSpec } from '../../src/network/packet/packet-settings.js';
import type { PostedPackets } from './slow-packet-network/slow-packet-network.js';

export interface TransferTimes {
  sent: number;
  received: number;
  acknowledged: number;
}

export interface EngineRun {
  readonly times: Map<number, TransferTimes>;
  readonly network: PacketNetwork;
  readonly kernel: Kernel;
}

/** Runs transfers over the packet network of the product; hosts are named by their nodes. */
export function runPackets(spec: PacketNetworkSpec, posts: readonly PostedPackets[], stopPs = Infinity): EngineRun {
  const kernel = new Kernel();
  const times = new Map<number, TransferTimes>();
  const note = (transfer: number, what: keyof TransferTimes, timePs: number): void => {
    const known = times.get(transfer)!;
    if (!Number.isNaN(known[what])) throw new Error(`${what} of transfer ${transfer} was told twice`);
    known[what] = timePs;
  };
  const hosts = Int32Array.from(spec.topology.nodes, (_, node) => node);
  const network = new PacketNetwork(spec, hosts, kernel, {
    sent: (transfer, timePs) => note(transfer, 'sent', timePs),
    received: (transfer, timePs) => note(transfer, 'received', timePs),
    acknowledged: (transfer, timePs) => note(transfer, 'acknowledged', timePs),
  });
  const onPost = kernel.addHandler((index) => {
    const { transfer, source, destination, bytes } = posts[index];
    network.post(transfer, source, destination, bytes, kernel.now);
  });
  for (const [index, { transfer, source, atPs }] of posts.entries()) {
    times.set(transfer, { sent: NaN, received: NaN, acknowledged: NaN });
    kernel.schedule(atPs, EventClass.rank, source, onPost, index);
  }
  kernel.run(stopPs);
  return { times, network, kernel };
}
