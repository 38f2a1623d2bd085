import type { CatalogueEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_CODES = {} satisfies Record<string, CatalogueEntry>;
