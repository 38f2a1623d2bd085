import type { StopEntry } from './entry.js';

/** The traces have problems, and a command that needs them sound stops before it writes anything. */
export const TRACE_STOPS = {
  PREPARATION_REFUSED: {
    exitStatus: 1,
    title: 'collectives do not fit together',
    meaning:
      'A caller of the library plans passes over traces whose collectives do not fit together; the message is that of the first finding. Commands check before they plan, and stop with TRACES_REFUSED.',
    remedy: ['Mend the findings of the error; `chakra-prep explain CODE` tells how.'],
    advice: 'see the findings of the error',
  },
  SERIALIZE_DEADLOCK: {
    exitStatus: 1,
    title: 'the order of issue makes ranks wait in a circle',
    meaning:
      '`serialize` would chain the collectives of each group in the order of issue, and with these dependencies the ranks would wait for each other for ever. The finding WAIT_CYCLE before it names the circle.',
    remedy: [
      'Issue the collectives in one order on all ranks.',
      'Or leave the chain out: `chakra-prep prepare traces --no-serialize -o prepared`.',
    ],
    advice: 'issue the collectives in one order on all ranks, or use --no-serialize',
  },
  TRACESET_INCOMPLETE: {
    exitStatus: 1,
    title: 'not exactly one file a rank',
    meaning: 'A command over all ranks was given a traceset in which a rank is missing or has two files.',
    remedy: [
      'Add the missing files, or name one of the doubled.',
      '`chakra-prep validate` tells which ranks they are.',
    ],
    advice: 'add the missing files, or name one of the doubled',
  },
  TRACES_REFUSED: {
    exitStatus: 1,
    title: 'the traces have errors',
    meaning: 'The check before a preparation found findings of severity error; nothing was written.',
    remedy: [
      'Mend the findings printed before it; `chakra-prep explain CODE` tells how.',
      '`chakra-prep validate` lists all.',
    ],
    advice: 'see the findings printed before it; validate lists all',
  },
  WARNING_ABORTS: {
    exitStatus: 1,
    title: 'a warning, and AbortOnChakraWarning is set',
    meaning: 'The configuration makes a warning stop a command as an error does (R-171), and there is one.',
    remedy: ['Mend what the warning tells of.', 'Or take `AbortOnChakraWarning` out of the configuration.'],
    advice: 'mend what is warned of, or unset it',
  },
  ID_SPACE: {
    exitStatus: 1,
    title: 'no ids left above the largest of a rank',
    meaning: 'New nodes get ids above the largest of their rank, and fewer are left below 2^64 than are needed.',
    remedy: ['Renumber the nodes of the rank, from 0.'],
    advice: 'give the nodes smaller ids',
  },
} satisfies Record<string, StopEntry>;
