import { requestError } from '../base/errors.js';
import type { Reading } from '../pipeline/open-traceset.js';
import { choiceFlag, textFlag, type Call } from './command.js';

/** What the reading options of a command say. */
export function readingOf({ inputs, flags, io }: Call): Reading {
  const groups = textFlag(flags, 'groups');
  const threads = flags.threads as number | undefined;
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1)) {
    throw requestError('THREADS_MALFORMED', `--threads ${threads}: expected a whole number from 1`);
  }
  const rankCount = flags.rankCount as number | undefined;
  return {
    inputs,
    stdin: io.stdin,
    deps: choiceFlag(flags, 'deps', 'both'),
    ...(groups === undefined ? {} : { groups }),
    ...(threads === undefined ? {} : { threads }),
    ...(rankCount === undefined ? {} : { rankCount }),
  };
}
