import type { JobTarget } from '../../formats/conversion.js';

/** Every form that holds a whole job and is written. */
export const JOB_TARGETS: readonly JobTarget[] = [];
