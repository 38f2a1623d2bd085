import type { CatalogueEntry } from './entry.js';

/** Conversion between forms. */
export const CONVERSION_CODES = {
  CONVERSION_LOSS: {
    severity: 'warning',
    title: 'left out by a conversion',
    meaning:
      'The form that was asked for has no place for something that the traces say. The message names it, how often, and where first.',
    consequence: 'Who reads the output does not see it. Converting back does not bring it back either.',
    remedy: [
      'Keep the traces that were converted: they have everything.',
      'Choose a form that carries it; docs/converters.md says what each form carries.',
    ],
    example: {
      finding:
        'warning CONVERSION_LOSS: feeder JSON cannot carry attributes stream: 1 is left out, first rank 0 node 2',
      mended: 'converted with `--to jsonl`, which carries everything.',
    },
    advice: 'see docs/converters.md for what each form carries',
  },
  STAGE_KEY_UNREAD: {
    severity: 'note',
    title: 'a key of STAGE JSON that is not read',
    meaning: 'A node, or the file beside its nodes, has a key that is none of those of docs/converters.md.',
    consequence: 'What it says is in no output.',
    remedy: ['If it matters, write it as an attribute of the traces with a program of your own.'],
    example: {
      finding: 'note STAGE_KEY_UNREAD: rank 0: comm_priority is not read on 1 of 2 nodes',
      mended: 'without the key.',
    },
    advice: 'see docs/converters.md for the keys that are read',
  },
  STAGE_SIZE_ROUNDED: {
    severity: 'warning',
    title: 'a size of STAGE JSON that is no whole number',
    meaning:
      'STAGE works sizes out from symbols, as floats; one of them has a fraction. Chakra traces hold whole bytes and operations, so it is rounded up.',
    consequence: 'The trace has up to one byte or operation more than the file on each of these nodes.',
    remedy: ['Choose dimensions that the degrees of parallelism divide.'],
    example: {
      finding: 'warning STAGE_SIZE_ROUNDED: rank 0: comm_size is no whole number on 1 of 2 nodes, rounded up',
      mended: 'a size that is a whole number.',
    },
    advice: 'choose dimensions that the degrees of parallelism divide',
  },
} satisfies Record<string, CatalogueEntry>;
