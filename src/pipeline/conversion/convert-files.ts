import type { Finding } from '../../base/finding.js';
import { Losses } from '../../base/losses.js';
import { OutputFiles } from '../../base/output-files.js';
import type { JobTarget, RankTarget } from '../../formats/conversion.js';
import { storedFile } from '../../formats/open-source.js';
import { foldAssumptions } from '../../trace/assumption-findings.js';
import type { GroupDeclaration } from '../../trace/group-declarations.js';
import type { ProcessGroup } from '../../trace/process-group.js';
import { requestError } from '../../base/errors.js';
import { assumed } from '../assume.js';
import { chosenFiles } from '../chosen-files.js';
import { demandNoErrors } from '../demand-no-errors.js';
import { groupFileBytes } from '../group-file.js';
import { demandAllRanks, openTraceset, threadsFor, worldSizeOf, type OpenTraceset } from '../open-traceset.js';
import { NOTHING_WRITTEN } from '../preparation-request.js';
import { dealFiles } from '../survey-traceset.js';
import { declaredGroups } from '../traceset-groups.js';
import { Workers } from '../workers.js';
import type { ReadRank } from './convert-ranks.js';
import type { ConversionReport, ConversionRequest } from './conversion-request.js';
import { OpenedJob, readsFiles } from './readable-job.js';
import { addTally, type RankTally } from './rank-tally.js';
import { startTimes, unsaid } from './start-times.js';
import { WrittenFiles } from './target-files.js';

/**
 * Writes a traceset in a form that holds a rank a file. Each rank is read once, one at a time a worker.
 * @throws PrepError when the input cannot be read, the request is wrong, or the traces have errors
 */
export async function convertFilesToRanks(request: ConversionRequest, target: RankTarget): Promise<ConversionReport> {
  const opened = await assumed(await openTraceset(request), request);
  const { folder } = request;
  const chosen = chosenFiles(opened, { format: 'et', ...request });
  const names = chosen.map(({ rank }) => target.fileName(opened.prefix, rank));
  return withOutput(folder, async (files) => {
    const workers = new Workers(threadsFor(opened, request.threads));
    try {
      const ranks = chosen.map((file, place) => ({
        file,
        size: file.size,
        ...(files === undefined ? {} : { path: files.expect(names[place]) }),
      }));
      const read = await readAll(workers, ranks, target.name, request);
      const losses = new Losses();
      for (const rank of read) losses.addAll(rank.losses);
      const groups = groupsBeside(opened, read);
      const findings = foldAssumptions(
        [...neededFor(opened, request), ...read.flatMap((rank) => rank.findings), ...groups.findings],
        opened.assumptions,
      );
      findings.push(...losses.findings(target.title));
      demandNoErrors(findings, request, NOTHING_WRITTEN);
      const groupFile = target.groupFileName?.(opened.prefix);
      if (files !== undefined && groupFile !== undefined && groups.bytes !== undefined) {
        const { bytes } = groups;
        files.write(groupFile, (write) => write(bytes));
      }
      return report(read, { findings, files: files === undefined ? [] : names }, read[0]?.bytes);
    } finally {
      await workers.close();
    }
  });
}

/**
 * Writes a traceset in a form that holds a whole job. Ranks are read once for what they declare, and again when the form asks
 * for them.
 * @throws PrepError as above, and what the form throws
 */
export async function convertFilesToJob(request: ConversionRequest, target: JobTarget): Promise<ConversionReport> {
  if (request.only !== undefined) throw onlyRefused(target);
  const opened = await assumed(await openTraceset(request), request);
  demandAllRanks(opened);
  const { folder, options, timedBy } = request;
  if (folder !== undefined) chosenFiles(opened, { format: 'et', folder });
  const workers = new Workers(threadsFor(opened, request.threads));
  const read = await readAll(
    workers,
    opened.files.map((file) => ({ file, size: file.size })),
    undefined,
    request,
  ).finally(() => workers.close());
  const groups = groupsOf(opened, read);
  const findings = foldAssumptions(
    [...opened.findings, ...read.flatMap((rank) => rank.findings), ...groups.findings],
    opened.assumptions,
  );
  demandNoErrors(findings, request, NOTHING_WRITTEN);
  const times = timedBy === undefined ? undefined : startTimes(request, timedBy, opened);
  findings.push(...unsaid(times?.findings ?? [], findings));
  const job = new OpenedJob(
    { prefix: opened.prefix, rankCount: opened.files.length, groups: groups.members },
    readsFiles(opened.files),
  );
  return withOutput(folder, (files) => {
    const written = new WrittenFiles(files);
    const losses = new Losses();
    try {
      const said = target.write(job, written, { ...options, ...(times && { startNs: times.startNs }) }, losses);
      findings.push(...said, ...losses.findings(target.title));
    } finally {
      job.close();
    }
    demandNoErrors(findings, request, NOTHING_WRITTEN);
    return report(read, { findings, files: files === undefined ? [] : written.names }, written.bytes);
  });
}

/** A whole job is written whole. */
export function onlyRefused({ title }: JobTarget): Error {
  return requestError('OPTION_NOT_TAKEN', `--only: ${title} holds all ranks of a job in one, expected none left out`);
}

/** Gives the folder's files their names when `work` is done, and removes them when it fails. */
export async function withOutput<T>(
  folder: string | undefined,
  work: (files: OutputFiles | undefined) => T | Promise<T>,
): Promise<T> {
  const files = folder === undefined ? undefined : new OutputFiles(folder);
  try {
    files?.prepare();
    const done = await work(files);
    files?.commit();
    return done;
  } catch (error) {
    files?.discard();
    throw error;
  }
}

async function readAll(
  workers: Workers,
  ranks: readonly { readonly file: OpenTraceset['files'][number]; readonly size: number; readonly path?: string }[],
  to: string | undefined,
  { onProgress }: ConversionRequest,
): Promise<ReadRank[]> {
  const parts = dealFiles(ranks, workers);
  let done = 0;
  const jobs = parts.map((part) => ({ ranks: part, ...(to === undefined ? {} : { to }) }));
  return (await workers.run('convert', jobs, () => onProgress?.(++done, jobs.length))).flat();
}

interface Groups {
  readonly members: ReadonlyMap<string, readonly number[]>;
  readonly findings: readonly Finding[];
}

function groupsOf(opened: OpenTraceset, read: readonly ReadRank[]): Groups {
  const declarations: GroupDeclaration[] = read.flatMap((rank) => rank.declarations);
  const { groups, findings } = declaredGroups(opened.groupFile, declarations, worldSizeOf(opened));
  return { members: membersOf(groups), findings: [...read.flatMap((rank) => rank.groupFindings), ...findings] };
}

/**
 * The group file that goes beside ranks: as it came with the traces, unless they declare groups themselves. Nobody looks
 * at groups here, so what is wrong with them stops nothing.
 */
function groupsBeside(
  { groupFile }: OpenTraceset,
  read: readonly ReadRank[],
): { readonly bytes: Uint8Array | undefined; readonly findings: readonly Finding[] } {
  const declarations = read.flatMap((rank) => rank.declarations);
  const inTraces = read.flatMap((rank) => rank.groupFindings);
  if (declarations.length === 0) {
    return { bytes: groupFile === undefined ? undefined : storedFile(groupFile), findings: asWarnings(inTraces) };
  }
  const { groups, findings } = declaredGroups(groupFile, declarations, Infinity);
  return { bytes: groupFileBytes(membersOf(groups)), findings: asWarnings([...inTraces, ...findings]) };
}

function membersOf(groups: ReadonlyMap<string, ProcessGroup>): Map<string, readonly number[]> {
  return new Map([...groups].map(([name, { ranks }]) => [name, ranks]));
}

function asWarnings(findings: readonly Finding[]): Finding[] {
  return findings.map((found) => (found.severity === 'error' ? { ...found, severity: 'warning' as const } : found));
}

/**
 * What was found about the files and counts here: each rank is converted by itself, so it does not matter which others
 * there are, nor on stdout which it is; not so where sizes are read by who is in a group.
 */
function neededFor({ findings, groupFindings }: OpenTraceset, { folder }: ConversionRequest): Finding[] {
  const unneeded = folder === undefined ? ['RANK_MISSING', 'RANK_ASSUMED'] : ['RANK_MISSING'];
  const needed = findings.filter(({ code }) => groupFindings !== undefined || !unneeded.includes(code));
  return [...needed, ...(groupFindings ?? [])];
}

function report(
  read: readonly ReadRank[],
  written: Pick<ConversionReport, 'findings' | 'files'>,
  output: Uint8Array | undefined,
): ConversionReport {
  const kinds: RankTally = {};
  for (const rank of read) addTally(kinds, rank.kinds);
  return {
    from: 'traceset',
    ranks: read.length,
    kinds,
    ...written,
    ...(output === undefined ? {} : { output }),
  };
}
