import type { StopEntry } from './entry.js';

/** Conversion between forms. */
export const CONVERSION_STOPS = {
  OPTION_MALFORMED: {
    exitStatus: 2,
    title: 'value of an option cannot be read',
    meaning: 'An option of a conversion, such as --ranks, is no whole number from 1.',
    remedy: ['Write a whole number, such as `--ranks 8`.'],
    advice: 'use a whole number from 1',
  },
  OPTION_NOT_TAKEN: {
    exitStatus: 2,
    title: 'an option that this conversion has no use for',
    meaning:
      'An option of the command line or of the configuration is for other forms than the two of this conversion, or for tracesets alone; a conversion that took no notice of it would not be the one that was asked for.',
    remedy: ['Leave the option out.', 'docs/converters.md says which options each form takes.'],
    advice: 'leave it out',
  },
} satisfies Record<string, StopEntry>;
