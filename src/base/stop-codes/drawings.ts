import type { StopEntry } from './entry.js';

/** Pictures of traces and runs. */
export const DRAWINGS_STOPS = {
  DRAWING_NODE_ABSENT: {
    exitStatus: 2,
    title: 'no node to draw from',
    meaning: '`--around`, `--from-id` or `--to-id` of `visualize` names an id that no node of the ranks drawn has.',
    remedy: ['Look with `chakra-prep inspect --nodes` for the id; leave `--rank` away to look on all ranks.'],
    advice: 'name the id of a node',
  },
  DRAWING_OPTION: {
    exitStatus: 2,
    title: 'an option that this picture does not take',
    meaning:
      'The form that `--to` names has no use for an option: nodes are chosen in pictures of traces, a network is for a timeline. Or an option is given without the one it belongs to.',
    remedy: ['Leave the option that the message names away, or choose another form.'],
    advice: 'leave the option away',
  },
} satisfies Record<string, StopEntry>;
