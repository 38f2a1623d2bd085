import { posix } from 'node:path';
import { finding } from '../../base/catalogue.js';
import { counted } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { LONGEST_TIME_PS, timeText } from '../../base/units.js';
import type { ConversionOptions, JobForm } from '../../formats/conversion.js';
import type { MadeJob } from '../../formats/made-job.js';
import { readTextWorkload } from '../../formats/text-workload/read-text-workload.js';
import type { TextWorkload } from '../../formats/text-workload/text-workload.js';
import { columnFindings } from './column-findings.js';
import { expandStage } from './expand.js';
import { PHASES, scopeOf } from './layer-scopes.js';
import { planWorkload } from './plan-workload.js';
import { RankLayout } from './rank-layout.js';
import { Scope, type RankProgram } from './rank-program.js';
import type { WorkloadPlan } from './workload-plan.js';
import { writeRank } from './write-rank.js';

/**
 * Text workloads of ASTRA-sim 1.0 and SimAI: layers of a model become the traces of all ranks. One stage's nodes are in memory at a
 * time, and each rank is written from them.
 */
export const TEXT_WORKLOAD_FORM: JobForm = {
  format: 'text-workload',
  options: ['ranks', 'passes', 'modelParallel'],
  open: (source, options) => makeJob(readTextWorkload(source), options),
};

/** @throws PrepError as `planWorkload` does */
export function makeJob(workload: TextWorkload, options: ConversionOptions): MadeJob {
  const findings: Finding[] = [...workload.findings];
  const plan = planWorkload(workload, options, findings);
  const layout = new RankLayout(plan.dimensions, scopesOf(workload));
  findings.push(...columnFindings(plan), readAs(plan, layout, options));
  let stageAtHand = -1;
  let program: RankProgram | undefined;
  return {
    rankCount: layout.ranks,
    prefix: prefixOf(workload.file),
    groups: layout.groups,
    findings,
    writeRank: (rank, out) => {
      const stage = layout.stageOf(rank);
      if (program === undefined || stage !== stageAtHand) {
        program = expandStage(plan, stage);
        stageAtHand = stage;
      }
      writeRank(program, layout, rank, plan.nanoseconds, out);
    },
  };
}

/** Scopes that some collective runs over. */
function scopesOf({ layers, mode }: TextWorkload): Set<number> {
  const scopes = new Set<number>();
  for (const layer of layers) {
    for (const phase of PHASES) {
      const scope = scopeOf(mode, layer, phase);
      if (scope !== undefined) scopes.add(scope);
    }
  }
  return scopes;
}

function prefixOf(file: string): string {
  return posix
    .basename(file.replace(/\\/g, '/'))
    .replace(/\.gz$/, '')
    .replace(/\.txt$/, '');
}

/** How the file was understood, in one line: what no option and no line said in so many words. */
function readAs(plan: WorkloadPlan, layout: RankLayout, options: ConversionOptions): Finding {
  const { workload, passes, dimensions, microBatches, listed, nanoseconds } = plan;
  const { file, mode, layers } = workload;
  const parts = [
    mode,
    counted(layers.length, 'layer'),
    `${counted(passes, 'pass', 'passes')}${options.passes === undefined ? ' (--passes not given)' : ''}`,
    counted(layout.ranks, 'rank'),
    ...groupTexts(workload, layout),
  ];
  if (microBatches > 1) parts.push(`${counted(microBatches, 'micro-batch', 'micro-batches')} a pass`);
  if (dimensions.stages > 1) {
    const order = listed === undefined ? 'one forward one backward' : 'all forward, then all backward';
    parts.push(`${counted(dimensions.stages, 'pipeline stage')} that each run all lines, ${order}`);
  }
  const unit = nanoseconds ? 'times in ns, as SimAI has them' : 'times taken as µs, as chakra_converter does';
  const compute = layers.reduce((sum, layer) => sum + PHASES.reduce((of, phase) => of + layer[phase].time, 0), 0);
  const perPass = compute * microBatches * (nanoseconds ? 1_000 : 1_000_000);
  parts.push(mode === 'MICRO' || perPass > LONGEST_TIME_PS ? unit : `${unit}: ${timeText(perPass)} of compute a pass`);
  return finding('WORKLOAD_READ', `${file}: ${parts.join('; ')}`, { file });
}

const TITLES: Readonly<Record<number, string>> = {
  [Scope.model]: 'model-parallel',
  [Scope.data]: 'data-parallel',
  [Scope.expert]: 'expert-parallel',
  [Scope.expertData]: 'expert-data-parallel',
};

function groupTexts(workload: TextWorkload, layout: RankLayout): string[] {
  return [...scopesOf(workload)]
    .filter((scope) => scope !== Scope.world)
    .sort((one, other) => one - other)
    .map((scope) => {
      const groups = counted(layout.groupCount(scope), `${TITLES[scope]} group`);
      return `${groups} of ${counted(layout.groupSize(scope), 'rank')}`;
    });
}
