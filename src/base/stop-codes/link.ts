import type { StopEntry } from './entry.js';

/** Linking of PyTorch host and device traces. */
export const LINK_STOPS = {} satisfies Record<string, StopEntry>;
