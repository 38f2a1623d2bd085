import type { RankTrace } from '../trace/rank-trace.js';

/** What a node does in a replay. */
export const NodeKind = {
  /** Takes no time: metadata, invalid nodes, collectives left unexpanded. */
  instant: 0,
  /** Takes its duration whatever else runs: memory, CPU compute, measured compute. */
  timed: 1,
  /** Compute that shares the rank's capacity. */
  shared: 2,
  send: 3,
  receive: 4,
  /** A collective that is replayed without being expanded. */
  collective: 5,
} as const;

/** Pair of a send or receive with nothing at the other end. */
export const NO_PAIR = -1;

// A record of 64 bytes a node: four doubles, then seven integers.
const DOUBLES = 8;
const INTEGERS = 16;
const START = 0;
const FINISH = 1;
const ACKNOWLEDGED = 2;
const AMOUNT = 3;
const WAITING = 8;
const DEPENDENT_START = 9;
const DEPENDENT_END = 10;
const PAIR = 11;
const PEER = 12;
const RANK = 13;
const KIND = 14;

/**
 * The nodes of all ranks in one numbering: by rank, in a rank by ascending id, so that a smaller number starts first at
 * equal time.
 *
 * A replay visits a thousand ranks in turn and a few nodes of each at a time, so the fields of a node lie together in one cache
 * line: as separate columns they cost three times the run time (`test/bench/replay-expanded.ts`).
 */
export class NodeTable {
  /** Nodes of all ranks. */
  readonly length: number;
  readonly rankCount: number;
  readonly offset: Int32Array; // [ranks + 1] first node of each rank
  /** Nodes that wait for each node, each once, in ascending order; see {@link dependentStart}. */
  readonly dependents: Int32Array;
  readonly #doubles: Float64Array; // [n × DOUBLES]
  readonly #integers: Int32Array; // [n × INTEGERS], the same bytes

  /**
   * @param traces the trace of rank r at place r
   * @param traceIndex by rank: index in its trace by place, `undefined` where the file is in ascending id already
   */
  constructor(
    readonly traces: readonly RankTrace[],
    readonly traceIndex: readonly (Int32Array | undefined)[],
  ) {
    this.rankCount = traces.length;
    this.offset = new Int32Array(traces.length + 1);
    let edges = 0;
    for (const [rank, { length, dataTarget, controlTarget }] of traces.entries()) {
      this.offset[rank + 1] = this.offset[rank] + length;
      edges += dataTarget.length + controlTarget.length;
    }
    this.length = this.offset[traces.length];
    this.dependents = new Int32Array(edges);
    const records = new ArrayBuffer(this.length * DOUBLES * 8);
    this.#doubles = new Float64Array(records);
    this.#integers = new Int32Array(records);
  }

  /** Fills the record of a node that has no dependencies and dependents yet and nothing at the other end. */
  add(node: number, rank: number, kind: number, amount: number, peer: number): void {
    const doubles = this.#doubles;
    const integers = this.#integers;
    doubles[node * DOUBLES + FINISH] = NaN;
    doubles[node * DOUBLES + ACKNOWLEDGED] = NaN;
    doubles[node * DOUBLES + AMOUNT] = amount;
    integers[node * INTEGERS + PAIR] = NO_PAIR;
    integers[node * INTEGERS + PEER] = peer;
    integers[node * INTEGERS + RANK] = rank;
    integers[node * INTEGERS + KIND] = kind;
  }

  rank(node: number): number {
    return this.#integers[node * INTEGERS + RANK];
  }

  /** A {@link NodeKind}. */
  kind(node: number): number {
    return this.#integers[node * INTEGERS + KIND];
  }

  setKind(node: number, kind: number): void {
    this.#integers[node * INTEGERS + KIND] = kind;
  }

  /** Work or duration in ps; bytes of a send or receive. */
  amount(node: number): number {
    return this.#doubles[node * DOUBLES + AMOUNT];
  }

  /** Partner rank of a send or receive, −1 for other nodes. */
  peer(node: number): number {
    return this.#integers[node * INTEGERS + PEER];
  }

  /**
   * Of a send or receive: the node at the other end where the key is theirs alone, {@link NO_PAIR} where nobody is there,
   * −2 − k for the shared key k until a receive is matched. Of a collective: its member number in the plan.
   */
  pair(node: number): number {
    return this.#integers[node * INTEGERS + PAIR];
  }

  setPair(node: number, pair: number): void {
    this.#integers[node * INTEGERS + PAIR] = pair;
  }

  /** Dependencies not finished yet, −1 once the node has started. */
  waiting(node: number): number {
    return this.#integers[node * INTEGERS + WAITING];
  }

  setWaiting(node: number, dependencies: number): void {
    this.#integers[node * INTEGERS + WAITING] = dependencies;
  }

  /** A dependency has finished: gives how many are left. */
  satisfy(node: number): number {
    return --this.#integers[node * INTEGERS + WAITING];
  }

  /** First place of the node's dependents in `dependents`. */
  dependentStart(node: number): number {
    return this.#integers[node * INTEGERS + DEPENDENT_START];
  }

  dependentEnd(node: number): number {
    return this.#integers[node * INTEGERS + DEPENDENT_END];
  }

  setDependents(node: number, start: number, end: number): void {
    this.#integers[node * INTEGERS + DEPENDENT_START] = start;
    this.#integers[node * INTEGERS + DEPENDENT_END] = end;
  }

  /** ps; before the start, the latest finish known of its dependencies. */
  start(node: number): number {
    return this.#doubles[node * DOUBLES + START];
  }

  setStart(node: number, timePs: number): void {
    this.#doubles[node * DOUBLES + START] = timePs;
  }

  /** ps, NaN until it is known; may lie ahead of now. */
  finish(node: number): number {
    return this.#doubles[node * DOUBLES + FINISH];
  }

  setFinish(node: number, timePs: number): void {
    this.#doubles[node * DOUBLES + FINISH] = timePs;
  }

  /** ps, NaN until known. Of a send: its acknowledgment; of a receive with a key of its own: the arrival of the transfer. */
  acknowledged(node: number): number {
    return this.#doubles[node * DOUBLES + ACKNOWLEDGED];
  }

  setAcknowledged(node: number, timePs: number): void {
    this.#doubles[node * DOUBLES + ACKNOWLEDGED] = timePs;
  }

  /** Index of a node in the trace of its rank. */
  indexInTrace(node: number): number {
    const rank = this.rank(node);
    const place = node - this.offset[rank];
    return this.traceIndex[rank]?.[place] ?? place;
  }

  /** Tag of a send or receive; an absent one is 0. */
  tag(node: number): number {
    const tag = this.traces[this.rank(node)].commTag[this.indexInTrace(node)];
    return Number.isNaN(tag) ? 0 : tag;
  }
}
