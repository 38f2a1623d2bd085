import { CollectiveType, isRooted } from '../../trace/collective-type.js';
import { isCommunication, NodeType } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';

/** How often one rank leaves things unsaid, or says them in an unusual way that is legal. Small, and crosses workers. */
export interface RankObservations {
  readonly nodes: number;
  /** Sends, receives and collectives, those of expanded collectives too. */
  readonly communication: number;
  readonly computes: number;
  /** Of these, those with a duration. */
  readonly timedComputes: number;
  /** Collectives by type that are still to be expanded; those without a known type last. */
  readonly collectives: readonly number[];
  /** Sends and receives, but those of expanded collectives. */
  readonly transfers: number;
  /** Of these, those that name a group and a peer. */
  readonly groupedTransfers: number;
  /** Sends and receives without a tag. */
  readonly untagged: number;
  /** Collectives of the kinds with a root. */
  readonly rooted: number;
  /** Of these, those that name none. */
  readonly rootless: number;
  readonly timed: number;
  readonly startTimes: number;
  readonly withoutSide: number;
  readonly zeroIds: number;
  readonly dependencies: number;
  /** Entries that repeat an id of the same list. */
  readonly repeated: number;
  /** Entries that name a node further on in the file. */
  readonly forward: number;
}

const TYPES = Object.keys(CollectiveType).length;
/** Longest list whose entries are compared with each other. */
const SHORT_LIST = 16;

/** One walk over the nodes and one over each kind of dependency. */
export function observe(trace: RankTrace): RankObservations {
  const { length, type, flags, collective, commType, commTag, peer, group, durationMicros, idLow, idHigh, root } =
    trace;
  const collectives = new Array<number>(TYPES + 1).fill(0);
  let communication = 0;
  let computes = 0;
  let timedComputes = 0;
  let transfers = 0;
  let groupedTransfers = 0;
  let untagged = 0;
  let rooted = 0;
  let rootless = 0;
  let timed = 0;
  let startTimes = 0;
  let withoutSide = 0;
  let zeroIds = 0;
  for (let node = 0; node < length; node++) {
    const flag = flags[node];
    if ((flag & NodeFlag.cpuGiven) === 0) withoutSide++;
    if ((flag & NodeFlag.startTime) !== 0) startTimes++;
    if (durationMicros[node] > 0) timed++;
    if ((idLow[node] | idHigh[node]) === 0) zeroIds++;
    const kind = type[node];
    if (kind === NodeType.compute) {
      computes++;
      if (durationMicros[node] > 0) timedComputes++;
    }
    if (!isCommunication(kind)) continue;
    communication++;
    if (kind === NodeType.collective) {
      if (collective[node] >= 0) continue;
      const number = commType[node];
      collectives[number < 0 ? TYPES : number]++;
      if (!isRooted(number)) continue;
      rooted++;
      if (root.get(node) === undefined) rootless++;
    } else {
      if (Number.isNaN(commTag[node])) untagged++;
      if (collective[node] >= 0) continue;
      transfers++;
      if (group[node] >= 0 && peer[node] >= 0) groupedTransfers++;
    }
  }
  const data = countEdges(length, trace.dataStart, trace.dataTarget);
  const control = countEdges(length, trace.controlStart, trace.controlTarget);
  return {
    nodes: length,
    communication,
    computes,
    timedComputes,
    collectives,
    transfers,
    groupedTransfers,
    untagged,
    rooted,
    rootless,
    timed,
    startTimes,
    withoutSide,
    zeroIds,
    dependencies: trace.dataTarget.length + trace.controlTarget.length,
    repeated: data.repeated + control.repeated,
    forward: data.forward + control.forward,
  };
}

function countEdges(length: number, start: Uint32Array, target: Int32Array): { repeated: number; forward: number } {
  let repeated = 0;
  let forward = 0;
  if (target.length === 0) return { repeated, forward };
  for (let node = 0; node < length; node++) {
    const from = start[node];
    const to = start[node + 1];
    for (let edge = from; edge < to; edge++) if (target[edge] > node) forward++;
    if (to - from > SHORT_LIST) repeated += to - from - new Set(target.subarray(from, to)).size;
    else if (to - from > 1) repeated += repeatedOf(target, from, to);
  }
  return { repeated, forward };
}

function repeatedOf(target: Int32Array, from: number, to: number): number {
  let repeated = 0;
  for (let edge = from + 1; edge < to; edge++) {
    for (let earlier = from; earlier < edge; earlier++) {
      if (target[earlier] !== target[edge]) continue;
      repeated++;
      break;
    }
  }
  return repeated;
}

/** The observations of all ranks together. */
export function sumOf(ranks: readonly RankObservations[]): RankObservations {
  const total = (of: (rank: RankObservations) => number): number => ranks.reduce((sum, rank) => sum + of(rank), 0);
  return {
    nodes: total(({ nodes }) => nodes),
    communication: total(({ communication }) => communication),
    computes: total(({ computes }) => computes),
    timedComputes: total(({ timedComputes }) => timedComputes),
    collectives: Array.from({ length: TYPES + 1 }, (_, type) => total(({ collectives }) => collectives[type])),
    transfers: total(({ transfers }) => transfers),
    groupedTransfers: total(({ groupedTransfers }) => groupedTransfers),
    untagged: total(({ untagged }) => untagged),
    rooted: total(({ rooted }) => rooted),
    rootless: total(({ rootless }) => rootless),
    timed: total(({ timed }) => timed),
    startTimes: total(({ startTimes }) => startTimes),
    withoutSide: total(({ withoutSide }) => withoutSide),
    zeroIds: total(({ zeroIds }) => zeroIds),
    dependencies: total(({ dependencies }) => dependencies),
    repeated: total(({ repeated }) => repeated),
    forward: total(({ forward }) => forward),
  };
}
