import { MemorySource, type ByteSource } from '../../base/byte-source.js';
import type { ReadableJob } from '../../formats/conversion.js';
import { readChakraEt } from '../../formats/et/decode.js';
import type { MadeJob } from '../../formats/made-job.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import type { RankFile } from '../open-traceset.js';
import { openRank } from '../read-rank.js';
import { addNodes, type RankTally } from './rank-tally.js';
import { madeEt } from './write-made-ranks.js';

/** Ranks kept open: a target that pairs messages asks for the ranks at both ends in turn. */
const KEPT_OPEN = 4;

interface OpenRank {
  readonly rank: number;
  readonly trace: RankTrace;
  readonly source: ByteSource;
}

/** The ranks of a traceset or of a made job, for a target that holds a whole job. */
export class OpenedJob implements ReadableJob {
  readonly prefix: string;
  readonly rankCount: number;
  readonly groups: ReadonlyMap<string, readonly number[]>;
  /** Nodes of the ranks that were asked for. */
  readonly kinds: RankTally = {};
  readonly #counted = new Set<number>();
  readonly #read: (rank: number) => OpenRank;
  /** Asked for last first. */
  readonly #open: OpenRank[] = [];

  constructor(job: Omit<ReadableJob, 'withRank'>, read: (rank: number) => OpenRank) {
    this.prefix = job.prefix;
    this.rankCount = job.rankCount;
    this.groups = job.groups;
    this.#read = read;
  }

  withRank<T>(rank: number, use: (trace: RankTrace) => T): T {
    if (!(rank >= 0 && rank < this.rankCount)) throw new RangeError(`rank ${rank} of ${this.rankCount}`);
    const at = this.#open.findIndex((open) => open.rank === rank);
    const found = at < 0 ? this.#read(rank) : this.#open.splice(at, 1)[0];
    // A trace in use further out can lose its place here: its source opens again when it is read.
    while (this.#open.length >= KEPT_OPEN) this.#open.pop()!.source.close();
    this.#open.unshift(found);
    if (!this.#counted.has(rank)) {
      this.#counted.add(rank);
      addNodes(this.kinds, found.trace);
    }
    return use(found.trace);
  }

  close(): void {
    for (const { source } of this.#open.splice(0)) source.close();
  }
}

/** Reads the ranks of a traceset, whose files are in the order of ranks 0, 1, … */
export function readsFiles(files: readonly RankFile[]): (rank: number) => OpenRank {
  return (rank) => {
    const { read, source } = openRank(files[rank]);
    return { rank, trace: read.trace, source };
  };
}

/** Makes the ranks of a job in memory. */
export function readsMade(job: MadeJob): (rank: number) => OpenRank {
  return (rank) => {
    const where = { rank, file: `${job.prefix}.${rank}` };
    const source = new MemorySource(madeEt(job, rank), where.file);
    return { rank, trace: readChakraEt(source, where).trace, source };
  };
}
