import { entry, type CatalogueEntry } from './entry.js';

/** What --assume changed. */
export const CONVENTION_CODES = {
  ASSUMPTION_APPLIED: entry(
    'note',
    'assumption applied',
    'Values were read as --assume says, and are written in the usual form.',
    'leave --assume out when the written traces are read',
  ),
  ASSUMPTION_UNUSED: entry(
    'warning',
    'assumption without effect',
    'Nothing in the traces is of the kind that --assume speaks of.',
    'leave it out, or check the name',
  ),
  ASSUMPTION_INEXACT: entry(
    'warning',
    'total that does not divide',
    'A total size is no multiple of the group size; the shard was rounded up.',
    'check that the assumption holds for these traces',
  ),
} satisfies Record<string, CatalogueEntry>;
