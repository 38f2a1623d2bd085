import { INTEGERS, NEXT_READY, PEER } from './lane-record.js';

const NONE = -1;

/**
 * Puts a list of ready lanes in ascending peer rank (SU-9) and gives its first: merges ascending stretches, of which there are
 * few as a rule, until one is left.
 *
 * @param integers lane records
 * @param first of the list; there is one
 */
export function inPeerOrder(integers: Int32Array, first: number): number {
  for (;;) {
    let merged = NONE;
    let last = NONE;
    let stretches = 0;
    for (let rest = first; rest !== NONE; stretches++) {
      let left = rest;
      let right = cutStretch(integers, left);
      rest = right === NONE ? NONE : cutStretch(integers, right);
      while (left !== NONE || right !== NONE) {
        const takeLeft =
          right === NONE || (left !== NONE && integers[left * INTEGERS + PEER] < integers[right * INTEGERS + PEER]);
        const lane = takeLeft ? left : right;
        if (takeLeft) left = integers[lane * INTEGERS + NEXT_READY];
        else right = integers[lane * INTEGERS + NEXT_READY];
        if (last === NONE) merged = lane;
        else integers[last * INTEGERS + NEXT_READY] = lane;
        last = lane;
      }
    }
    if (stretches <= 1) return merged;
    first = merged;
  }
}

/** Ends the list after its first ascending stretch and gives what follows. */
function cutStretch(integers: Int32Array, first: number): number {
  for (let lane = first; ;) {
    const next = integers[lane * INTEGERS + NEXT_READY];
    if (next === NONE) return NONE;
    if (integers[next * INTEGERS + PEER] < integers[lane * INTEGERS + PEER]) {
      integers[lane * INTEGERS + NEXT_READY] = NONE;
      return next;
    }
    lane = next;
  }
}
