import type { NodeFacts } from './node-facts.js';

/** What joins two nodes of a picture. */
export const EdgeKind = {
  /** `data_deps`. */
  data: 0,
  /** `ctrl_deps`. */
  control: 1,
  /** From a send to its receive. */
  message: 2,
  /** Dependencies through nodes that are not drawn. */
  path: 3,
} as const;

/** Names of the kinds, as in the official GraphML where it has them. */
export const EDGE_NAMES = ['data', 'control', 'message', 'path'] as const;

/** A node of a picture; the one of a repeated id is told by how many before it have the id. */
export interface NodeKey {
  rank: number;
  idLow: number;
  idHigh: number;
  copy: number;
}

/** The forms of pictures of traces, in the order of the help. */
export const DRAWING_FORMS = ['dot', 'graphml', 'svg'] as const;
export type DrawingForm = (typeof DRAWING_FORMS)[number];

/** What a picture is of. */
export interface DrawingHead {
  readonly title: string;
  /** Ranks that are drawn, ascending. Ids of nodes have the rank before them where there are several. */
  readonly ranks: readonly number[];
}

/**
 * Writes a picture: `begin`, for each rank `beginRank`, its nodes, `endRank`, then all edges, then `end`. Every end of an
 * edge is a node that was given before.
 */
export interface DrawingSink {
  /** Characters that the form cannot hold and for which others stand. */
  readonly replaced: number;
  /** Edges that point against the direction of the others, once it has ended; for forms with a layout of their own. */
  readonly upwards?: number;
  begin(head: DrawingHead): void;
  beginRank(rank: number, file: string): void;
  /** @param facts valid during the call */
  node(facts: NodeFacts): void;
  /** An id that dependencies name and no node has. */
  missing(key: NodeKey): void;
  endRank(): void;
  /**
   * @param from what is waited for @param to what waits; both valid during the call
   * @param kind an {@link EdgeKind}
   * @param throughMicros of a path: the longest sum of durations of the nodes on it
   */
  edge(from: NodeKey, to: NodeKey, kind: number, throughMicros: number): void;
  /** @param notes what the picture leaves out, a line each */
  end(notes: readonly string[]): void;
}

/** `3` in a picture of one rank, `r2_3` in one of several, with `_2` behind it for the second node of that id. */
export function keyPrefix(head: DrawingHead): (rank: number) => string {
  return head.ranks.length > 1 ? (rank) => `r${rank}_` : () => '';
}
