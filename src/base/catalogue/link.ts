import type { CatalogueEntry } from './entry.js';

/** Linking of PyTorch host and device traces. */
export const LINK_CODES = {} satisfies Record<string, CatalogueEntry>;
