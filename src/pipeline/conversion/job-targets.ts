import { GOAL_BINARY_TARGET, GOAL_TEXT_TARGET } from '../../exchange/goal/goal-targets.js';
import { HTSIM_MATRIX } from '../../exchange/htsim/connection-matrix.js';
import { NS3_FLOWS } from '../../exchange/ns3/flows.js';
import { SIMGRID_TI } from '../../exchange/simgrid/time-independent.js';
import type { JobTarget } from '../../formats/conversion.js';

/** Every form that holds a whole job and is written. */
export const JOB_TARGETS: readonly JobTarget[] = [
  GOAL_TEXT_TARGET,
  GOAL_BINARY_TARGET,
  NS3_FLOWS,
  HTSIM_MATRIX,
  SIMGRID_TI,
];
