import type { StopEntry } from './entry.js';

/** Calls of the feeder that do not fit its state; they come from a program that uses the library. */
export const FEEDER_STOPS = {
  FEEDER_CLOSED: {
    exitStatus: 2,
    title: 'a feeder was used after it was closed',
    meaning: 'A call of the feeder, or of one of its nodes, came after `close`.',
    remedy: ['Close the feeder behind the last use of it and of its nodes.'],
    advice: 'close it behind the last use',
  },
  FEEDER_NODE_ABSENT: {
    exitStatus: 2,
    title: 'the feeder has no such node',
    meaning:
      'A node was asked for that is not in memory: not read yet, removed, or none of the trace. Ids are bigints.',
    remedy: ['Ask for a node that was read and not removed, by a bigint such as `17n`.'],
    advice: 'ask for a node that was read and not removed',
  },
  FEEDER_NODE_STATE: {
    exitStatus: 2,
    title: 'a node of the feeder is not at that step',
    meaning:
      'A node was freed that is not issued, removed that is not freed, or pushed back in another state than issued.',
    remedy: ['Issue a node, then free its children, then remove it.'],
    advice: 'issue, then free, then remove',
  },
  FEEDER_WINDOW: {
    exitStatus: 2,
    title: 'number of nodes in a window cannot be used',
    meaning: '`windowNodes` is no whole number from 1 and not Infinity.',
    remedy: ['Use a whole number from 1, or Infinity for the whole trace.'],
    advice: 'use a whole number from 1, or Infinity',
  },
} satisfies Record<string, StopEntry>;
