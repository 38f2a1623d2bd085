import { GOAL_BINARY_TARGET, GOAL_TEXT_TARGET } from '../../exchange/goal/goal-targets.js';
import type { JobTarget } from '../../formats/conversion.js';

/** Every form that holds a whole job and is written. */
export const JOB_TARGETS: readonly JobTarget[] = [GOAL_TEXT_TARGET, GOAL_BINARY_TARGET];
