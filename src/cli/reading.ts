import { requestError } from '../base/errors.js';
import type { Reading } from '../pipeline/open-traceset.js';
import { choiceFlag, textFlag, type Call, type Flags } from './command.js';

/** What the reading options of a command say. */
export function readingOf({ inputs, flags, io, findings }: Call): Reading {
  const groups = textFlag(flags, 'groups');
  const threads = threadsFlag(flags);
  const assume = [flags.assume ?? []].flat().map(String);
  const rankCount = flags.rankCount as number | undefined;
  return {
    inputs,
    stdin: io.stdin,
    deps: choiceFlag(flags, 'deps', 'both'),
    findings,
    ...(groups === undefined ? {} : { groups }),
    ...(assume.length === 0 ? {} : { assume }),
    ...(threads === undefined ? {} : { threads }),
    ...(rankCount === undefined ? {} : { rankCount }),
  };
}

/**
 * Worker threads as asked for, or absent.
 * @throws PrepError `THREADS_MALFORMED`
 */
export function threadsFlag(flags: Flags): number | undefined {
  const text = textFlag(flags, 'threads');
  if (text === undefined) return undefined;
  const threads = text.trim() === '' ? NaN : Number(text);
  if (!(Number.isInteger(threads) && threads >= 1)) {
    throw requestError('THREADS_MALFORMED', `--threads ${text}: expected a whole number from 1`);
  }
  return threads;
}
