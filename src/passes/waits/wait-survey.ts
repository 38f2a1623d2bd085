import { isTransfer, NodeType } from '../../trace/node-type.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { findBoundaries } from '../boundaries.js';
import { rankSkeleton, type DependencyMode, type RankSkeleton } from '../rank-skeleton.js';
import { issuedSends, type IssuedSends } from '../serialize.js';
import { surveyTransfers, type TransferSurvey } from '../transfer-survey.js';
import { receiveTurns, type ReceiveTurns } from './receive-turns.js';

/** What a search for ranks that wait for each other needs of one rank. Plain data: it crosses worker threads. */
export interface WaitSurvey {
  readonly skeleton: RankSkeleton;
  readonly transfers: TransferSurvey;
  readonly turns: ReceiveTurns;
  /** Where the collectives that passes have touched begin; empty where `serialize` and `sync` both ran. */
  readonly begins: CollectiveBegins;
  readonly issuedSends: IssuedSends;
}

/** The first transfers of collectives that were expanded or synchronized: what a further pass would let wait. */
export interface CollectiveBegins {
  /** Places in the skeleton: the collective's node, or the exit that stands for it. */
  readonly exit: Int32Array;
  /** 1 where the transfers are of a barrier that `sync` added. */
  readonly synced: Uint8Array;
  /** [exits + 1] first entry of each in `first`. */
  readonly firstStart: Uint32Array;
  /** Places in the skeleton. */
  readonly first: Int32Array;
}

/** @param deps which dependencies hold a node back */
export function surveyWaits(trace: RankTrace, deps: DependencyMode): WaitSurvey {
  const { passes } = trace.metadata;
  const ordered = passes.includes('serialize') && passes.includes('sync');
  const isExit = (node: number): boolean => trace.collective[node] >= 0 && trace.type[node] === NodeType.metadata;
  const looksAtBegins = !ordered && trace.collectives.length > 0;
  const skeleton = looksAtBegins ? rankSkeleton(trace, deps, isExit) : rankSkeleton(trace, deps);
  const transfers = surveyTransfers(skeleton);
  return {
    skeleton,
    transfers,
    turns: receiveTurns(trace, deps, skeleton, transfers.receives),
    begins: looksAtBegins ? beginsOf(trace, skeleton) : NO_BEGINS,
    issuedSends: issuedSends(trace),
  };
}

const NO_BEGINS: CollectiveBegins = {
  exit: new Int32Array(0),
  synced: new Uint8Array(0),
  firstStart: new Uint32Array(1),
  first: new Int32Array(0),
};

function beginsOf(trace: RankTrace, skeleton: RankSkeleton): CollectiveBegins {
  const placeOf = new Int32Array(trace.length);
  for (let place = 0; place < skeleton.node.length; place++) placeOf[skeleton.node[place]] = place;
  const boundaries = findBoundaries(trace);
  const exit: number[] = [];
  const synced: number[] = [];
  const firstStart: number[] = [0];
  const first: number[] = [];
  for (const node of skeleton.node) {
    const type = trace.type[node];
    if (trace.collective[node] < 0 || isTransfer(type)) continue;
    const { barrierEntries, shareEntries } = boundaries[trace.collective[node]];
    const isSynced = barrierEntries.length > 0;
    exit.push(placeOf[node]);
    synced.push(Number(isSynced));
    for (const entry of isSynced ? barrierEntries : shareEntries) first.push(placeOf[entry]);
    firstStart.push(first.length);
  }
  return {
    exit: Int32Array.from(exit),
    synced: Uint8Array.from(synced),
    firstStart: Uint32Array.from(firstStart),
    first: Int32Array.from(first),
  };
}
