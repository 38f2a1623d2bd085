import type { CatalogueEntry } from './entry.js';

/** Pictures of traces and runs. */
export const DRAWINGS_CODES = {
  TIMELINE_LEFT_OUT: {
    severity: 'note',
    title: 'not in the timeline',
    meaning: 'The picture of a run does not show everything that happened; the message says what and how much.',
    consequence: 'The records and the summary count all of it.',
    remedy: [
      'Ask for more ranks with `--timeline-ranks`, or for all by leaving it out.',
      'Look in `post_annotated` for the times of every node.',
    ],
    example: {
      finding: 'note TIMELINE_LEFT_OUT: the timeline does not show 2 nodes that the run did not come to',
      mended: 'a run that finishes, with all ranks asked for.',
    },
    advice: 'see docs/visualize.md for what is drawn',
  },
} satisfies Record<string, CatalogueEntry>;
