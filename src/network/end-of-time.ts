import { MAX_EXACT } from '../base/units.js';

/** A time of a future event, or a delay, whole ps or ns. Those beyond what is exact are all the same: a run ends before them. */
export function beforeEndOfTime(time: number): number {
  return time > MAX_EXACT ? MAX_EXACT + 1 : time;
}
