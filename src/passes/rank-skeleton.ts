import { idForJson } from '../base/ids.js';
import { narrowed, type NarrowColumn } from '../base/narrowed.js';
import { everyTargetEarlier } from '../trace/cycles.js';
import { isTransfer, NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** Which lists of dependencies hold a node back: both (the default), or data alone (`--deps data`). */
export type DependencyMode = 'both' | 'data';

/** What a node of a skeleton does. */
export const SkeletonKind = { relay: 0, send: 1, receive: 2, collective: 3 } as const;

/** What is said of the nodes of a rank that are kept, by their place among them. */
export interface TransferColumns {
  readonly rank: number;
  /** [m] node index in the trace. */
  readonly node: Int32Array;
  /** [m] a {@link SkeletonKind}; a relay is a node that is no communication. */
  readonly kind: Uint8Array;
  /** [m] node ids, lower and upper halves; the upper ones are left out where all are 0. */
  readonly idLow: Uint32Array;
  readonly idHigh: Uint32Array;
  /** Partner rank of a send or receive, −1 for none. Like the two below [m], or of length 0 where there is no transfer. */
  readonly peer: NarrowColumn;
  /** Tag of a send or receive, 0 when absent. */
  readonly tag: NarrowColumn;
  /** Bytes of a send or receive, NaN when absent, 0 for other nodes. */
  readonly bytes: NarrowColumn;
}

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
/** Several nodes, listed in `lists`. */
const SEVERAL = -3;

/**
 * Takes the skeleton of a rank in time linear in its dependencies. A node that is no communication is left out
 * where its p predecessors and s successors need no more edges without it (p × s ≤ p + s). Nodes that close a cycle
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
  const lists = new Map<number, Int32Array>();
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
      if (target >= 0) wait.add(stand[target], stand[target] === SEVERAL ? lists.get(target) : undefined);
    }
    if (useControl) {
      for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
        const target = controlTarget[edge];
        if (target >= 0) wait.add(stand[target], stand[target] === SEVERAL ? lists.get(target) : undefined);
      }
    }
    const count = wait.length;
    const left = successors[node];
    if (
      kindOf(type[node]) === SkeletonKind.relay &&
      stand[node] === UNKNOWN &&
      count * left <= count + left &&
      !alsoKeep(node)
    ) {
      if (count === 0) stand[node] = NOTHING;
      else if (count === 1) stand[node] = wait.node[0];
      else {
        stand[node] = SEVERAL;
        if (left > 0) lists.set(node, wait.node.slice(0, count));
      }
      continue;
    }
    stand[node] = node;
    if (edges + count > before.length) {
      const larger = new Int32Array(Math.max(edges + count, before.length * 2));
      larger.set(before);
      before = larger;
    }
    before.set(wait.node.subarray(0, count), edges);
    edges += count;
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

/** The sends and receives of a rank, in file order. */
export function transferColumns(trace: RankTrace): TransferColumns {
  const { length, type } = trace;
  let count = 0;
  for (let node = 0; node < length; node++) if (isTransfer(type[node])) count++;
  const kept = new Int32Array(count);
  count = 0;
  for (let node = 0; node < length; node++) if (isTransfer(type[node])) kept[count++] = node;
  return columnsOf(trace, kept);
}

/** Reads the columns of some nodes. */
function columnsOf(trace: RankTrace, node: Int32Array): TransferColumns {
  const kind = new Uint8Array(node.length);
  const idLow = new Uint32Array(node.length);
  const idHigh = new Uint32Array(node.length);
  const transfers = node.some((index) => isTransfer(trace.type[index])) ? node.length : 0;
  const peer = new Int32Array(transfers);
  const tag = new Float64Array(transfers);
  const bytes = new Float64Array(transfers);
  let high = 0;
  for (let place = 0; place < node.length; place++) {
    const index = node[place];
    kind[place] = kindOf(trace.type[index]);
    idLow[place] = trace.idLow[index];
    idHigh[place] = trace.idHigh[index];
    high |= idHigh[place];
    if (!isTransfer(trace.type[index])) continue;
    peer[place] = trace.peer[index];
    tag[place] = Number.isNaN(trace.commTag[index]) ? 0 : trace.commTag[index];
    bytes[place] = trace.commSize[index];
  }
  return {
    rank: trace.rank,
    node,
    kind,
    idLow,
    idHigh: high === 0 ? new Uint32Array(0) : idHigh,
    peer: narrowed(peer),
    tag: narrowed(tag),
    bytes: narrowed(bytes),
  };
}

/** Id of a node, as JSON has it. */
export function idOfPlace({ idLow, idHigh }: TransferColumns, place: number): number | string {
  return idForJson(idLow[place], idHigh.length === 0 ? 0 : idHigh[place]);
}

const keepsNoOther = (): boolean => false;

function kindOf(type: number): number {
  if (type === NodeType.send) return SkeletonKind.send;
  if (type === NodeType.receive) return SkeletonKind.receive;
  return type === NodeType.collective ? SkeletonKind.collective : SkeletonKind.relay;
}

function countTargets(targets: Int32Array, count: Uint32Array): void {
  for (let edge = 0; edge < targets.length; edge++) if (targets[edge] >= 0) count[targets[edge]]++;
}

/** The distinct kept nodes that one node waits for. */
class WaitList {
  length = 0;
  node = new Int32Array(64);
  readonly #takenBy: Int32Array; // [n] node + 1 that took it last
  #stamp = 0;

  constructor(nodes: number) {
    this.#takenBy = new Int32Array(nodes);
  }

  begin(node: number): void {
    this.length = 0;
    this.#stamp = node + 1;
  }

  /** @param list the nodes, where `standing` is SEVERAL */
  add(standing: number, list: Int32Array | undefined): void {
    if (standing >= 0) this.#take(standing);
    else if (list !== undefined) for (let at = 0; at < list.length; at++) this.#take(list[at]);
  }

  #take(node: number): void {
    if (this.#takenBy[node] === this.#stamp) return;
    this.#takenBy[node] = this.#stamp;
    if (this.length === this.node.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.node);
      this.node = larger;
    }
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
