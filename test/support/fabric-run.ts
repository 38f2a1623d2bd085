import { EventClass, eventOrder } from '../../src/kernel/event-queue.js';
import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import type { ScaleUpGroup, ScaleUpSpec } from '../../src/network/scale-up/scale-up-spec.js';
import type { ScaleUpStats } from '../../src/network/scale-up/scale-up-stats.js';

export interface PostedTransfer {
  readonly source: number;
  readonly destination: number;
  readonly bytes: number;
  /** Start, ps. */
  readonly at: number;
}

/** Times of one transfer, ps. */
export interface TransferTimes {
  sent: number;
  received: number;
  acknowledged: number;
}

export type CallBack = readonly [timePs: number, what: 'sent' | 'received' | 'acknowledged', transfer: number];

/** G = 800 Gbit/s, h = c = 100 ns: the group of the examples of network-models section 10. */
export const EXAMPLE_GROUP: ScaleUpGroup = {
  id: 0,
  bandwidthGbps: 800,
  switchLatencyPs: 100_000,
  cableLatencyPs: 100_000,
};

/** All ranks in one group. @param subgroups by rank; all in one if absent */
export function oneGroup(
  ranks: number,
  changes: Partial<ScaleUpGroup & Pick<ScaleUpSpec, 'maxPayloadBytes' | 'headerBytes'>> = {},
  subgroups?: readonly number[],
): ScaleUpSpec {
  const { maxPayloadBytes = 4096, headerBytes = 24, ...group } = changes;
  return {
    groups: [{ ...EXAMPLE_GROUP, ...group }],
    groupOf: new Int32Array(ranks),
    subgroupOf: subgroups ? Uint32Array.from(subgroups) : new Uint32Array(ranks),
    maxPayloadBytes,
    headerBytes,
  };
}

const FAR_AWAY = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 1 });

export interface NetworkRun {
  readonly times: TransferTimes[];
  /** All calls, in their order. */
  readonly calls: CallBack[];
  readonly cutOff: boolean;
}

/** Runs transfers over a fabric; ranks in no group use `beyond`. */
export function runTransfers(
  spec: ScaleUpSpec,
  transfers: readonly PostedTransfer[],
  options: { readonly stats?: ScaleUpStats; readonly beyond?: NetworkFactory; readonly stopPs?: number } = {},
): NetworkRun {
  const factory = scaleUpRouted(options.beyond ?? FAR_AWAY, spec, options.stats);
  return runOver(factory, spec.groupOf.length, transfers, options.stopPs);
}

/** Everything of an instant that the replay engine lets come before it starts another node. */
const BEFORE_STARTS = eventOrder(EventClass.kick, 0);

/**
 * Posts transfers as the replay engine does, those of one instant when its events of classes 0 to 3 are done, in the order of
 * the list.
 */
export function runOver(
  factory: NetworkFactory,
  rankCount: number,
  transfers: readonly PostedTransfer[],
  stopPs?: number,
): NetworkRun {
  const kernel = new Kernel();
  const calls: CallBack[] = [];
  const times = transfers.map(() => ({ sent: NaN, received: NaN, acknowledged: NaN }));
  const note = (what: CallBack[1]) => (transfer: number, timePs: number) => {
    if (!Number.isNaN(times[transfer][what])) throw new Error(`transfer ${transfer} is ${what} twice`);
    times[transfer][what] = timePs;
    calls.push([timePs, what, transfer]);
  };
  const listener = { sent: note('sent'), received: note('received'), acknowledged: note('acknowledged') };
  const network = factory(rankCount, kernel, listener);

  const ready: number[] = [];
  kernel.onSettle(() => {
    ready.sort((a, b) => b - a);
    for (let transfer = ready.pop(); transfer !== undefined; transfer = ready.pop()) {
      const { source, destination, bytes } = transfers[transfer];
      network.post(transfer, source, destination, bytes, kernel.now);
      if (kernel.queue.nextOrder() < BEFORE_STARTS) {
        kernel.settlePending = ready.length > 0;
        return;
      }
    }
  });
  const start = kernel.addHandler((transfer) => {
    ready.push(transfer);
    kernel.settlePending = true;
  });
  for (const [transfer, { source, at }] of transfers.entries()) {
    kernel.schedule(at, EventClass.rank, source, start, transfer);
  }
  return { times, calls, cutOff: kernel.run(stopPs) };
}

/** The times of one transfer in ns, as the examples give them. */
export function nanoseconds({ sent, received, acknowledged }: TransferTimes): number[] {
  return [sent / 1000, received / 1000, acknowledged / 1000];
}
