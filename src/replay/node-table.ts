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

/** What carries the work of a node that is no communication. */
export const NodeProcessor = { none: 0, npu: 1, cpu: 2, memory: 3 } as const;

/** Pair of a send or receive with nothing at the other end. */
export const NO_PAIR = -1;

/** Ranks that fit beside the kind of a node. */
export const MOST_RANKS = 1 << 24;

// A record of 64 bytes a node: four doubles, then eight integers.
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
const TAG = 13;
const COLLECTIVE = 14;
/** rank << 8 | added barrier << 5 | processor << 3 | kind. */
const WHAT = 15;

const KIND_MASK = 7;
const PROCESSOR_SHIFT = 3;
const PROCESSOR_MASK = 3;
const ADDED_SYNC = 32;
const RANK_SHIFT = 8;

/**
 * The nodes of all ranks in one numbering: by rank, in a rank by ascending id, so that a smaller number starts first at
 * equal time. It holds all that a run needs, so the traces themselves need not stay in memory.
 *
 * A replay visits a thousand ranks in turn and a few nodes of each at a time, so the fields of a node lie together in one cache
 * line: as separate columns they cost three times the run time (`test/bench/replay-expanded.ts`).
 */
export class NodeTable {
  /** Nodes of all ranks. */
  length = 0;
  /** [ranks + 1] first node of each rank. */
  readonly offset: number[] = [0];
  /** Nodes that wait for each node, each once, in ascending order; see {@link dependentStart}. */
  dependents = new Int32Array(0);
  #doubles = new Float64Array(0); // [capacity × DOUBLES]
  #integers = new Int32Array(0); // [capacity × INTEGERS], the same bytes
  /** Tags that are no 32-bit integer; a record holds −1 − their place. */
  readonly #wideTags: number[] = [];

  get rankCount(): number {
    return this.offset.length - 1;
  }

  /** Nodes there is room for. */
  get capacity(): number {
    return this.#integers.length / INTEGERS;
  }

  /** Makes room for `nodes` nodes in all; pages that are not written to cost nothing. */
  reserveNodes(nodes: number): void {
    if (nodes <= this.capacity) return;
    const doubles = new Float64Array(nodes * DOUBLES);
    doubles.set(this.#doubles.subarray(0, this.length * DOUBLES));
    this.#doubles = doubles;
    this.#integers = new Int32Array(doubles.buffer);
  }

  /** Makes room for `edges` dependents in all, of which the first `used` are kept. */
  reserveDependents(edges: number, used: number): void {
    if (edges <= this.dependents.length) return;
    const dependents = new Int32Array(edges);
    dependents.set(this.dependents.subarray(0, used));
    this.dependents = dependents;
  }

  /** Opens the next rank, with room for its nodes; gives its first node. */
  addRank(nodes: number): number {
    const first = this.length;
    this.reserveNodes(first + nodes);
    this.length = first + nodes;
    this.offset.push(this.length);
    return first;
  }

  /** Fills the record of a node that has no dependencies and dependents yet and nothing at the other end. */
  add(node: number, rank: number, kind: number, processor: number, amount: number): void {
    const doubles = this.#doubles;
    const integers = this.#integers;
    doubles[node * DOUBLES + START] = 0;
    doubles[node * DOUBLES + FINISH] = NaN;
    doubles[node * DOUBLES + ACKNOWLEDGED] = NaN;
    doubles[node * DOUBLES + AMOUNT] = amount;
    integers[node * INTEGERS + PAIR] = NO_PAIR;
    integers[node * INTEGERS + PEER] = -1;
    integers[node * INTEGERS + COLLECTIVE] = -1;
    integers[node * INTEGERS + WHAT] = (rank << RANK_SHIFT) | (processor << PROCESSOR_SHIFT) | kind;
  }

  /**
   * Completes the record of a send or receive.
   * @param collective number among the collectives of its rank, −1 for none
   */
  addTransfer(node: number, peer: number, tag: number, collective: number, addedSync: boolean): void {
    const integers = this.#integers;
    integers[node * INTEGERS + PEER] = peer;
    const narrow = tag >= 0 && tag <= 0x7fffffff;
    integers[node * INTEGERS + TAG] = narrow ? tag : -this.#wideTags.push(tag);
    integers[node * INTEGERS + COLLECTIVE] = collective;
    if (addedSync) integers[node * INTEGERS + WHAT] |= ADDED_SYNC;
  }

  rank(node: number): number {
    return this.#integers[node * INTEGERS + WHAT] >>> RANK_SHIFT;
  }

  /** A {@link NodeKind}. */
  kind(node: number): number {
    return this.#integers[node * INTEGERS + WHAT] & KIND_MASK;
  }

  setKind(node: number, kind: number): void {
    const place = node * INTEGERS + WHAT;
    this.#integers[place] = (this.#integers[place] & ~KIND_MASK) | kind;
  }

  /** A {@link NodeProcessor}. */
  processor(node: number): number {
    return (this.#integers[node * INTEGERS + WHAT] >>> PROCESSOR_SHIFT) & PROCESSOR_MASK;
  }

  /** Whether a send or receive belongs to an added barrier. */
  isAddedSync(node: number): boolean {
    return (this.#integers[node * INTEGERS + WHAT] & ADDED_SYNC) !== 0;
  }

  /** Work or duration in ps; bytes of a send or receive. */
  amount(node: number): number {
    return this.#doubles[node * DOUBLES + AMOUNT];
  }

  /** Partner rank of a send or receive, −1 for other nodes. */
  peer(node: number): number {
    return this.#integers[node * INTEGERS + PEER];
  }

  /** Tag of a send or receive; an absent one is 0. */
  tag(node: number): number {
    const tag = this.#integers[node * INTEGERS + TAG];
    return tag >= 0 ? tag : this.#wideTags[-1 - tag];
  }

  /** Of a send or receive: number of its collective among those of its rank, −1 for none. */
  collective(node: number): number {
    return this.#integers[node * INTEGERS + COLLECTIVE];
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
}
