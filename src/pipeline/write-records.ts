import { join } from 'node:path';
import type { OutputFiles } from '../base/output-files.js';
import { NO_STOPWATCH, type Stopwatch } from '../base/stopwatch.js';
import { writePostAnnotated } from '../formats/post-annotated.js';
import { postAnnotatedPath } from '../records/chakra-completion-stats.js';
import { demandMostRows } from '../records/most-rows.js';
import { writeProfile } from '../records/profiling.js';
import { RECORDS, recordFileName, writeRecord, type RecordFormat } from '../records/records.js';
import type { RunFacts } from '../records/run-facts.js';
import type { Job } from '../replay/job.js';
import type { ReplayOutcome } from '../replay/outcome.js';
import type { RankTrace } from '../trace/rank-trace.js';

export interface RecordsOfRun {
  /** In the names of the tables: `<run>-<record>-0.csv`. */
  readonly run: string;
  readonly format: RecordFormat;
  /** Of a run whose collectives were expanded and that kept its transfers. */
  readonly outcome: ReplayOutcome;
  readonly facts: RunFacts;
  /** The traces as they were replayed; asked for once each, by rank. */
  readonly job: Pick<Job, 'withTrace'>;
  /** Told how long each file takes. */
  readonly stopwatch?: Stopwatch;
  /** Undefined for no profiles. */
  readonly profilingIntervalPs?: number;
}

/** Where the profile of a rank is, below the folder of the records. */
export function profilePath(prefix: string, rank: number): string {
  return `profiling/${prefix}.${rank}.txt`;
}

/**
 * Writes everything a run leaves behind: the tables, the annotated traces and, where an interval is given, the profiles. The
 * files wait for `files.commit()`.
 *
 * @param files prepared
 * @throws PrepError `RECORD_TOO_LARGE`, `TRANSFERS_NOT_RECORDED`, `OUTPUT_UNWRITABLE`
 */
export function writeRecords(files: OutputFiles, records: RecordsOfRun): void {
  const { run, format, outcome, facts } = records;
  demandMostRows(outcome, facts, records.profilingIntervalPs);
  for (const table of RECORDS) {
    if (!table.applies(outcome, facts)) continue;
    timed(files, records, recordFileName(run, table, format), (write) =>
      writeRecord(table, format, outcome, facts, write),
    );
  }
  files.prepareBelow('post_annotated');
  if (records.profilingIntervalPs !== undefined) files.prepareBelow('profiling');
  for (const { rank } of outcome.ranks) records.job.withTrace(rank, (trace) => writeRank(files, records, trace));
}

/** Writes a file; tells the stopwatch of its time and its bytes. */
function timed(
  files: OutputFiles,
  { stopwatch = NO_STOPWATCH }: RecordsOfRun,
  name: string,
  fill: Parameters<OutputFiles['write']>[1],
): void {
  const span = stopwatch.begin('write', name, join(files.folder, name));
  let written = 0;
  files.write(name, (write) =>
    fill((bytes) => {
      written += bytes.length;
      write(bytes);
    }),
  );
  stopwatch.end(span, written);
}

function writeRank(files: OutputFiles, records: RecordsOfRun, trace: RankTrace): void {
  const { outcome, facts, profilingIntervalPs } = records;
  const { prefix, wallClock } = facts;
  const { rank } = trace;
  const times = outcome.nodeTimes(rank);
  const wallMicros = wallClock === undefined ? undefined : (wallClock.nowMs() - wallClock.startedMs) * 1000;
  timed(files, records, postAnnotatedPath(prefix, rank), (write) =>
    writePostAnnotated(trace, times, (text) => write(Buffer.from(text)), wallMicros),
  );
  if (profilingIntervalPs === undefined) return;
  const { startPs, simulationEndPs, ranks } = outcome;
  const { ended, endPs } = ranks[rank];
  const when = {
    startPs,
    intervalPs: profilingIntervalPs,
    endPs: ended ? endPs : undefined,
    simulationEndPs,
  };
  timed(files, records, profilePath(prefix, rank), (write) =>
    writeProfile(trace, times, when, (text) => write(Buffer.from(text))),
  );
}
