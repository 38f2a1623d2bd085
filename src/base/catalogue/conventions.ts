import type { CatalogueEntry } from './entry.js';

/** What --assume changed. */
export const CONVENTION_CODES = {
  ASSUMPTION_APPLIED: {
    severity: 'note',
    title: 'assumption applied',
    meaning: 'Values were read as --assume says, and are written in the usual form.',
    consequence: 'Assumed again over the written traces, the values would be changed twice.',
    remedy: ['Leave `--assume` out when the written traces are read.'],
    example: {
      finding:
        'note ASSUMPTION_APPLIED: element-bytes=4: sizes read as elements of 4 bytes; 2 nodes changed, first node 1 of rank 0',
      mended: '`chakra-prep validate prepared`, without `--assume`.',
    },
    advice: 'leave --assume out when the written traces are read',
  },
  ASSUMPTION_UNUSED: {
    severity: 'warning',
    title: 'assumption without effect',
    meaning: 'Nothing in the traces is of the kind that --assume speaks of.',
    consequence: 'The values stay as they are; if the assumption was needed, they are still wrong.',
    remedy: ['Leave the assumption out, or check its name.'],
    example: {
      finding:
        'warning ASSUMPTION_UNUSED: scatter-size=shard changes nothing: these traces have no Scatter with a comm_size',
      mended: '`--assume` is left out.',
    },
    advice: 'leave it out, or check the name',
  },
  ASSUMPTION_INEXACT: {
    severity: 'warning',
    title: 'total that does not divide',
    meaning: 'A total size is no multiple of the group size; the shard was rounded up.',
    consequence:
      'The collective is a few bytes larger than stated. Sizes that do not divide often show that the assumption does not hold.',
    remedy: ['Check that the assumption holds for these traces: a total size is a multiple of the group size.'],
    example: {
      finding:
        'warning ASSUMPTION_INEXACT: gather-size=total: the size of 3 nodes is no multiple of the group size, rounded up; first node 1 "logits" of rank 0',
      mended: '`comm_size` is a multiple of the group size, or already that of a shard and the assumption is left out.',
    },
    advice: 'check that the assumption holds for these traces',
  },
} satisfies Record<string, CatalogueEntry>;
