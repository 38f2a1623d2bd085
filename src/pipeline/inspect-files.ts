import { existsSync, statSync } from 'node:fs';
import { EXIT, PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { inspectTraceset, type TracesetFacts } from '../passes/inspect-traceset.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { assumed } from './assume.js';
import type { FileReport, InspectedFile } from './inspect-file.js';
import { openTraceset, threadsFor, type OpenTraceset, type RankFile, type Reading } from './open-traceset.js';
import { Workers } from './workers.js';

/** Why discovery refuses files that are fit to be inspected one by one. */
const NOT_ONE_TRACESET: ReadonlySet<string> = new Set(['WRONG_KIND', 'NO_TRACES', 'PREFIXES_MIXED', 'RANK_UNNAMED']);

export interface Inspection {
  /** Facts by path as given. */
  readonly files: Readonly<Record<string, FileReport>>;
  /** Facts over all ranks; absent for a single file. */
  readonly traceset?: TracesetFacts;
  readonly findings: readonly Finding[];
}

/**
 * The facts of every file of a traceset and of the traceset. A file that cannot be read is reported beside the others;
 * any file of a recognised kind has facts when it is named alone.
 * @throws PrepError when nothing is found
 */
export async function inspectFiles(reading: Reading): Promise<Inspection> {
  const opened = await assumed(await openAnything(reading), reading);
  const inspected = await inspectAll(opened.files, threadsFor(opened, reading.threads), reading.onProgress);
  if (inspected.every(({ facts }) => facts.format === 'error')) {
    const [{ findings }] = inspected;
    const [{ code, message, advice }, ...rest] = findings;
    throw new PrepError(code, EXIT.inputUnreadable, message, { advice, findings: rest });
  }
  const surveys = inspected.flatMap(({ survey }) => (survey === undefined ? [] : [survey]));
  return {
    files: Object.fromEntries(inspected.map(({ path, facts }) => [path, facts])),
    ...(surveys.length > 1 ? { traceset: inspectTraceset(surveys) } : {}),
    findings: foldAssumptions(
      [...opened.findings, ...inspected.flatMap(({ findings }) => findings)],
      opened.assumptions,
    ),
  };
}

/** Files that are no traces, or not of one traceset, can be inspected when each is named. */
async function openAnything(reading: Reading): Promise<OpenTraceset> {
  try {
    return await openTraceset(reading);
  } catch (error) {
    const named = reading.inputs.every((path) => path !== '-' && existsSync(path) && statSync(path).isFile());
    if (!named || !(error instanceof PrepError) || !NOT_ONE_TRACESET.has(error.code)) throw error;
    const files = reading.inputs.map((path, rank) => ({ rank, path, size: statSync(path).size }));
    return { prefix: '', files, findings: reading.findings ?? [] };
  }
}

async function inspectAll(
  files: readonly RankFile[],
  threads: number,
  onProgress: Reading['onProgress'],
): Promise<InspectedFile[]> {
  const workers = new Workers(threads);
  let done = 0;
  try {
    return await workers.run(
      'inspect',
      files.map((file) => ({ file })),
      () => onProgress?.(++done, files.length),
    );
  } finally {
    await workers.close();
  }
}
