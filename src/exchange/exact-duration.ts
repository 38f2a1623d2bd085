import { roundHalfUp } from '../base/units.js';
import type { RankTrace } from '../trace/rank-trace.js';

const NANOSECONDS_PER_MICRO = 1000;

/**
 * Duration of a node, ns: the exact one where the trace has it and it still is the duration; a pass may have scaled that.
 * @param exact its attribute `duration_ns`, NaN where it has none
 */
export function nanosecondsOf({ durationMicros }: RankTrace, node: number, exact: number): number {
  const isCurrent = exact >= 0 && roundHalfUp(exact / NANOSECONDS_PER_MICRO) === durationMicros[node];
  return isCurrent ? exact : NANOSECONDS_PER_MICRO * durationMicros[node];
}
