import { MAX_EXACT } from '../base/units.js';

/** A time of a future event, ps. Times beyond what is exact are all the same: a run ends before them. */
export function beforeEndOfTime(timePs: number): number {
  return timePs > MAX_EXACT ? MAX_EXACT + 1 : timePs;
}
