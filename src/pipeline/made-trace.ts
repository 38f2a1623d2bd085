import { preparationFromWorker, type PreparationMessage } from '../passes/preparation-plan.js';
import { prepareRank } from '../passes/prepare.js';
import { repairRank } from '../passes/repair/repair.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { readScript } from './read-script.js';

/** What is done to each rank before it is written: the passes of a plan, or a repair. Plain data. */
export type Making = { readonly plan: PreparationMessage } | { readonly repair: true };

/** Does it. */
export function makingOf(making: Making): (trace: RankTrace) => RankTrace {
  if ('repair' in making) return (trace) => repairRank(trace).trace;
  const plan = preparationFromWorker(making.plan, readScript);
  return (trace) => prepareRank(trace, plan).trace;
}
