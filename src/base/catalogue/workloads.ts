import type { CatalogueEntry } from './entry.js';

/** Text workloads and generated ones. */
export const WORKLOADS_CODES = {} satisfies Record<string, CatalogueEntry>;
