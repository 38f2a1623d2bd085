import { grown } from '../../base/grown.js';

/** Why a node waits for another. */
export const DEPENDENCY_KINDS = [
  'thread order',
  'launch',
  'stream order',
  'stream wait',
  'host wait',
  'busy period',
  'backward',
] as const;

export type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

/** Data dependencies of all nodes: those of node n are target[start[n]] to target[start[n + 1] − 1], ascending, each once. */
export interface DataDependencies {
  readonly start: Uint32Array; // [n + 1]
  readonly target: Int32Array;
}

/** A dependency that would not go forward. */
export interface RefusedDependency {
  readonly kind: DependencyKind;
  readonly node: number;
  readonly waitsFor: number;
}

/**
 * Collects data dependencies. A node may wait for nodes with smaller numbers only, so no cycle can come out; what would not be
 * one of these is refused and kept for whoever reports it.
 */
export class DependencyList {
  /** Dependencies taken, by kind. */
  readonly counts = new Map<DependencyKind, number>();
  readonly refused: RefusedDependency[] = [];
  #node = new Int32Array(1024);
  #target = new Int32Array(1024);
  #length = 0;

  /** @returns whether it was taken */
  add(kind: DependencyKind, node: number, waitsFor: number): boolean {
    if (waitsFor >= node) {
      this.refused.push({ kind, node, waitsFor });
      return false;
    }
    if (this.#length === this.#node.length) {
      this.#node = grown(this.#node, 2 * this.#length);
      this.#target = grown(this.#target, 2 * this.#length);
    }
    this.#node[this.#length] = node;
    this.#target[this.#length++] = waitsFor;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return true;
  }

  /** By node. @param nodes number of nodes */
  finish(nodes: number): DataDependencies {
    const begin = new Uint32Array(nodes + 2);
    for (let edge = 0; edge < this.#length; edge++) begin[this.#node[edge] + 2]++;
    for (let node = 1; node <= nodes; node++) begin[node + 1] += begin[node];
    const sorted = new Int32Array(this.#length);
    for (let edge = 0; edge < this.#length; edge++) sorted[begin[this.#node[edge] + 1]++] = this.#target[edge];
    const start = new Uint32Array(nodes + 1);
    let kept = 0;
    for (let node = 0; node < nodes; node++) {
      const list = sorted.subarray(begin[node], begin[node + 1]);
      if (list.length > 1) list.sort();
      for (let place = 0; place < list.length; place++) {
        if (place === 0 || list[place] !== list[place - 1]) sorted[kept++] = list[place];
      }
      start[node + 1] = kept;
    }
    return { start, target: sorted.subarray(0, kept) };
  }
}
