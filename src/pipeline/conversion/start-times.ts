import { simulateOpened } from '../simulate-traceset.js';
import type { OpenTraceset, Reading } from '../open-traceset.js';
import type { ConversionRequest } from './conversion-request.js';
import type { Finding } from '../../base/finding.js';

/** Ranks whose times are kept: the log of a run gives them a rank at a time. */
const KEPT_RANKS = 4;

/** When nodes start in a replay of the traceset. */
export interface StartTimes {
  /** ns; NaN for a node that the run did not get to. `node` is the index in the rank's trace. */
  readonly startNs: (rank: number, node: number) => number;
  readonly findings: readonly Finding[];
}

/** Replays a traceset as it is, no pass applied, for the times at which its nodes start. */
export function startTimes(
  reading: Reading,
  timedBy: NonNullable<ConversionRequest['timedBy']>,
  opened: OpenTraceset,
): StartTimes {
  const { outcome, findings } = simulateOpened({ ...reading, ...timedBy }, opened);
  const kept = new Map<number, Float64Array>();
  return {
    findings,
    startNs: (rank, node) => {
      let start = kept.get(rank);
      if (start === undefined) {
        start = outcome.nodeTimes(rank).start;
        if (kept.size >= KEPT_RANKS) kept.delete(kept.keys().next().value!);
        kept.set(rank, start);
      }
      return start[node] / 1000;
    },
  };
}

/** What a replay found and reading did not say already. */
export function unsaid(findings: readonly Finding[], said: readonly Finding[]): Finding[] {
  const known = new Set(said.map(({ code, rank, message }) => `${code} ${rank} ${message}`));
  return findings.filter(({ code, rank, message }) => !known.has(`${code} ${rank} ${message}`));
}
