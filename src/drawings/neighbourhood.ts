import type { RankTrace } from '../trace/rank-trace.js';

/** Which dependencies a picture has. */
export type DrawnDependencies = 'both' | 'data';

/** Which way dependencies are followed: to what a node waits for, or to what waits for it. */
export type Direction = 'before' | 'after' | 'either';

/**
 * The nodes that can be reached from some nodes over dependencies, those among them.
 * @param hops dependencies followed at most
 * @returns [n] 1 for each of them
 */
export function reached(
  trace: RankTrace,
  from: ArrayLike<number>,
  direction: Direction,
  hops: number,
  deps: DrawnDependencies,
): Uint8Array {
  const isReached = new Uint8Array(trace.length);
  const dependents = direction === 'before' ? undefined : dependentsOf(trace, deps);
  let border: number[] = [];
  const take = (node: number): void => {
    if (node < 0 || isReached[node] === 1) return;
    isReached[node] = 1;
    border.push(node);
  };
  for (let at = 0; at < from.length; at++) take(from[at]);
  for (let hop = 0; hop < hops && border.length > 0; hop++) {
    const last = border;
    border = [];
    for (const node of last) {
      if (direction !== 'after') forEachDependency(trace, node, deps, take);
      if (dependents === undefined) continue;
      for (let edge = dependents.start[node]; edge < dependents.start[node + 1]; edge++) take(dependents.target[edge]);
    }
  }
  return isReached;
}

/** Every dependency of a node: its index, below 0 for an id that no node has; data before control. */
export function forEachDependency(
  trace: RankTrace,
  node: number,
  deps: DrawnDependencies,
  visit: (dependency: number) => void,
): void {
  const { dataStart, dataTarget, controlStart, controlTarget } = trace;
  for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) visit(dataTarget[edge]);
  if (deps === 'data') return;
  for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) visit(controlTarget[edge]);
}

function dependentsOf(trace: RankTrace, deps: DrawnDependencies): { start: Uint32Array; target: Int32Array } {
  const { length } = trace;
  const start = new Uint32Array(length + 1);
  for (let node = 0; node < length; node++) {
    forEachDependency(trace, node, deps, (other) => {
      if (other >= 0) start[other + 1]++;
    });
  }
  for (let node = 0; node < length; node++) start[node + 1] += start[node];
  const target = new Int32Array(start[length]);
  const next = start.slice();
  for (let node = 0; node < length; node++) {
    forEachDependency(trace, node, deps, (other) => {
      if (other >= 0) target[next[other]++] = node;
    });
  }
  return { start, target };
}
