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
        'warning CONVERSION_LOSS: feeder JSON cannot carry control dependencies: 2 are left out, first rank 0 node 3',
      mended: 'converted with `--to jsonl`, which carries everything.',
    },
    advice: 'see docs/converters.md for what each form carries',
  },
} satisfies Record<string, CatalogueEntry>;
