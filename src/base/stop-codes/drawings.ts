import type { StopEntry } from './entry.js';

/** Pictures of traces and runs. */
export const DRAWINGS_STOPS = {} satisfies Record<string, StopEntry>;
