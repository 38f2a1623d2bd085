import type { StopEntry } from './entry.js';

/** Text workloads and generated ones. */
export const WORKLOADS_STOPS = {} satisfies Record<string, StopEntry>;
