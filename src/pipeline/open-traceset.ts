import { availableParallelism } from 'node:os';
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { finding } from '../base/catalogue.js';
import { requestError, traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { discoverTraceset } from '../formats/discover.js';
import type { Assumptions } from '../trace/assumptions.js';

/** What every command says about its input. */
export interface Reading {
  /** Folder, glob, prefix, list of files, or `-`. */
  readonly inputs: readonly string[];
  /** Where `-` is read from. */
  readonly stdin?: Readable;
  readonly deps: 'both' | 'data';
  /** Group file; the one found with the traces when left out. */
  readonly groups?: string;
  /** Conventions of the traces that are not the usual ones, such as `allgather-size=total` (docs/conventions.md). */
  readonly assume?: readonly string[];
  /** Worker threads; as many as pay off when left out. */
  readonly threads?: number;
  /** What was found before the traces are read, such as settings without effect; reported first. */
  readonly findings?: readonly Finding[];
  /** Number of ranks the caller expects (`NumOfChakraFiles`). */
  readonly rankCount?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** One rank's input: a file, or bytes that came through a pipe. */
export interface RankFile {
  readonly rank: number;
  readonly path: string;
  /** Bytes of the file as stored. */
  readonly size: number;
  readonly bytes?: Uint8Array;
  /** Conventions it is written in; the usual ones when left out. */
  readonly assumptions?: Assumptions;
}

/** The files of a traceset, ascending rank. */
export interface OpenTraceset {
  readonly prefix: string;
  readonly files: readonly RankFile[];
  readonly groupFile?: string;
  readonly findings: readonly Finding[];
  /** Conventions all files are written in, where they are not the usual ones. */
  readonly assumptions?: Assumptions;
  /** What was found about groups where these conventions needed them. */
  readonly groupFindings?: readonly Finding[];
}

/**
 * Finds the files of a traceset, or takes the one rank on stdin.
 * @throws PrepError when nothing is found, or the number of ranks is not the one expected
 */
export async function openTraceset(reading: Reading): Promise<OpenTraceset> {
  if (reading.inputs.length === 1 && reading.inputs[0] === '-') return fromPipe(reading);
  if (reading.inputs.includes('-')) {
    throw requestError('INPUT_MIXED', '- (one rank on stdin) cannot be combined with other inputs');
  }
  const found = await discoverTraceset(reading.inputs, reading.groups);
  const { groupFile } = found;
  demandRankCount(reading.rankCount, found.files.length);
  return {
    prefix: found.prefix,
    files: found.files.map(({ rank, path }) => ({ rank, path, size: statSync(path).size })),
    findings: [...(reading.findings ?? []), ...found.findings],
    ...(groupFile === undefined ? {} : { groupFile }),
  };
}

/** @throws PrepError with the findings where files are missing or doubled, so that passes over all ranks can rely on 0 … R−1 */
export function demandAllRanks(traceset: OpenTraceset): void {
  const broken = traceset.findings.filter(({ severity }) => severity === 'error');
  if (broken.length === 0) return;
  throw traceError('TRACESET_INCOMPLETE', 'the traceset does not have exactly one file a rank', broken);
}

/** Ranks of the job, those without a file below the largest among them. */
export function worldSizeOf({ files }: OpenTraceset): number {
  return 1 + files.reduce((largest, { rank }) => Math.max(largest, rank), 0);
}

/** Threads to use: as asked for; else one for every 8 MiB of input, at most one a processor. */
export function threadsFor(traceset: OpenTraceset, asked: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, Math.max(1, traceset.files.length));
  const bytes = traceset.files.reduce((sum, { size }) => sum + size, 0);
  return Math.max(1, Math.min(availableParallelism(), traceset.files.length, Math.floor(bytes / (8 << 20))));
}

function demandRankCount(expected: number | undefined, files: number): void {
  if (expected === undefined || expected === files) return;
  const has = files === 1 ? 'one file' : `${files} files`;
  throw requestError('RANK_COUNT', `NumOfChakraFiles is ${expected}, the traceset has ${has}`);
}

async function fromPipe({ stdin, groups, rankCount, findings = [] }: Reading): Promise<OpenTraceset> {
  demandRankCount(rankCount, 1);
  if (!stdin) throw requestError('STDIN_ABSENT', '- reads one rank from stdin, which is not there');
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Uint8Array);
  const bytes = Buffer.concat(chunks);
  return {
    prefix: 'stdin',
    files: [{ rank: 0, path: '-', size: bytes.length, bytes }],
    findings: [...findings, finding('RANK_ASSUMED', 'stdin is taken as rank 0 of a job of one rank', { rank: 0 })],
    ...(groups === undefined ? {} : { groupFile: groups }),
  };
}
