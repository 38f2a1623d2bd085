import type { RankCommunications } from '../communication.js';
import type { Links } from '../links.js';
import type { NodeOrder } from '../node-order.js';
import type { Streams } from '../streams.js';
import { addBackward } from './backward.js';
import { addBusyPeriods } from './busy-periods.js';
import { addCollectiveWaits } from './collective-waits.js';
import {
  DependencyList,
  type DataDependencies,
  type DependencyKind,
  type RefusedDependency,
} from './dependency-list.js';
import { addLaunches, addStreamOrder } from './device-order.js';
import { addHostWaits } from './host-waits.js';
import { hostThreads } from './host-threads.js';
import { addStreamWaits } from './stream-waits.js';
import { addThreadOrder } from './thread-order.js';
import { WaitingTimes } from './waiting-times.js';

export type { DependencyKind } from './dependency-list.js';

/** Data dependencies of a rank's nodes, and where they come from. */
export interface LinkedDependencies extends DataDependencies {
  /** How many of each kind; a dependency of two kinds is there once and counts for both. */
  readonly counts: ReadonlyMap<DependencyKind, number>;
  readonly refused: readonly RefusedDependency[];
  /** Calls by which the host waits for the device, and those of which it is guessed for what. */
  readonly hostWaits: number;
  readonly hostWaitsGuessed: number;
  /** Calls that make a stream wait for an event: with a cuda_sync event, inferred from collectives, and neither. */
  readonly streamWaitsStated: number;
  readonly streamWaitsInferred: number;
  readonly streamWaitsLost: number;
  /** Part of the own time of host nodes in which they waited for what a dependency says: the device or another thread. */
  readonly waitNs: Float64Array; // [host nodes]
}

/**
 * All data dependencies of a rank (docs/link.md, "What waits for what"). Each goes from a node to one with a smaller number, so
 * there is no cycle in them.
 */
export function linkDependencies(
  links: Links,
  streams: Streams | undefined,
  order: NodeOrder,
  communications: Pick<RankCommunications, 'onDevice'>,
): LinkedDependencies {
  const list = new DependencyList();
  const times = new WaitingTimes();
  addThreadOrder(order, list);
  addBackward(links.host, order, list);
  let waits = { calls: 0, guessed: 0 };
  let stated = 0;
  let inferred = { inferred: 0, lost: 0 };
  if (links.device !== undefined && streams !== undefined) {
    const threads = hostThreads(links, order);
    addLaunches(order, list);
    addStreamOrder(order, streams, list);
    const explained = addStreamWaits(links.device, streams, order, list);
    stated = explained.size;
    inferred = addCollectiveWaits({ links, device: links.device, streams, order, communications, explained }, list);
    waits = addHostWaits(links, links.device, streams, order, threads, list, times);
    addBusyPeriods(threads, list, times);
  }
  return {
    ...list.finish(order.length),
    counts: list.counts,
    refused: list.refused,
    hostWaits: waits.calls,
    hostWaitsGuessed: waits.guessed,
    streamWaitsStated: stated,
    streamWaitsInferred: inferred.inferred,
    streamWaitsLost: inferred.lost,
    waitNs: waitsOf(links, times),
  };
}

/** No node waits for longer than it runs. */
function waitsOf({ exclusiveNs }: Links, times: WaitingTimes): Float64Array {
  const waitNs = times.finish(exclusiveNs.length);
  for (let place = 0; place < waitNs.length; place++) {
    if (waitNs[place] > 0) waitNs[place] = Math.min(waitNs[place], exclusiveNs[place] || 0);
  }
  return waitNs;
}
