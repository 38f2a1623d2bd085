import { countFindings, type Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { addBalance, type Balance } from '../passes/balance.js';
import { groupNumbers } from '../passes/for-astra-sim/group-numbers.js';
import type { AstraPlan } from '../passes/for-astra-sim/plan.js';
import { planBalance, preparationForWorker } from '../passes/preparation-plan.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { assumed } from './assume.js';
import { checkForAstraSim, demandFitsTarget } from './check-for-astra-sim.js';
import { chosenFiles } from './chosen-files.js';
import { demandNoErrors } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, threadsFor, type Reading } from './open-traceset.js';
import { writeGroupFile } from './group-file.js';
import { planTracesetForAstraSim } from './plan-for-astra-sim.js';
import { planTraceset } from './plan-traceset.js';
import { NOTHING_WRITTEN, type PreparationRequest } from './preparation-request.js';
import { Workers } from './workers.js';
import type { WrittenRank } from './write-ranks.js';
import { traceName, writeTraceset, type Writing } from './write-traceset.js';

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
  const opened = await assumed(await openTraceset(request), request);
  const { steps, output, target } = request;
  const acrossRanks = Boolean(steps.expand || steps.serialize || steps.sync || steps.validate);
  if (target !== undefined) demandFitsTarget(opened, output);
  if (acrossRanks || target !== undefined) demandAllRanks(opened);
  const chosen = chosenFiles(opened, output);
  const workers = new Workers(threadsFor(opened, request.threads));
  const files = output.folder === undefined ? undefined : new OutputFiles(output.folder);
  try {
    const readings = 1 + Number(acrossRanks) + Number(target !== undefined);
    const progress = share(request.onProgress, opened.files.length * readings);
    const { plan, groups: resolved, findings: planned } = await planTraceset(request, opened, workers, progress);
    const astraSim =
      target === undefined
        ? undefined
        : await planTracesetForAstraSim(request, opened, { plan: preparationForWorker(plan) }, workers, progress);
    const groups = astraSim?.plan.groups ?? resolved;
    const findings = [...planned, ...(acrossRanks ? [] : (astraSim?.findings ?? []))];
    if (astraSim !== undefined) demandNoErrors(findings, {}, NOTHING_WRITTEN);
    files?.prepare();
    const writing = { request, opened, chosen, plan, groups, workers, files, findings, progress };
    const written = await writeTraceset(astraSim === undefined ? writing : { ...writing, astraSim: astraSim.plan });
    const balance = planBalance(plan);
    for (const rank of written) if (rank.balance) addBalance(balance, rank.balance);
    if (astraSim !== undefined) balance.groupNumbers = groupNumbers(astraSim.plan);
    const reading = acrossRanks || astraSim !== undefined ? [] : written.flatMap((rank) => rank.findings);
    const checked = astraSim === undefined ? [] : await findingsForAstraSim(writing, astraSim.plan, written);
    const found = [
      ...findings,
      ...reading,
      ...notFoundBefore(balance.findings, steps.validate ? findings : []),
      ...checked,
    ];
    const all = acrossRanks ? found : foldAssumptions(found, opened.assumptions);
    demandNoErrors(all, request, NOTHING_WRITTEN);
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

/**
 * What `validate --for astra-sim` says of what was written. Errors are told with the nodes by the ids they had before, for
 * which the ranks are looked at once more.
 */
async function findingsForAstraSim(
  writing: Writing,
  plan: AstraPlan,
  written: readonly WrittenRank[],
): Promise<Finding[]> {
  const { opened, request } = writing;
  const check = (ranks: readonly WrittenRank[]): Finding[] =>
    checkForAstraSim(
      ranks.map(({ validation }) => validation!),
      opened,
      plan,
      request.output,
    );
  const found = check(written);
  if (countFindings(found).errors === 0) return found;
  return check(await writeTraceset({ ...writing, astraSim: plan, onlyLooks: true, progress: () => {} }));
}

/** What planning finds and `validate`, which plans as well, did not report already. */
function notFoundBefore(planned: readonly Finding[], validated: readonly Finding[]): Finding[] {
  const codes = new Set(validated.map(({ code }) => code));
  return planned.filter(({ code }) => !codes.has(code));
}

/** Counts steps against one total. */
function share(onProgress: Reading['onProgress'], total: number): () => void {
  let done = 0;
  return () => onProgress?.(Math.min(++done, total), total);
}
