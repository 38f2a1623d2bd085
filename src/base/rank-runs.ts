/** Runs of ranks that are shown; what comes after them is cut. */
const RUNS_SHOWN = 12;

/** Ranks with neighbours as ranges, in the order given: `0–7, 9`; at most twelve parts. */
export function rankRuns(ranks: readonly number[]): string {
  const parts: string[] = [];
  for (let first = 0; first < ranks.length;) {
    let last = first;
    while (last + 1 < ranks.length && ranks[last + 1] === ranks[last] + 1) last++;
    parts.push(last > first + 1 ? `${ranks[first]}–${ranks[last]}` : ranks.slice(first, last + 1).join(', '));
    first = last + 1;
  }
  return parts.length > RUNS_SHOWN ? `${parts.slice(0, RUNS_SHOWN).join(', ')}, …` : parts.join(', ');
}

/** As {@link rankRuns}; five or more ranks at one distance become `0–28 by 4`. */
export function rankRunsByStride(ranks: readonly number[]): string {
  const stride = ranks[1] - ranks[0];
  const even = ranks.length >= 5 && stride > 1 && ranks.every((rank, place) => rank === ranks[0] + place * stride);
  return even ? `${ranks[0]}–${ranks[ranks.length - 1]} by ${stride}` : rankRuns(ranks);
}

/** `rank 3`, `ranks 0–7, 9`, as {@link rankRuns}. */
export function ranksText(ranks: readonly number[]): string {
  return `rank${ranks.length === 1 ? '' : 's'} ${rankRuns(ranks)}`;
}

/** `ranks 0, 1, 5`; long lists are shortened, for messages. */
export function rankList(ranks: readonly number[]): string {
  if (ranks.length === 0) return 'no ranks';
  const shown = ranks.length > 12 ? [...ranks.slice(0, 10), `… ${ranks.length} in all`] : ranks;
  return `rank${ranks.length === 1 ? '' : 's'} ${shown.join(', ')}`;
}
