import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import { addBalance, type Balance } from '../passes/balance.js';
import { planBalance } from '../passes/preparation-plan.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { assumed } from './assume.js';
import { chosenFiles } from './chosen-files.js';
import { demandNoErrors } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, threadsFor, type Reading } from './open-traceset.js';
import { planTraceset } from './plan-traceset.js';
import { NOTHING_WRITTEN, type PreparationRequest } from './preparation-request.js';
import { Workers } from './workers.js';
import { traceName, writeGroupFile, writeTraceset } from './write-traceset.js';

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
  const { steps, output } = request;
  const acrossRanks = Boolean(steps.expand || steps.serialize || steps.sync || steps.validate);
  if (acrossRanks) demandAllRanks(opened);
  const chosen = chosenFiles(opened, output);
  const workers = new Workers(threadsFor(opened, request.threads));
  const files = output.folder === undefined ? undefined : new OutputFiles(output.folder);
  try {
    const progress = share(request.onProgress, opened.files.length * (acrossRanks ? 2 : 1));
    const { plan, groups, findings } = await planTraceset(request, opened, workers, progress);
    files?.prepare();
    const written = await writeTraceset({ request, opened, chosen, plan, groups, workers, files, findings, progress });
    const balance = planBalance(plan);
    for (const rank of written) if (rank.balance) addBalance(balance, rank.balance);
    const reading = acrossRanks ? [] : written.flatMap((rank) => rank.findings);
    const found = [...findings, ...reading, ...notFoundBefore(balance.findings, steps.validate ? findings : [])];
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
