import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { PrepError, requestError, traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import { addBalance, type Balance } from '../passes/balance.js';
import {
  planBalance,
  planPreparation,
  preparationForWorker,
  type PreparationPlan,
} from '../passes/preparation-plan.js';
import type { ChainOrder } from '../passes/serialize.js';
import { validateTraceset as runRules } from '../passes/validate/validate.js';
import { findWaitCycle, waitCycleFinding } from '../passes/wait-graph.js';
import { resolveGroups, type ResolvedGroups } from '../trace/group-use.js';
import type { DeclaredGroups } from '../trace/group-declarations.js';
import { demandNoErrors } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, threadsFor, type OpenTraceset, type Reading } from './open-traceset.js';
import type { RankReading } from './survey-rank.js';
import { dealFiles, surveyTraceset } from './survey-traceset.js';
import { declaredGroups } from './traceset-groups.js';
import { Workers } from './workers.js';
import type { OutputFormat, RankOutput, WrittenRank } from './write-ranks.js';

/** How a preparation that is stopped ends. */
const NOTHING_WRITTEN = 'nothing written';

/** Passes to apply; none rewrites the traceset as it is. */
export interface Steps {
  /** Run the rules of `validate` first and stop at errors. */
  readonly validate?: boolean;
  readonly expand?: boolean;
  readonly algorithms?: AlgorithmChoices;
  readonly serialize?: boolean;
  readonly order?: ChainOrder;
  readonly sync?: boolean;
  /** Factor from 0 to 1. */
  readonly scale?: number;
  readonly annotate?: boolean;
}

export interface Output {
  /** Folder to write; absent gives the bytes of the one rank back. */
  readonly folder?: string;
  readonly format: OutputFormat;
  /** Ranks to write; all when left out. */
  readonly only?: readonly number[];
}

export interface PreparationRequest extends Reading {
  readonly steps: Steps;
  readonly output: Output;
  /** Stop at warnings too. */
  readonly abortOnWarning?: boolean;
}

export interface PreparationReport {
  readonly balance: Balance;
  /** Everything found, defaulted, guessed or skipped. */
  readonly findings: readonly Finding[];
  /** Names of the files written, in rank order. */
  readonly files: readonly string[];
  /** The rank's bytes, where no folder was named. */
  readonly output?: Uint8Array;
}

/**
 * Reads a traceset, applies passes, and writes it. Ranks are read twice, once to plan and once to write, one at a time
 * a worker. Nothing is left behind when anything fails.
 * @throws PrepError when the input cannot be read, the request is wrong, or the traces have errors
 */
export async function prepareTraceset(request: PreparationRequest): Promise<PreparationReport> {
  const opened = await openTraceset(request);
  const { steps, output, abortOnWarning } = request;
  const acrossRanks = Boolean(steps.expand || steps.serialize || steps.sync || steps.validate);
  if (acrossRanks) demandAllRanks(opened);
  const chosen = chosenFiles(opened, output);
  const workers = new Workers(threadsFor(opened, request.threads));
  const files = output.folder === undefined ? undefined : new OutputFiles(output.folder);
  try {
    const progress = share(request.onProgress, opened.files.length * (acrossRanks ? 2 : 1));
    const { plan, groups, findings } = await planAll(request, opened, workers, progress);
    files?.prepare();
    const written = await writeAll({ request, opened, chosen, plan, groups, workers, files, findings, progress });
    const balance = planBalance(plan);
    for (const rank of written) if (rank.balance) addBalance(balance, rank.balance);
    const reading = acrossRanks ? [] : written.flatMap((rank) => rank.findings);
    const all = [...findings, ...reading, ...notFoundBefore(balance.findings, steps.validate ? findings : [])];
    demandNoErrors(all, abortOnWarning ?? false, NOTHING_WRITTEN);
    if (files) writeGroupFile(files, groups, opened.groupFile);
    files?.commit();
    const bytes = written.find((rank) => rank.bytes)?.bytes;
    return {
      balance: { ...balance, findings: [] },
      findings: all,
      files: files === undefined ? [] : chosen.map(({ rank }) => traceName(opened, rank, output.format)),
      ...(bytes === undefined ? {} : { output: bytes }),
    };
  } catch (error) {
    files?.discard();
    throw error;
  } finally {
    await workers.close();
  }
}

interface Planned {
  readonly plan: PreparationPlan;
  /** Groups to declare in the outputs; absent where no pass needs them. */
  readonly groups?: ResolvedGroups['groups'];
  readonly findings: readonly Finding[];
}

async function planAll(
  request: PreparationRequest,
  opened: OpenTraceset,
  workers: Workers,
  progress: () => void,
): Promise<Planned> {
  const { steps } = request;
  const { expand = false, serialize = false, sync = false, annotate = false, order = 'recorded', scale } = steps;
  const options = {
    algorithms: steps.algorithms ?? {},
    expand,
    serialize,
    sync,
    annotate,
    order,
    rankCount: opened.files.length,
    ...(scale === undefined ? {} : { scale }),
  };
  if (!(expand || serialize || sync || steps.validate)) {
    // Each rank is changed by itself, so it does not matter which others there are, nor on stdout which it is.
    const unneeded = request.output.folder === undefined ? ['RANK_MISSING', 'RANK_ASSUMED'] : ['RANK_MISSING'];
    const findings = opened.findings.filter(({ code }) => !unneeded.includes(code));
    return { plan: planPreparation([], { ...options, groups: new Map() }), findings };
  }
  const job = { deps: request.deps, validate: steps.validate === true, prepare: true, keepGoing: false };
  const readings = await surveyTraceset(opened, workers, job, progress);
  const declared = declaredGroups(
    opened.groupFile,
    readings.flatMap(({ declarations }) => declarations),
    opened.files.length,
  );
  const found = steps.validate
    ? rulesOf(request, readings, declared, opened)
    : [...opened.findings, ...readings.flatMap(({ findings }) => findings), ...declared.findings];
  demandNoErrors(found, request.abortOnWarning ?? false, NOTHING_WRITTEN);
  const resolved = resolveGroups(
    declared.groups,
    readings.map(({ groups }) => groups!),
    { ranks: opened.files.map(({ rank }) => rank), strict: false },
  );
  const findings = steps.validate ? found : [...found, ...resolved.findings];
  demandNoErrors(findings, request.abortOnWarning ?? false, NOTHING_WRITTEN);
  const surveys = readings.map(({ survey }) => survey!);
  try {
    return {
      plan: planPreparation(surveys, { ...options, groups: resolved.groups }),
      groups: resolved.groups,
      findings,
    };
  } catch (error) {
    // What was found before is told too.
    if (error instanceof PrepError) demandNoErrors([...findings, ...error.findings], false, NOTHING_WRITTEN);
    throw error;
  }
}

function rulesOf(
  { steps }: PreparationRequest,
  readings: readonly RankReading[],
  declared: DeclaredGroups,
  opened: OpenTraceset,
): Finding[] {
  return runRules(
    readings.map(({ validation }) => validation!),
    {
      worldSize: opened.files.length,
      declared,
      strict: false,
      algorithms: steps.algorithms ?? {},
      synchronized: steps.sync === true,
      findings: opened.findings,
    },
  );
}

interface Writing {
  readonly request: PreparationRequest;
  readonly opened: OpenTraceset;
  readonly chosen: OpenTraceset['files'];
  readonly plan: PreparationPlan;
  readonly groups: ResolvedGroups['groups'] | undefined;
  readonly workers: Workers;
  readonly files: OutputFiles | undefined;
  /** Found while planning. */
  readonly findings: readonly Finding[];
  readonly progress: () => void;
}

async function writeAll({
  request,
  opened,
  chosen,
  plan,
  groups,
  workers,
  files,
  findings,
  progress,
}: Writing): Promise<WrittenRank[]> {
  const { output, deps, steps } = request;
  const chained =
    plan.serialize && [...plan.collectives.recorded.values()].some((recorded) => recorded || plan.order === 'ids');
  const writes = new Set(chosen);
  const ranks = (chained ? opened.files : chosen).map((file) => ({
    file,
    size: file.size,
    ...(writes.has(file)
      ? { output: outputNames(opened, file.rank, output.format, steps.annotate === true, files) }
      : {}),
  }));
  const message = preparationForWorker(plan);
  const parts = dealFiles(ranks, workers);
  const jobs = parts.map((part) => ({
    ranks: part,
    plan: message,
    deps,
    format: output.format,
    chained,
    ...(groups === undefined ? {} : { groups }),
  }));
  const written = (await workers.run('write', jobs, progress)).flat();
  if (chained) {
    const skeletons = written.map(({ skeleton }) => skeleton!);
    const cycle = findWaitCycle(skeletons, plan.collectives, { synchronized: plan.sync });
    if (cycle) {
      throw traceError(
        'SERIALIZE_DEADLOCK',
        `${NOTHING_WRITTEN}: in the order of issue ranks would wait for each other for ever`,
        [...findings, waitCycleFinding(cycle)],
      );
    }
  }
  return written;
}

function outputNames(
  opened: OpenTraceset,
  rank: number,
  format: OutputFormat,
  annotate: boolean,
  files: OutputFiles | undefined,
): RankOutput {
  if (files === undefined) return {};
  const names = { trace: files.expect(traceName(opened, rank, format)) };
  if (!annotate) return names;
  return {
    ...names,
    annotated: files.expect(`${opened.prefix}.${rank}.json`),
    ready: files.expect(`${opened.prefix}.${rank}.ready.json`),
  };
}

function traceName({ prefix }: OpenTraceset, rank: number, format: OutputFormat): string {
  return `${prefix}.${rank}.${format}`;
}

/** What planning finds and `validate`, which plans as well, did not report already. */
function notFoundBefore(planned: readonly Finding[], validated: readonly Finding[]): Finding[] {
  const codes = new Set(validated.map(({ code }) => code));
  return planned.filter(({ code }) => !codes.has(code));
}

/**
 * Groups beside the traces, for readers that take them from a file; the world needs no declaration there. Where no pass
 * looked at groups, the file that came with the traces stays with them.
 */
function writeGroupFile(
  files: OutputFiles,
  groups: ResolvedGroups['groups'] | undefined,
  groupFile: string | undefined,
): void {
  if (groups === undefined) {
    if (groupFile === undefined) return;
    const bytes = readFileSync(groupFile);
    files.write('comm_group.json', (write) => write(bytes));
    return;
  }
  const declared = [...groups.values()].filter(({ origin }) => origin !== 'world');
  if (declared.length === 0) return;
  const text = declared.map(({ name, ranks }) => `  ${JSON.stringify(name)}: ${JSON.stringify(ranks)}`).join(',\n');
  files.write('comm_group.json', (write) => write(Buffer.from(`{\n${text}\n}\n`)));
}

function chosenFiles(opened: OpenTraceset, { folder, only }: Output): OpenTraceset['files'] {
  const chosen = only === undefined ? opened.files : opened.files.filter(({ rank }) => only.includes(rank));
  const absent = only?.find((rank) => !opened.files.some((file) => file.rank === rank));
  if (absent !== undefined) {
    throw requestError('RANK_ABSENT', `--only ${absent}: the traceset has no such rank`);
  }
  if (folder === undefined && chosen.length !== 1) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      `-o - takes one rank, ${chosen.length} would be written`,
      'choose one with --only',
    );
  }
  if (folder !== undefined) refuseInputFolder(opened, folder);
  return chosen;
}

/** Writing over the input would leave a traceset that is half raw, half prepared when ranks are chosen. */
function refuseInputFolder({ files }: OpenTraceset, folder: string): void {
  const output = realFolder(folder);
  const over = files.some(({ path }) => path !== '-' && realFolder(dirname(path)) === output);
  if (over)
    throw requestError(
      'OUTPUT_IS_INPUT',
      `${folder}: the output folder is the folder of the input`,
      'name another one with -o',
    );
}

/** The folder whatever way it is spelt; one that is not there yet cannot be that of the input. */
function realFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** Counts steps against one total. */
function share(onProgress: Reading['onProgress'], total: number): () => void {
  let done = 0;
  return () => onProgress?.(Math.min(++done, total), total);
}
