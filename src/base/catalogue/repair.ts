import { entry, type CatalogueEntry } from './entry.js';

/** What --fix changed, and what it could not. */
export const REPAIR_CODES = {
  REPAIRED: entry(
    'note',
    'repaired by --fix',
    'The traceset that was written differs in this from the one that was read.',
    'nothing to do where that is meant',
  ),
  NOT_REPAIRED: entry(
    'note',
    'left by --fix',
    'Only a guess could repair it; `validate` reports what stands in the way.',
    'mend what stands in the way, or its producer, first',
  ),
} satisfies Record<string, CatalogueEntry>;
