import type { StopEntry } from './entry.js';

/** Conversion between forms. */
export const CONVERSION_STOPS = {} satisfies Record<string, StopEntry>;
