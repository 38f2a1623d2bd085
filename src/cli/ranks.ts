import { requestError } from '../base/errors.js';

/**
 * Ranks of `0,4-7`.
 * @param option for messages: `--only`
 * @throws PrepError `RANKS_MALFORMED`
 */
export function parseRanks(text: string, option: string): number[] {
  const ranks = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
    if (!match) throw requestError('RANKS_MALFORMED', `${option} ${text}: expected ranks such as 3 or 0,4-7`);
    for (let rank = Number(match[1]); rank <= Number(match[2] ?? match[1]); rank++) ranks.add(rank);
  }
  return [...ranks];
}
