import type { CatalogueEntry } from './entry.js';

/** What --assume changed. */
export const CONVENTION_CODES = {
  ASSUMPTION_APPLIED: {
    severity: 'note',
    title: 'assumption applied',
    meaning: 'Values were read as --assume says, and are written in the usual form.',
    consequence: 'Times and bytes follow from the values as assumed; if the assumption is wrong, so are they.',
    remedy: [
      'Nothing to do. Traces that are written with it say so in their metadata, and it is not applied to them again.',
    ],
    example: {
      finding:
        'note ASSUMPTION_APPLIED: element-bytes=4: sizes read as elements of 4 bytes; 2 nodes changed, first node 1 of rank 0',
      mended: 'The producer writes sizes in bytes, and the assumption is left out.',
    },
    advice: 'nothing to do; the written traces say that it was applied',
  },
  ASSUMPTION_DONE: {
    severity: 'note',
    title: 'assumption applied before',
    meaning: 'The metadata of the trace says that it was written with the assumption applied; it is not applied again.',
    consequence: 'None: applied twice, it would multiply or divide the values twice.',
    remedy: ['Leave the assumption out for these traces.'],
    example: {
      finding:
        'note ASSUMPTION_DONE: element-bytes=4: 2 ranks say that it was applied before; nothing is changed there',
      mended: '`chakra-prep validate prepared`, without `--assume`.',
    },
    advice: 'leave it out for these traces',
  },
  ASSUMPTION_UNUSED: {
    severity: 'warning',
    title: 'assumption without effect',
    meaning: 'Nothing in the traces is of the kind that --assume speaks of.',
    consequence: 'The values stay as they are; if the assumption was needed, they are still wrong.',
    remedy: ['Leave the assumption out.', 'Or check its name: docs/conventions.md says what each one speaks of.'],
    example: {
      finding:
        'warning ASSUMPTION_UNUSED: scatter-size=shard changes nothing: these traces have no Scatter with a comm_size',
      mended: '`--assume` is left out.',
    },
    advice: 'leave it out, or check the name',
  },
  ASSUMPTION_INEXACT: {
    severity: 'warning',
    title: 'assumption that leaves no whole value',
    meaning:
      'A total is no multiple of the group size and its share was rounded up, or a duration is no whole µs and was rounded.',
    consequence:
      'The collective is a few bytes larger, or the node a fraction of a µs longer or shorter, than stated. Sizes that do not divide often show that the assumption does not hold.',
    remedy: ['Check that the assumption holds for these traces: a total size is a multiple of the group size.'],
    example: {
      finding:
        'warning ASSUMPTION_INEXACT: gather-size=total: the size of 3 nodes is no multiple of the group size, rounded up; first node 1 "logits" of rank 0',
      mended: '`comm_size` is a multiple of the group size, or already that of a shard and the assumption is left out.',
    },
    advice: 'check that the assumption holds for these traces',
  },
  ASSUMPTION_POSITION: {
    severity: 'error',
    title: 'position that the group does not have',
    meaning: 'With root=position or peer=position a node names a position at or beyond the size of its group.',
    consequence: 'Which rank is meant is not known; the collective or transfer cannot run.',
    remedy: [
      'Check that the assumption holds for these traces: they may already name ranks of the job.',
      'Check the members of the group.',
    ],
    example: {
      finding:
        'error ASSUMPTION_POSITION: ranks 0, 1: root=position: one node names a position that the group does not have, first node 2 "coll2", position 3',
      mended: 'The root is a position from 0 to the size of the group less one: 0 or 1 of two ranks.',
    },
    advice: 'check that the assumption holds for these traces, and the members of the group',
  },
} satisfies Record<string, CatalogueEntry>;
