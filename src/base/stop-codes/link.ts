import type { StopEntry } from './entry.js';

/** Linking of PyTorch host and device traces. */
export const LINK_STOPS = {
  LINK_PAIR_REFUSED: {
    exitStatus: 1,
    title: 'host and device trace do not belong together',
    meaning:
      'The ops of the host trace and those of the device trace have different names where their ids say that they are the same, or nothing brings them together: they are of different ranks, runs or programs. A link made in spite of that would attach kernels to the wrong ops and still add up.',
    remedy: [
      'Give the two traces of one rank and one run.',
      'Or force the link, where both are known to be of runs that did the same.',
    ],
    advice: 'give the two traces of one rank and one run, or force the link',
  },
} satisfies Record<string, StopEntry>;
