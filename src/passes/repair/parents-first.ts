import { everyTargetEarlier, findCyclicComponents, type CyclicComponents } from '../../trace/cycles.js';
import type { RankTrace } from '../../trace/rank-trace.js';

/** An order of a rank's nodes in which dependencies come before what depends on them. */
export interface ParentsFirst {
  /** Node index by new place; absent where the order of the file is such a one. */
  readonly order?: Int32Array;
  /** New places of the nodes that were drawn forward, ascending; the others keep their order. */
  readonly drawn: readonly number[];
  /** What depends on itself in a circle: these nodes keep the order of the file among themselves. */
  readonly cycles?: CyclicComponents;
}

/**
 * The order of the file, but that a node draws what it depends on and is not written yet forward to the place before it, in
 * the order of the file where several are drawn. Dependencies of both kinds count. Time and memory are linear in nodes
 * and dependencies, but for sorting what one node draws.
 */
export function parentsFirst(trace: RankTrace): ParentsFirst {
  if (everyTargetEarlier(trace, 'both')) return { drawn: [] };
  const { length } = trace;
  const cycles = findCyclicComponents(trace, 'both');
  const awaited = new AwaitedNodes(trace, cycles);
  const order = new Int32Array(length);
  const drawn: number[] = [];
  const seen = new Uint8Array(length); // whether what the node waits for was put on the path
  const written = new Uint8Array(length);
  const path: number[] = [];
  let place = 0;
  for (let start = 0; start < length; start++) {
    if (written[start] === 1) continue;
    path.push(start);
    while (path.length > 0) {
      const node = path[path.length - 1];
      if (written[node] === 0 && seen[node] === 0) {
        seen[node] = 1;
        awaited.push(node, written, path);
        continue;
      }
      path.pop();
      // Two nodes may have drawn it.
      if (written[node] === 1) continue;
      written[node] = 1;
      if (node !== start) drawn.push(place);
      order[place++] = node;
    }
  }
  return { ...(drawn.length === 0 ? {} : { order }), drawn, ...(cycles.count === 0 ? {} : { cycles }) };
}

/**
 * What a node has to come behind. Within a cyclic component that is the member before it in the file and no other: it
 * closes no circle through nodes outside, since those would be members too.
 */
class AwaitedNodes {
  readonly #trace: RankTrace;
  readonly #componentOf: Int32Array; // [n], or empty where there is none
  readonly #memberBefore: Int32Array; // [n] −1 for none, or empty

  constructor(trace: RankTrace, { count, componentOf, memberStart, member }: CyclicComponents) {
    this.#trace = trace;
    this.#componentOf = componentOf;
    this.#memberBefore = new Int32Array(componentOf.length).fill(-1);
    for (let component = 0; component < count; component++) {
      for (let place = memberStart[component] + 1; place < memberStart[component + 1]; place++) {
        this.#memberBefore[member[place]] = member[place - 1];
      }
    }
  }

  /** Puts those that are not written on the path, the first in the file last. */
  push(node: number, written: Uint8Array, path: number[]): void {
    const { dataStart, dataTarget, controlStart, controlTarget } = this.#trace;
    const bottom = path.length;
    for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
      if (this.#counts(node, dataTarget[edge]) && written[dataTarget[edge]] === 0) path.push(dataTarget[edge]);
    }
    for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
      if (this.#counts(node, controlTarget[edge]) && written[controlTarget[edge]] === 0) path.push(controlTarget[edge]);
    }
    const before = this.#memberBefore.length === 0 ? -1 : this.#memberBefore[node];
    if (before >= 0 && written[before] === 0) path.push(before);
    if (path.length - bottom < 2) return;
    const awaited = path.splice(bottom).sort((left, right) => right - left);
    for (const one of awaited) path.push(one);
  }

  #counts(node: number, target: number): boolean {
    const components = this.#componentOf;
    if (target < 0) return false;
    return components.length === 0 || components[node] < 0 || components[node] !== components[target];
  }
}
