import { requestError } from '../base/errors.js';

/** Ranks that can be named in one range: no job has more, and a slip of the hand is not to fill the memory. */
const MOST_RANKS = 2 ** 20;

/**
 * Ranks of `0,4-7`, each once.
 * @param option for messages: `--only`
 * @throws PrepError `RANKS_MALFORMED`
 */
export function parseRanks(text: string, option: string): number[] {
  const ranks = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? match?.[1]);
    if (!(from <= to && to < from + MOST_RANKS && Number.isSafeInteger(to))) {
      throw requestError(
        'RANKS_MALFORMED',
        `${option} ${text}: expected ranks or ranges from the smaller to the larger, such as 3 or 0,4-7`,
      );
    }
    for (let rank = from; rank <= to; rank++) ranks.add(rank);
  }
  return [...ranks];
}
