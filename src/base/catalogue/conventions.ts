import { entry, type CatalogueEntry } from './entry.js';

/** What --assume changed. */
export const CONVENTION_CODES = {
  ASSUMPTION_APPLIED: entry(
    'note',
    'assumption applied',
    'Values were read as --assume says, and are written in the usual form.',
    'nothing to do; the written traces say that it was applied',
  ),
  ASSUMPTION_DONE: entry(
    'note',
    'assumption applied before',
    'The metadata of the trace says that it was written with the assumption applied; it is not applied again.',
    'leave it out for these traces',
  ),
  ASSUMPTION_UNUSED: entry(
    'warning',
    'assumption without effect',
    'Nothing in the traces is of the kind that --assume speaks of.',
    'leave it out, or check the name',
  ),
  ASSUMPTION_INEXACT: entry(
    'warning',
    'assumption that leaves no whole value',
    'A total is no multiple of the group size and its share was rounded up, or a duration is no whole µs and was rounded.',
    'check that the assumption holds for these traces',
  ),
  ASSUMPTION_POSITION: entry(
    'error',
    'position that the group does not have',
    'With root=position or peer=position a node names a position at or beyond the size of its group.',
    'check that the assumption holds for these traces, and the members of the group',
  ),
} satisfies Record<string, CatalogueEntry>;
