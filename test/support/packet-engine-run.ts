import { EventClass } from '../../src/kernel/event-queue.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { PacketNetworkSpec } from '../../src/network/packet/settings/packet-settings.js';
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
  const run = enginePackets(spec, posts);
  run.kernel.run(stopPs);
  return run;
}

/** The same before its first event. */
export function enginePackets(spec: PacketNetworkSpec, posts: readonly PostedPackets[]): EngineRun {
  const kernel = new Kernel();
  const times = new Map<number, TransferTimes>();
  const note = (transfer: number, what: keyof TransferTimes, timePs: number): void => {
    const known = times.get(transfer)!;
    if (!Number.isNaN(known[what])) throw new Error(`${what} of transfer ${transfer} was told twice`);
    known[what] = timePs;
  };
  /** Posts that wait for the end of the instant. */
  const settling: number[] = [];
  const hosts = Int32Array.from(spec.topology.nodes, (_, node) => node);
  const network = new PacketNetwork(spec, hosts, kernel, {
    sent: (transfer, timePs) => note(transfer, 'sent', timePs),
    received: (transfer, timePs) => {
      note(transfer, 'received', timePs);
      for (const [index, { after, atPs, source }] of posts.entries()) {
        if (after !== transfer) continue;
        if (atPs > 0) {
          kernel.schedule(timePs + atPs, EventClass.rank, source, onPost, index);
        } else {
          settling.push(index);
          kernel.settlePending = true;
        }
      }
    },
    acknowledged: (transfer, timePs) => note(transfer, 'acknowledged', timePs),
  });
  const post = (index: number): void => {
    const { transfer, source, destination, bytes } = posts[index];
    times.set(transfer, { sent: NaN, received: NaN, acknowledged: NaN });
    network.post(transfer, source, destination, bytes, kernel.now);
  };
  const onPost = kernel.addHandler(post);
  kernel.onSettle(() => {
    for (const index of settling.splice(0)) post(index);
  });
  for (const [index, { after, source, atPs }] of posts.entries()) {
    if (after === undefined) kernel.schedule(atPs, EventClass.rank, source, onPost, index);
  }
  return { times, network, kernel };
}
