import type { StopEntry } from './entry.js';

/** Text workloads and generated ones. */
export const WORKLOADS_STOPS = {
  CASE_UNKNOWN: {
    exitStatus: 2,
    title: 'no such case of the official generator',
    meaning: 'The name is none of the 14 cases that chakra_generator writes. The message lists them.',
    remedy: ['Correct the name; capitals and underscores count.'],
    advice: 'correct the name',
  },
  CASE_PARAMETER: {
    exitStatus: 2,
    title: 'a parameter of a case is no number that it can have',
    meaning:
      'Ranks, durations and sizes of a case are whole numbers; the message says which one is not, and its least value. The cases with a send or a receive need two ranks.',
    remedy: ['Correct the number that the message names.'],
    advice: 'correct the number named',
  },
} satisfies Record<string, StopEntry>;
