import { ranksText } from '../../base/rank-runs.js';

/**
 * What a chunk holds: the contributions that were added up to it, ascending, each once. `undefined` for nothing that is known;
 * {@link SPOILED} where an error was told already.
 */
export type Contents = Int32Array | undefined;

/** Stands for contents behind an error, which are of no interest any more. */
export const SPOILED = new Int32Array(0);

/** Both added up; the first contribution that would count twice where there is one. */
export function addedUp(left: Int32Array, right: Int32Array): Int32Array | { readonly twice: number } {
  const sum = new Int32Array(left.length + right.length);
  let l = 0;
  let r = 0;
  for (let place = 0; place < sum.length; place++) {
    if (r === right.length || (l < left.length && left[l] < right[r])) sum[place] = left[l++];
    else if (l < left.length && left[l] === right[r]) return { twice: left[l] };
    else sum[place] = right[r++];
  }
  return sum;
}

export function sameContents(left: Contents, right: Int32Array): boolean {
  return left !== undefined && left.length === right.length && left.every((value, place) => value === right[place]);
}

/** `chunk 2 of ranks 0–3`, for messages; positions of the group are ranks. @param chunks of the larger buffer */
export function contentsText(contents: Contents, chunks: number): string {
  if (contents === undefined) return 'nothing';
  const ranksOf = new Map<number, number[]>();
  for (const contribution of contents) {
    const chunk = contribution % chunks;
    const rank = Math.floor(contribution / chunks);
    const ranks = ranksOf.get(chunk);
    if (ranks === undefined) ranksOf.set(chunk, [rank]);
    else ranks.push(rank);
  }
  const parts = [...ranksOf].map(([chunk, ranks]) => `chunk ${chunk} of ${ranksText(ranks)}`);
  const shown = parts.slice(0, 3).join(' and ');
  return parts.length > 3 ? `${shown} and ${parts.length - 3} more` : shown;
}
