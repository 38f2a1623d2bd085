import { grown } from '../base/grown.js';
import { everyTargetEarlier } from '../trace/cycles.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { columnsOf, kindOf, SkeletonKind, type TransferColumns } from './transfer-columns.js';

/** Which lists of dependencies hold a node back: both (the default), or data alone (`--deps data`). */
export type DependencyMode = 'both' | 'data';

/**
 * The communication of a rank and the order its dependencies put it in, without the nodes between. A node comes after
 * those it waits for, except in a cycle; a relay is kept where leaving it out would cost more edges. Typed arrays only, so
 * that it can be moved out of a worker: up to 25 bytes a node with ids, tags and bytes below 2^31, and 4 for each it waits
 * for.
 */
export interface RankSkeleton extends TransferColumns {
  /** Nodes of the trace it was taken from. */
  readonly traceLength: number;
  /** [m + 1] first entry of each node in `before`. */
  readonly beforeStart: Uint32Array;
  /** Places in this skeleton that must have finished first. */
  readonly before: Int32Array;
}

// What stands for a node in the lists of its successors, where it is not a node's index.
const UNKNOWN = -1;
/** Nothing: it waits for no communication. */
const NOTHING = -2;
/** This and below: several nodes, the list at place SEVERAL − x of {@link WaitList}. */
const SEVERAL = -3;
/** Nodes in one of these lists at most. */
const LONGEST_LIST = 8;

/**
 * Takes the skeleton of a rank in time linear in its dependencies. A node that is no communication is left out
 * where its p predecessors and s successors need no more edges without it (p × s ≤ p + s) and p is at most 8: a chain of
 * nodes that each wait for one more message would hand on longer and longer lists otherwise. Nodes that close a cycle
 * and nodes that depend on themselves are kept; dangling dependencies are ignored.
 *
 * @param alsoKeep nodes that are no communication and are to be kept all the same
 */
export function rankSkeleton(
  trace: RankTrace,
  deps: DependencyMode,
  alsoKeep: (node: number) => boolean = keepsNoOther,
): RankSkeleton {
  const { length, type, dataStart, dataTarget, controlStart, controlTarget } = trace;
  const useControl = deps === 'both';
  const { order, closing } = dependencyOrder(trace, useControl);
  const successors = new Uint32Array(length);
  countTargets(dataTarget, successors);
  if (useControl) countTargets(controlTarget, successors);

  const stand = new Int32Array(length).fill(UNKNOWN);
  for (const node of closing) stand[node] = node;
  const wait = new WaitList(length);
  const keptNode: number[] = [];
  const beforeStart: number[] = [0];
  let before = new Int32Array(64);
  let edges = 0;
  for (let step = 0; step < length; step++) {
    const node = order === undefined ? step : order[step];
    wait.begin(node);
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
      const target = dataTarget[edge];
      if (target >= 0) wait.add(stand[target]);
    }
    if (useControl) {
      for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
        const target = controlTarget[edge];
        if (target >= 0) wait.add(stand[target]);
      }
    }
    const count = wait.length;
    const left = successors[node];
    if (
      kindOf(type[node]) === SkeletonKind.relay &&
      stand[node] === UNKNOWN &&
      count * left <= count + left &&
      (count <= LONGEST_LIST || left === 0) &&
      !alsoKeep(node)
    ) {
      if (count === 0) stand[node] = NOTHING;
      else if (count === 1) stand[node] = wait.node[0];
      else if (left > 0) stand[node] = SEVERAL - wait.keep();
      continue;
    }
    stand[node] = node;
    if (edges + count > before.length) before = grown(before, Math.max(edges + count, before.length * 2));
    for (let at = 0; at < count; at++) before[edges++] = wait.node[at];
    keptNode.push(node);
    beforeStart.push(edges);
  }
  const node = new Int32Array(keptNode);
  // From here on `stand` is the place of each kept node.
  for (let place = 0; place < node.length; place++) stand[node[place]] = place;
  before = before.slice(0, edges);
  for (let edge = 0; edge < edges; edge++) before[edge] = stand[before[edge]];
  return { ...columnsOf(trace, node), traceLength: length, beforeStart: new Uint32Array(beforeStart), before };
}

const keepsNoOther = (): boolean => false;

function countTargets(targets: Int32Array, count: Uint32Array): void {
  for (let edge = 0; edge < targets.length; edge++) if (targets[edge] >= 0) count[targets[edge]]++;
}

/** The distinct kept nodes that one node waits for, and the lists of nodes that were left out. */
class WaitList {
  length = 0;
  node = new Int32Array(64);
  readonly #takenBy: Int32Array; // [n] node + 1 that took it last
  #stamp = 0;
  #lists = new Int32Array(64); // one behind the other: how many nodes, and the nodes
  #listed = 0;

  constructor(nodes: number) {
    this.#takenBy = new Int32Array(nodes);
  }

  begin(node: number): void {
    this.length = 0;
    this.#stamp = node + 1;
  }

  /** Adds what stands for a node that is waited for. */
  add(standing: number): void {
    if (standing >= 0) this.#take(standing);
    else if (standing <= SEVERAL) {
      const at = SEVERAL - standing;
      const end = at + this.#lists[at];
      for (let place = at + 1; place <= end; place++) this.#take(this.#lists[place]);
    }
  }

  /** Keeps the nodes as a list; gives its place. */
  keep(): number {
    const { length } = this;
    const at = this.#listed;
    const end = at + 1 + length;
    if (end > this.#lists.length) this.#lists = grown(this.#lists, Math.max(end, 2 * this.#lists.length));
    this.#lists[at] = length;
    for (let place = 0; place < length; place++) this.#lists[at + 1 + place] = this.node[place];
    this.#listed = end;
    return at;
  }

  #take(node: number): void {
    if (this.#takenBy[node] === this.#stamp) return;
    this.#takenBy[node] = this.#stamp;
    if (this.length === this.node.length) this.node = grown(this.node, 2 * this.length);
    this.node[this.length++] = node;
  }
}

/**
 * An order in which every node comes after those it depends on, cycles apart: `undefined` when the file order is one
 * already. `closing` are the nodes that a dependency reaches before they are placed.
 */
function dependencyOrder(
  trace: RankTrace,
  useControl: boolean,
): { order: Int32Array | undefined; closing: ReadonlySet<number> } {
  const { length, dataStart, dataTarget, controlStart, controlTarget } = trace;
  const closing = new Set<number>();
  if (everyTargetEarlier(trace, useControl ? 'both' : 'data')) {
    return { order: undefined, closing };
  }
  const order = new Int32Array(length);
  const state = new Uint8Array(length); // 0 unseen, 1 on the path, 2 placed
  const cursor = new Uint32Array(length);
  const path = new Int32Array(length);
  let placed = 0;
  for (let start = 0; start < length; start++) {
    if (state[start] !== 0) continue;
    let depth = 0;
    path[0] = start;
    state[start] = 1;
    while (depth >= 0) {
      const node = path[depth];
      const dataEdges = dataStart[node + 1] - dataStart[node];
      const edges = dataEdges + (useControl ? controlStart[node + 1] - controlStart[node] : 0);
      let next = -1;
      while (cursor[node] < edges && next < 0) {
        const edge = cursor[node]++;
        const target =
          edge < dataEdges ? dataTarget[dataStart[node] + edge] : controlTarget[controlStart[node] + edge - dataEdges];
        if (target < 0 || state[target] === 2) continue;
        if (state[target] === 1) closing.add(target);
        else next = target;
      }
      if (next >= 0) {
        state[next] = 1;
        path[++depth] = next;
      } else {
        state[node] = 2;
        order[placed++] = node;
        depth--;
      }
    }
  }
  return { order, closing };
}
