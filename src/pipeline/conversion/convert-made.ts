import { existsSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../base/counts.js';
import { requestError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { Losses } from '../../base/losses.js';
import type { OutputFiles } from '../../base/output-files.js';
import type { JobTarget } from '../../formats/conversion.js';
import { FORMATS } from '../../formats/detect.js';
import type { MadeJob } from '../../formats/made-job.js';
import { demandNoErrors } from '../demand-no-errors.js';
import { GROUP_FILE, groupFileBytes } from '../group-file.js';
import type { OpenTraceset } from '../open-traceset.js';
import { NOTHING_WRITTEN } from '../preparation-request.js';
import { deal, nextTurn, Workers } from '../workers.js';
import type { JobFile } from './conversion-input.js';
import type { ConversionReport, ConversionRequest } from './conversion-request.js';
import { onlyRefused, withOutput } from './convert-files.js';
import { openMadeJob, type MadeFile } from './made-file.js';
import { titleOf, type OutputForm } from './output-form.js';
import { addTally, type RankTally } from './rank-tally.js';
import { OpenedJob, readsMade } from './readable-job.js';
import { startTimes, unsaid } from './start-times.js';
import { WrittenFiles } from './target-files.js';
import { madeEt, writeMadeRank, type ConvertedRank } from './write-made-ranks.js';

/** Output from which another worker thread pays off, bytes. */
const BYTES_PER_THREAD = 8 << 20;

/** Tells the conversions of this process apart for its worker threads. */
let conversions = 0;

/**
 * Writes a file that holds a whole job as traces of all ranks, or in a form that holds a rank a file. Ranks go straight
 * to their files.
 * @throws PrepError when the file cannot be read or does not say enough; the request is wrong
 */
export async function convertMadeToRanks(
  request: ConversionRequest,
  input: JobFile,
  form: Exclude<OutputForm, { kind: 'job' }>,
): Promise<ConversionReport> {
  const file = madeFile(request, input);
  const made = openMadeJob(file, input.form);
  const { folder, findings: before = [] } = request;
  const ranks = chosenRanks(made, request);
  const nameOf = (rank: number): string =>
    form.kind === 'trace' ? `${made.prefix}.${rank}.${form.format}` : form.target.fileName(made.prefix, rank);
  const groupFile = form.kind === 'trace' ? GROUP_FILE : form.target.groupFileName?.(made.prefix);
  refuseInput(input, folder, [...ranks.map(nameOf), ...(groupFile === undefined ? [] : [groupFile])]);
  const findings = [...before, ...made.findings];
  demandNoErrors(findings, request, NOTHING_WRITTEN);
  return withOutput(folder, async (files) => {
    const outputs = ranks.map((rank) => ({ rank, ...(files && { path: files.expect(nameOf(rank)) }) }));
    const written = await writeAll(request, file, made, outputs);
    const losses = new Losses();
    for (const rank of written) losses.addAll(rank.losses);
    findings.push(...losses.findings(titleOf(form)));
    demandNoErrors(findings, request, NOTHING_WRITTEN);
    writeGroups(files, groupFile, made);
    const kinds = written.map((rank) => rank.kinds);
    return report(input, ranks.length, kinds, { findings, files: files && ranks.map(nameOf) }, written[0]?.bytes);
  });
}

/**
 * Writes a file that holds a whole job in another such form.
 * @throws PrepError as above, and what that form throws
 */
export async function convertMadeToJob(
  request: ConversionRequest,
  input: JobFile,
  target: JobTarget,
): Promise<ConversionReport> {
  if (request.only !== undefined) throw onlyRefused(target);
  const made = openMadeJob(madeFile(request, input), input.form);
  const { folder, options, timedBy, findings: before = [] } = request;
  const findings = [...before, ...made.findings];
  demandNoErrors(findings, request, NOTHING_WRITTEN);
  const times = timedBy === undefined ? undefined : startTimes(request, timedBy, inMemory(made));
  findings.push(...unsaid(times?.findings ?? [], findings));
  const job = new OpenedJob(made, readsMade(made));
  return withOutput(folder, (files) => {
    const written = new WrittenFiles(files);
    const losses = new Losses();
    const said = target.write(job, written, { ...options, ...(times && { startNs: times.startNs }) }, losses);
    findings.push(...said, ...losses.findings(target.title));
    demandNoErrors(findings, request, NOTHING_WRITTEN);
    refuseInput(input, folder, written.names);
    const kinds = [job.kinds];
    return report(input, made.rankCount, kinds, { findings, files: files && written.names }, written.bytes);
  });
}

function madeFile({ options, groups, assume }: ConversionRequest, { form, path, bytes }: JobFile): MadeFile {
  const ofTracesets = groups === undefined ? (assume === undefined ? undefined : '--assume') : '--groups';
  if (ofTracesets !== undefined) {
    const message = `${ofTracesets}: is for tracesets, and ${path} is ${FORMATS[form.format].name}`;
    throw requestError('OPTION_NOT_TAKEN', message);
  }
  return { format: form.format, path, options, ...(bytes === undefined ? {} : { bytes }) };
}

/** @throws PrepError `RANK_ABSENT`, `OUTPUT_AMBIGUOUS` */
function chosenRanks({ rankCount }: MadeJob, { only, folder }: ConversionRequest): readonly number[] {
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

/** @throws PrepError `OUTPUT_IS_INPUT` where a file that is written would take the place of the one that is read */
function refuseInput({ path }: JobFile, folder: string | undefined, names: readonly string[]): void {
  if (folder === undefined || path === '-') return;
  const input = realpathSync(path);
  const over = names.map((name) => join(folder, name)).find((file) => existsSync(file) && realpathSync(file) === input);
  if (over === undefined) return;
  throw requestError('OUTPUT_IS_INPUT', `${over}: is the input, and would be written`, 'name another folder with -o');
}

/** Writes ranks in this thread, and in others where that pays off. */
async function writeAll(
  { to, threads: asked, onProgress }: ConversionRequest,
  file: MadeFile,
  made: MadeJob,
  outputs: readonly { readonly rank: number; readonly path?: string }[],
): Promise<ConvertedRank[]> {
  const written: ConvertedRank[] = [];
  const write = ({ rank, path }: (typeof outputs)[number]): void => {
    written.push(writeMadeRank(made, rank, to, path));
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
    const token = `${process.pid} ${conversions++}`;
    const parts = deal(
      others,
      others.map(() => 1),
      4 * threads,
    );
    const jobs = parts.map((ranks) => ({ token, file, to, ranks }));
    let done = 0;
    return [...written, ...(await workers.run('writeMade', jobs, () => onProgress?.(++done, jobs.length))).flat()];
  } finally {
    await workers.close();
  }
}

function writeGroups(files: OutputFiles | undefined, name: string | undefined, { groups }: MadeJob): void {
  if (files === undefined || name === undefined || groups.size === 0) return;
  files.write(name, (write) => write(groupFileBytes(groups)));
}

/** All ranks as a traceset, for a replay before they are converted. */
function inMemory(made: MadeJob): OpenTraceset {
  const files = Array.from({ length: made.rankCount }, (_, rank) => {
    const bytes = madeEt(made, rank);
    return { rank, path: `${made.prefix}.${rank}.et`, size: bytes.length, bytes };
  });
  return { prefix: made.prefix, files, findings: made.findings };
}

function report(
  { form }: JobFile,
  ranks: number,
  tallies: readonly RankTally[],
  { findings, files = [] }: { readonly findings: readonly Finding[]; readonly files: readonly string[] | undefined },
  output: Uint8Array | undefined,
): ConversionReport {
  const kinds: RankTally = {};
  for (const tally of tallies) addTally(kinds, tally);
  return { from: form.format, ranks, kinds, findings, files, ...(output === undefined ? {} : { output }) };
}
