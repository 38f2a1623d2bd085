import type { StopEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_STOPS = {} satisfies Record<string, StopEntry>;
