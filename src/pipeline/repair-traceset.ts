import { join } from 'node:path';
import { requestError, traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { addAstraChanges, noAstraChanges, type AstraChanges } from '../passes/for-astra-sim/changes.js';
import { groupNumbers } from '../passes/for-astra-sim/group-numbers.js';
import { planForRanks, type AstraPlan } from '../passes/for-astra-sim/plan.js';
import { REPAIRS, type Change, type Repair } from '../passes/repair/change.js';
import { assumptionsOf } from '../trace/assumptions.js';
import { demandFitsTarget } from './check-for-astra-sim.js';
import { chosenFiles } from './chosen-files.js';
import { planTracesetForAstraSim } from './plan-for-astra-sim.js';
import { openTraceset, threadsFor, type OpenTraceset } from './open-traceset.js';
import { NOTHING_WRITTEN, type Output } from './preparation-request.js';
import type { RepairedFile } from './repair-ranks.js';
import { dealFiles } from './survey-traceset.js';
import { validateOpened, validateTraceset, type Validation, type ValidationRequest } from './validate-traceset.js';
import { Workers } from './workers.js';
import { GROUP_FILE, writeGroupFile } from './group-file.js';
import { traceName } from './write-traceset.js';

export interface RepairRequest extends ValidationRequest {
  /** Where the repaired ranks go; every rank is written. */
  readonly output: Omit<Output, 'only'>;
}

/** What a repair did, over all ranks. */
export interface RepairBalance {
  readonly ranks: number;
  readonly nodesIn: number;
  readonly nodesOut: number;
  /** Changes by kind; kinds without one are left out. */
  readonly changes: Readonly<Partial<Record<Repair, number>>>;
  /** What writing for ASTRA-sim changed besides, and the groups that got a number; absent without it. */
  readonly astraSim?: AstraChanges;
  readonly groupNumbers?: Readonly<Record<string, string>>;
}

export interface RepairReport {
  /** What `validate` finds in the traceset that was written. */
  readonly validation: Validation;
  /** Every change, by ascending rank. */
  readonly changes: readonly Change[];
  /** What stands in the way of a repair. */
  readonly left: readonly Finding[];
  readonly balance: RepairBalance;
  /** Names of the files written, in rank order. */
  readonly files: readonly string[];
  /** The rank's bytes, where no folder was named. */
  readonly output?: Uint8Array;
}

/** What is told of the form of an input, which its repaired copy no longer has. */
const OF_THE_FORM: readonly string[] = ['SCHEMA_CONVERTED', 'FEEDER_KEY_MISSING', 'FEEDER_KEY_UNREAD'];
/** What is found again in the files that are written. */
const FOUND_AGAIN: readonly string[] = ['RANK_MISSING', 'GROUP_FILE_FOUND'];

/**
 * Writes a traceset with everything repaired that can be without a guess (docs/fix.md), one rank at a time a worker,
 * and validates what was written. The input is left alone; nothing is written when a file cannot be read. Values stay in
 * the conventions of the input: what is assumed counts for the findings, and for whoever reads the copy.
 * @throws PrepError when a rank cannot be read or written, or the request is wrong
 */
export async function repairTraceset(request: RepairRequest): Promise<RepairReport> {
  const { output, onProgress } = request;
  assumptionsOf(request.assume ?? []); // a name or value that nobody knows stops it before anything is written
  const opened = await openTraceset(request);
  demandOneFileARank(opened);
  demandOneRank(opened, output);
  chosenFiles(opened, output);
  const isForAstraSim = request.target === 'astra-sim';
  if (isForAstraSim) demandRepairFits(request, opened);
  const written = (isForAstraSim ? 2 : 1) * opened.files.length;
  const total = written + opened.files.length;
  let done = 0;
  const { repaired, plan } = await writeRepaired(request, opened, () => onProgress?.(Math.min(++done, total), total));
  const files =
    output.folder === undefined ? [] : opened.files.map(({ rank }) => traceName(opened, rank, output.format));
  const bytes = repaired.find((rank) => rank.bytes !== undefined)?.bytes;
  const validation = await validateCopy(request, opened, repaired, files, (ranks, all) =>
    onProgress?.(written + Math.floor((ranks * opened.files.length) / all), total),
  );
  const changes = repaired.flatMap((rank) => rank.changes);
  return {
    validation,
    changes,
    left: repaired.flatMap((rank) => rank.left),
    balance: balanceOf(repaired, changes, plan),
    files,
    ...(bytes === undefined ? {} : { output: bytes }),
  };
}

/** Validates the files that were written, or the rank's bytes, which on stdout are the rank they were. */
function validateCopy(
  request: RepairRequest,
  opened: OpenTraceset,
  repaired: readonly RepairedFile[],
  files: readonly string[],
  onProgress: NonNullable<RepairRequest['onProgress']>,
): Promise<Validation> {
  const { folder } = request.output;
  const ofTheForm = repaired.flatMap(({ findings }) => findings.filter(({ code }) => OF_THE_FORM.includes(code)));
  if (folder === undefined) {
    const [file] = opened.files;
    const { bytes } = repaired[0];
    return validateOpened(
      {
        ...opened,
        files: [{ ...file, size: bytes!.length, bytes: bytes! }],
        findings: [...opened.findings, ...ofTheForm],
      },
      { ...request, onProgress },
    );
  }
  const { groups, ...unnamed } = request;
  const notFoundAgain = opened.findings.filter(({ code }) => !FOUND_AGAIN.includes(code));
  return validateTraceset({
    ...unnamed,
    inputs: files.map((name) => join(folder, name)),
    // For ASTRA-sim there is a file only where there are groups; it is found beside the traces.
    ...(groups === undefined || request.target === 'astra-sim' ? {} : { groups: join(folder, GROUP_FILE) }),
    findings: [...notFoundAgain, ...ofTheForm],
    onProgress,
  });
}

/** @throws PrepError `TARGET_REQUEST` */
function demandRepairFits({ assume = [], output }: RepairRequest, opened: OpenTraceset): void {
  demandFitsTarget(opened, output);
  if (assume.length > 0) {
    throw requestError(
      'TARGET_REQUEST',
      '--for astra-sim with --fix and --assume: the copy keeps the conventions of the input, and the program has the usual ones',
      'write with convert --assume … --for astra-sim',
    );
  }
  if (output.folder === undefined) {
    throw requestError(
      'TARGET_REQUEST',
      '--for astra-sim with --fix -o -: groups are written beside the traces',
      'write to a folder',
    );
  }
}

async function writeRepaired(
  { output, threads, deps, target }: RepairRequest,
  opened: OpenTraceset,
  progress: () => void,
): Promise<{ repaired: RepairedFile[]; plan: AstraPlan | undefined }> {
  const workers = new Workers(threadsFor(opened, threads));
  const files = output.folder === undefined ? undefined : new OutputFiles(output.folder);
  try {
    const plan =
      target === 'astra-sim'
        ? (await planTracesetForAstraSim({ deps }, opened, { repair: true }, workers, progress)).plan
        : undefined;
    files?.prepare();
    const ranks = opened.files.map((file) => ({
      file,
      size: file.size,
      ...(files === undefined ? {} : { output: files.expect(traceName(opened, file.rank, output.format)) }),
    }));
    const jobs = dealFiles(ranks, workers).map((part) => ({
      ranks: part,
      format: output.format,
      ...(plan === undefined
        ? {}
        : {
            astraSim: planForRanks(
              plan,
              part.map(({ file }) => file.rank),
            ),
          }),
    }));
    const repaired = (await workers.run('repair', jobs, progress)).flat();
    if (files) writeGroupFile(files, plan?.groups, opened.groupFile);
    files?.commit();
    return { repaired, plan };
  } catch (error) {
    files?.discard();
    throw error;
  } finally {
    await workers.close();
  }
}

function balanceOf(
  repaired: readonly RepairedFile[],
  changes: readonly Change[],
  plan: AstraPlan | undefined,
): RepairBalance {
  const counts: Partial<Record<Repair, number>> = {};
  for (const repair of REPAIRS) {
    const count = changes.reduce((sum, change) => (change.repair === repair ? sum + change.count : sum), 0);
    if (count > 0) counts[repair] = count;
  }
  return {
    ranks: repaired.length,
    nodesIn: repaired.reduce((sum, { nodesIn }) => sum + nodesIn, 0),
    nodesOut: repaired.reduce((sum, { nodesOut }) => sum + nodesOut, 0),
    changes: counts,
    ...(plan === undefined ? {} : { astraSim: sumOf(repaired), groupNumbers: groupNumbers(plan) }),
  };
}

function sumOf(repaired: readonly RepairedFile[]): AstraChanges {
  const sum = noAstraChanges();
  for (const { astraSim } of repaired) if (astraSim !== undefined) addAstraChanges(sum, astraSim);
  return sum;
}

/** Which of two files is the rank is a guess. */
function demandOneFileARank({ findings }: OpenTraceset): void {
  const doubled = findings.filter(({ code }) => code === 'RANK_DOUBLED');
  if (doubled.length === 0) return;
  throw traceError('TRACESET_INCOMPLETE', `${NOTHING_WRITTEN}: two files claim one rank`, doubled);
}

function demandOneRank({ files }: OpenTraceset, { folder }: RepairRequest['output']): void {
  if (folder !== undefined || files.length === 1) return;
  const message = `-o - takes one rank, ${files.length} would be written`;
  throw requestError('OUTPUT_AMBIGUOUS', message, 'name one rank as the input, or write to a folder');
}
