import { basename, dirname } from 'node:path';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { writeTimeline, type TimelineOptions } from '../records/timeline/timeline.js';
import type { Job } from '../replay/job.js';
import type { ReplayOutcome } from '../replay/outcome.js';

/** The file of a run's timeline: under a temporary name until the run is done. */
export class TimelineFile {
  readonly #files: OutputFiles;
  readonly #name: string;
  readonly #options: TimelineOptions;

  /** @throws PrepError `RANK_ABSENT` for a rank that the job does not have */
  constructor({ file, ...options }: TimelineOptions & { readonly file: string }, rankCount: number) {
    const missing = options.ranks?.find((rank) => rank >= rankCount);
    if (missing !== undefined) {
      throw requestError('RANK_ABSENT', `--timeline-ranks ${missing}: the traceset has no such rank`);
    }
    this.#files = new OutputFiles(dirname(file));
    this.#name = basename(file);
    this.#options = options;
  }

  prepare(): void {
    this.#files.prepare();
  }

  /** Writes the picture and says what it does not show. */
  write(outcome: ReplayOutcome, job: Pick<Job, 'withTrace'>): Finding[] {
    let findings: Finding[] = [];
    this.#files.write(this.#name, (write) => {
      findings = writeTimeline(outcome, job, this.#options, write);
    });
    return findings;
  }

  commit(): void {
    this.#files.commit();
  }

  discard(): void {
    this.#files.discard();
  }
}
