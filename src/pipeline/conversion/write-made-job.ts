import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { counted } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import type { OutputFiles } from '../../base/output-files.js';
import type { MadeJob } from '../../formats/made-job.js';
import { groupFileBytes } from '../group-file.js';
import { deal, nextTurn, Workers } from '../workers.js';
import { writeMadeRank, type ConvertedRank, type MadeRanksJob } from './write-made-ranks.js';

/** Output from which another worker thread pays off, bytes. */
const BYTES_PER_THREAD = 8 << 20;

/** Tells the jobs of this process apart for its worker threads. */
let jobsSoFar = 0;

/** How the ranks of a made job are written. */
export interface MadeWriting extends Pick<MadeRanksJob, 'source' | 'to' | 'counted'> {
  /** Worker threads; as many as pay off when left out. */
  readonly threads?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Ranks to write, ascending; all when `only` is left out.
 * @throws PrepError `RANK_ABSENT`, `OUTPUT_AMBIGUOUS`
 */
export function chosenRanks(
  { rankCount }: MadeJob,
  { only, folder }: { readonly only?: readonly number[]; readonly folder?: string },
): readonly number[] {
  const absent = only?.find((rank) => rank >= rankCount);
  if (absent !== undefined)
    throw requestError('RANK_ABSENT', `--only ${absent}: the job has ${counted(rankCount, 'rank')}`);
  const ranks = only === undefined ? Array.from({ length: rankCount }, (_, rank) => rank) : [...only];
  if (folder === undefined && ranks.length !== 1) {
    const message = `-o - takes one rank, ${ranks.length} would be written`;
    throw requestError('OUTPUT_AMBIGUOUS', message, 'choose one with --only');
  }
  return ranks.sort((a, b) => a - b);
}

/** Writes ranks in this thread, and in others where that pays off. */
export async function writeMadeJob(
  { source, to, counted: isCounted, threads: asked, onProgress }: MadeWriting,
  made: MadeJob,
  outputs: readonly { readonly rank: number; readonly path?: string }[],
): Promise<ConvertedRank[]> {
  const written: ConvertedRank[] = [];
  const how = { to, counted: isCounted };
  const write = ({ rank, path }: (typeof outputs)[number]): void => {
    written.push(writeMadeRank(made, rank, how, path));
    onProgress?.(written.length, outputs.length);
  };
  const [first, ...others] = outputs;
  if (first === undefined) return [];
  write(first);
  const bytes = first.path === undefined ? 0 : statSync(first.path).size * others.length;
  const threads = Math.min(
    asked ?? Math.min(availableParallelism(), Math.floor(bytes / BYTES_PER_THREAD)),
    others.length,
  );
  if (threads <= 1) {
    for (const output of others) {
      write(output);
      await nextTurn();
    }
    return written;
  }
  const workers = new Workers(threads);
  try {
    const token = `${process.pid} ${jobsSoFar++}`;
    const parts = deal(
      others,
      others.map(() => 1),
      4 * threads,
    );
    const jobs = parts.map((ranks) => ({ token, source, ...how, ranks }));
    let done = 0;
    return [...written, ...(await workers.run('writeMade', jobs, () => onProgress?.(++done, jobs.length))).flat()];
  } finally {
    await workers.close();
  }
}

/** The groups of a made job beside its traces. @param name of the group file; absent for a form without one */
export function writeMadeGroups(files: OutputFiles | undefined, name: string | undefined, { groups }: MadeJob): void {
  if (files === undefined || name === undefined || groups.size === 0) return;
  files.write(name, (write) => write(groupFileBytes(groups)));
}
