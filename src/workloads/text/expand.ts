import type { WorkloadMode } from '../../formats/text-workload/text-workload.js';
import { dataParallel } from './patterns/data-parallel.js';
import { dlrm } from './patterns/dlrm.js';
import { layered } from './patterns/layered.js';
import { micro } from './patterns/micro.js';
import type { RankProgram } from './rank-program.js';
import type { WorkloadPlan } from './workload-plan.js';

/** The nodes of one stage; modes without stages have stage 0 alone. */
type Pattern = (plan: WorkloadPlan, stage: number) => RankProgram;

const PATTERNS: Readonly<Record<WorkloadMode, Pattern>> = {
  MICRO: micro,
  DATA: dataParallel,
  MODEL: layered,
  HYBRID_DATA_MODEL: layered,
  HYBRID_MODEL_DATA: layered,
  HYBRID_DLRM: dlrm,
  HYBRID_DLRM_ENHANCED: dlrm,
  HYBRID_TRANSFORMER: layered,
  HYBRID_TRANSFORMER_FWD_IN_BCKWD: layered,
  HYBRID_CUSTOMIZED: layered,
};

/**
 * What the ranks of a stage run: the layers of a text workload as nodes with dependencies. docs/converters.md has a table of the
 * patterns by mode. Source: chakra-tools section 3 (MICRO to HYBRID_DLRM_ENHANCED), exchange-formats section 9 (the others).
 */
export function expandStage(plan: WorkloadPlan, stage: number): RankProgram {
  return PATTERNS[plan.workload.mode](plan, stage);
}
