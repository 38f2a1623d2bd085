import { entry, type CatalogueEntry } from './entry.js';

/** What --fix changed. */
export const REPAIR_CODES = {
  REPAIRED: entry(
    'note',
    'repaired by --fix',
    'The traceset that was written differs in this from the one that was read.',
    'nothing to do where that is meant',
  ),
} satisfies Record<string, CatalogueEntry>;
