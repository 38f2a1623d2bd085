import type { ByteSource } from '../base/byte-source.js';
import { prepareRank } from '../passes/prepare.js';
import type { PreparationPlan } from '../passes/preparation-plan.js';
import type { Job } from '../replay/job.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { RankFile } from './open-traceset.js';
import { openRank } from './read-rank.js';

/** Ranks kept open: a message often names a sender and a receiver in turn. */
const KEPT_OPEN = 2;

interface OpenRank {
  readonly rank: number;
  readonly trace: RankTrace;
  readonly source: ByteSource;
}

/** The files of a traceset as the ranks of a replay; passes are applied to a rank each time it is opened. */
export class TracesetJob implements Job {
  readonly #files: readonly RankFile[];
  readonly #plan: PreparationPlan | undefined;
  /** Opened last first. */
  readonly #open: OpenRank[] = [];
  #keepsOpen = true;

  constructor(files: readonly RankFile[], plan?: PreparationPlan) {
    this.#files = files;
    this.#plan = plan;
  }

  get rankCount(): number {
    return this.#files.length;
  }

  /** Whether no pass is applied. */
  get isAsRead(): boolean {
    return this.#plan === undefined;
  }

  size(rank: number): number {
    return this.#files[rank].size;
  }

  withTrace<T>(rank: number, use: (trace: RankTrace) => T): T {
    const at = this.#open.findIndex((open) => open.rank === rank);
    const found = at < 0 ? this.#read(rank) : this.#open.splice(at, 1)[0];
    if (!this.#keepsOpen) {
      try {
        return use(found.trace);
      } finally {
        found.source.close();
      }
    }
    while (this.#open.length >= KEPT_OPEN) this.#open.pop()!.source.close();
    this.#open.unshift(found);
    return use(found.trace);
  }

  /** Closes what is open. Ranks can still be asked for; each is opened and closed then. */
  close(): void {
    this.#keepsOpen = false;
    for (const { source } of this.#open.splice(0)) source.close();
  }

  #read(rank: number): OpenRank {
    const { read, source } = openRank(this.#files[rank]);
    try {
      const trace = this.#plan === undefined ? read.trace : prepareRank(read.trace, this.#plan).trace;
      return { rank, trace, source };
    } catch (error) {
      source.close();
      throw error;
    }
  }
}
