import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import type { Job } from '../../replay/job.js';
import type { ReplayOutcome } from '../../replay/outcome.js';
import { EventText } from './event-text.js';
import { flightCounters } from './flight-counters.js';
import { MOST_LANES, type LeftOut } from './lanes.js';
import { messageArrows } from './message-arrows.js';
import { writeRankSlices, type RankTransfers } from './rank-slices.js';
import { processMetadata } from './tracks.js';

/** How a timeline is drawn. */
export interface TimelineOptions {
  /** Ranks to draw, ascending; all where it is left out. */
  readonly ranks?: readonly number[];
}

/**
 * Writes a run in the trace event format of Chrome, which Perfetto, speedscope and chrome://tracing open: a process a rank; on
 * it threads for the shares of collectives, NPU, CPU, memory, sends and receives, more than one where nodes overlap, because
 * slices of a thread must not; an arrow a message; counters of bytes in flight. Times are µs with ps behind the point. A node that
 * did not finish lasts until the last thing happened in the run and says `unfinished`.
 *
 * @param outcome of a run whose collectives were expanded and that kept its transfers
 * @param job the traces as they were replayed, asked for once each
 * @returns what the picture does not show
 * @throws PrepError `TRANSFERS_NOT_RECORDED`
 */
export function writeTimeline(
  outcome: ReplayOutcome,
  job: Pick<Job, 'withTrace'>,
  options: TimelineOptions,
  write: (bytes: Uint8Array) => void,
): Finding[] {
  const { transferLog: log, ranks: all, stall } = outcome;
  if (log === undefined) {
    throw requestError('TRANSFERS_NOT_RECORDED', 'a timeline needs a run that kept its transfers (recordTransfers)');
  }
  const drawn = options.ranks ?? all.map(({ rank }) => rank);
  const out = new EventText(write, '{"displayTimeUnit":"ns","traceEvents":[');
  const leftOut: LeftOut = { overlapping: 0, notStarted: 0, arrows: 0 };
  const jobProcess = all.length;
  out.add(processMetadata(jobProcess, 0, 'process_name', '"name":"job"'));
  out.add(processMetadata(jobProcess, 0, 'process_sort_index', '"sort_index":-1'));
  const transfers = new Array<RankTransfers | undefined>(all.length);
  for (const rank of drawn) {
    job.withTrace(rank, (trace) => {
      transfers[rank] = writeRankSlices(trace, outcome.nodeTimes(rank), outcome, out, leftOut);
    });
  }
  messageArrows(log, transfers, out, leftOut);
  flightCounters(log, drawn, jobProcess, outcome.stopPs, out);
  const facts = { status: outcome.status, network: outcome.network, ...(stall === null ? {} : { stall: stall.lines }) };
  out.finish(`\n],"otherData":${JSON.stringify(facts)}}\n`);
  return notShown(leftOut, all.length - drawn.length);
}

function notShown({ overlapping, notStarted, arrows }: LeftOut, ranks: number): Finding[] {
  const parts: string[] = [];
  if (ranks > 0) parts.push(`${counted(ranks, 'rank')} not asked for`);
  if (notStarted > 0) parts.push(`${counted(notStarted, 'node')} that the run did not come to`);
  if (overlapping > 0) {
    parts.push(`${counted(overlapping, 'node')} that overlap more than ${MOST_LANES} others on their track`);
  }
  if (arrows > 0) parts.push(`${counted(arrows, 'arrow')} of messages without two ends in the picture`);
  if (parts.length === 0) return [];
  const message = `the timeline does not show ${parts.join(', ')}`;
  return [finding('TIMELINE_LEFT_OUT', message, { ranks, notStarted, overlapping, arrows })];
}
