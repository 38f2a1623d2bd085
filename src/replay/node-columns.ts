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

/** In the `pair` column: nothing at the other end. */
export const NO_PAIR = -1;

/**
 * The nodes of all ranks in one numbering: by rank, in a rank by ascending id, so that a smaller number starts first at
 * equal time.
 */
export interface NodeColumns {
  readonly traces: readonly RankTrace[];
  readonly rankCount: number;
  /** Nodes of all ranks. */
  readonly length: number;
  readonly offset: Int32Array; // [ranks + 1] first node of each rank
  /** By rank: index in its trace by place, `undefined` where the file is in ascending id already. */
  readonly traceIndex: readonly (Int32Array | undefined)[];
  readonly rank: Int32Array; // [n]
  readonly kind: Uint8Array; // [n] NodeKind
  readonly amount: Float64Array; // [n] work or duration in ps, bytes of a send or receive
  readonly peer: Int32Array; // [n] partner rank of a send or receive, −1 for others
  /**
   * [n] Of a send or receive: the node at the other end where the key is theirs alone, NO_PAIR where nobody is there,
   * −2 − k for the shared key k until a receive is matched. Of a collective: its member number in the plan.
   */
  readonly pair: Int32Array;
  readonly waiting: Int32Array; // [n] dependencies not finished yet, −1 once started
  readonly dependentStart: Uint32Array; // [n + 1]
  readonly dependent: Int32Array; // nodes that wait for each node, each once
  readonly start: Float64Array; // [n] ps; before the start, the latest finish known of its dependencies
  readonly finish: Float64Array; // [n] ps, NaN until it is known; may lie ahead of now
  /** [n] ps, NaN until known. Of a send: its acknowledgment; of a receive with a pair: the arrival of the transfer. */
  readonly acknowledged: Float64Array;
}

/** Index of a node in the trace of its rank. */
export function traceIndexOf(nodes: NodeColumns, node: number): number {
  const rank = nodes.rank[node];
  const place = node - nodes.offset[rank];
  return nodes.traceIndex[rank]?.[place] ?? place;
}
