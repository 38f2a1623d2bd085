import type { StopEntry } from './entry.js';

/** Runs on ASTRA-sim's system layer. */
export const SYSTEM_RUN_STOPS = {
  SYSTEM_CUSTOM: {
    exitStatus: 1,
    title: 'trace of a custom collective that cannot run',
    meaning:
      'The trace that describes an algorithm has a node that is no send, receive or compute node, a dependency on a missing id, no node to start with, or a message without size, tag or a partner of the group.',
    remedy: [
      'Correct the node that the message names; a partner is a position of the group, from 0.',
      'docs/astra-sim.md says what such a trace holds.',
    ],
    advice: 'correct the trace of the algorithm',
  },
  SYSTEM_IMPLEMENTATION: {
    exitStatus: 2,
    title: 'implementation that cannot run there',
    meaning:
      'The system file has no implementation for a collective of the traces, more entries than the network has dimensions, or an algorithm that does not do: `halvingDoubling` and `doubleBinaryTree` need a power of two of ranks, and `halvingDoubling` has no all-to-all. ASTRA-sim aborts, crashes or stalls.',
    remedy: ['Change the list that the message names: `ring` and `direct` run over any number of ranks.'],
    advice: 'use ring or direct there',
  },
} satisfies Record<string, StopEntry>;
