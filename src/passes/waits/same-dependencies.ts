import type { RankTrace } from '../../trace/rank-trace.js';
import type { DependencyMode } from '../rank-skeleton.js';

/** Whether two nodes name the same dependencies in the same order: they become ready in one instant then. */
export function sameDependencies(trace: RankTrace, deps: DependencyMode, left: number, right: number): boolean {
  const { dataStart, dataTarget, controlStart, controlTarget } = trace;
  return (
    sameList(dataStart, dataTarget, left, right) &&
    (deps === 'data' || sameList(controlStart, controlTarget, left, right))
  );
}

function sameList(start: Uint32Array, target: Int32Array, left: number, right: number): boolean {
  const length = start[left + 1] - start[left];
  if (start[right + 1] - start[right] !== length) return false;
  for (let edge = 0; edge < length; edge++) {
    if (target[start[left] + edge] !== target[start[right] + edge]) return false;
  }
  return true;
}
