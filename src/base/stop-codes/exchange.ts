import type { StopEntry } from './entry.js';

/** Formats of other programs: MSCCL, GOAL, ns-3, htsim, SimGrid. */
export const EXCHANGE_STOPS = {
  COLLECTIVE_NOT_EXPANDED: {
    exitStatus: 1,
    title: 'a collective has to be expanded first',
    meaning:
      'The form that was asked for has sends and receives only, or no place for this collective, and the traces have it as one node.',
    remedy: ['Expand the traces, `chakra-prep expand traces -o expanded`, and convert these.'],
    advice: 'expand the traces first: chakra-prep expand <in> -o <dir>',
  },
  JOB_STALLS: {
    exitStatus: 1,
    title: 'a job that never ends',
    meaning:
      'The form needs an order or start times for all transfers, and a receive gets no message, or ranks wait for each other in a circle.',
    remedy: ['`chakra-prep validate` and `chakra-prep simulate` tell what waits for what.', 'Mend the traces.'],
    advice: 'validate tells what waits for what',
  },
  GOAL_MALFORMED: {
    exitStatus: 3,
    title: 'a GOAL schedule cannot be read',
    meaning:
      'The text does not follow the grammar, mentions a label or a rank that is not there, or the binary does not fit its own numbers. The message has line and column, or the byte.',
    remedy: ['Correct what stands there, or write the file anew with the tool that made it.'],
    advice: 'correct what stands at the place named',
  },
} satisfies Record<string, StopEntry>;
