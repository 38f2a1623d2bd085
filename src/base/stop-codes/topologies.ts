import type { StopEntry } from './entry.js';

/** Descriptions of packet topologies, and what generates them. */
export const TOPOLOGY_STOPS = {
  TOPOLOGY_GENERATOR: {
    exitStatus: 2,
    title: 'topology that cannot be generated',
    meaning: 'The type is unknown, or a parameter of it is unknown, missing or out of range.',
    remedy: ['Use what the message lists; docs/topologies.md has the parameters of each type.'],
    advice: 'see docs/topologies.md for the parameters of each type',
  },
  TOPOLOGY_MALFORMED: {
    exitStatus: 2,
    title: 'topology with a wrong line, key or value',
    meaning: 'The description of a topology breaks a rule of the form it is in; the message has the place.',
    remedy: ['Correct the place that the message names; docs/topologies.md has all forms.'],
    advice: 'correct the place named; see docs/topologies.md',
  },
  TOPOLOGY_RANKS: {
    exitStatus: 2,
    title: 'list of links without the number of ranks',
    meaning: 'A list of links does not say which nodes are hosts: they are the ids below the number of ranks.',
    remedy: ['Say how many there are with `--ranks`.'],
    advice: 'say how many with --ranks',
  },
  TOPOLOGY_UNKNOWN: {
    exitStatus: 2,
    title: 'no topology',
    meaning: 'The file is in none of the forms of a topology, or in one that has no hosts and links.',
    remedy: ['Use one of the forms that the message lists; docs/topologies.md shows each.'],
    advice: 'use one of the forms of docs/topologies.md',
  },
} satisfies Record<string, StopEntry>;
