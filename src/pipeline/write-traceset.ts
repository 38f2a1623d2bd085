import { traceError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { OutputFiles } from '../base/output-files.js';
import { preparationForWorker, type PreparationPlan } from '../passes/preparation-plan.js';
import { waitCycleFinding } from '../passes/waits/stalls.js';
import { findWaitCycle } from '../passes/waits/wait-cycle.js';
import { planForRanks, type AstraPlan } from '../passes/for-astra-sim/plan.js';
import type { ProcessGroup } from '../trace/process-group.js';
import type { OpenTraceset } from './open-traceset.js';
import { NOTHING_WRITTEN, type PreparationRequest } from './preparation-request.js';
import { dealFiles } from './survey-traceset.js';
import type { Workers } from './workers.js';
import type { OutputFormat, RankOutput, WrittenRank } from './write-ranks.js';

export interface Writing {
  readonly request: PreparationRequest;
  readonly opened: OpenTraceset;
  readonly chosen: OpenTraceset['files'];
  readonly plan: PreparationPlan;
  readonly groups: ReadonlyMap<string, ProcessGroup> | undefined;
  /** How ranks are written for ASTRA-sim, where they are; all of them are read then. */
  readonly astraSim?: AstraPlan;
  /** Ranks are looked at and not written, and their nodes keep their ids: what is wrong with them is to be told. */
  readonly onlyLooks?: boolean;
  readonly workers: Workers;
  readonly files: OutputFiles | undefined;
  /** Found while planning. */
  readonly findings: readonly Finding[];
  readonly progress: () => void;
}

/**
 * Applies the plan to the chosen ranks and writes them under temporary names.
 * @throws PrepError `SERIALIZE_DEADLOCK` when the chain of a group would make ranks wait in a circle
 */
export async function writeTraceset({
  request,
  opened,
  chosen,
  plan,
  groups,
  astraSim,
  onlyLooks = false,
  workers,
  files,
  findings,
  progress,
}: Writing): Promise<WrittenRank[]> {
  const { output, deps, steps } = request;
  const chained =
    plan.serialize && [...plan.collectives.recorded.values()].some((recorded) => recorded || plan.order === 'ids');
  const writes = new Set(onlyLooks ? [] : chosen);
  const ranks = (chained || astraSim !== undefined ? opened.files : chosen).map((file) => ({
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
    ...(astraSim === undefined
      ? {}
      : {
          astraSim: {
            plan: planForRanks(
              astraSim,
              part.map(({ file }) => file.rank),
            ),
            folder: output.folder ?? '',
            prefix: opened.prefix,
            renumber: !onlyLooks,
          },
        }),
  }));
  const written = (await workers.run('write', jobs, progress)).flat();
  if (chained) {
    const surveys = written.map(({ waits }) => waits!);
    const cycle = findWaitCycle(surveys, plan.collectives, { sync: plan.sync });
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

/** Name of a rank's output file. */
export function traceName({ prefix }: OpenTraceset, rank: number, format: OutputFormat): string {
  return `${prefix}.${rank}.${format}`;
}
