import type { CatalogueEntry } from './entry.js';

/** Pictures of traces and runs. */
export const DRAWINGS_CODES = {} satisfies Record<string, CatalogueEntry>;
