import { requestError } from '../../base/errors.js';
import { readDurations } from '../../pipeline/generation/read-durations.js';
import { demandCase, flagsOfCase, TRANSFORMER, type WorkloadRequest } from '../../workloads/generated-workload.js';
import { OFFICIAL_CASES, type OfficialCaseParameters } from '../../workloads/official-cases.js';
import { OFFICIAL_FLAGS } from '../../workloads/official-parameters.js';
import { FLAG_OF_PARAMETER, type StatedTransformer } from '../../workloads/transformer/parameters.js';
import { textFlag, type Flags } from '../command.js';
import { CASE_OPTIONS } from './options.js';

/** Stands for all official cases. */
const ALL_OFFICIAL = 'official';

/** Parameters of `transformer` that are words. */
const WORDS: ReadonlySet<string> = new Set(['schedule', 'recompute', 'rankOrder']);
/** Those that are numbers with a fraction. */
const FRACTIONS: ReadonlySet<string> = new Set(['peakTflops', 'memoryGbps']);

/**
 * The workloads that a name and flags ask for: one, or all official ones.
 * @throws PrepError `CASE_UNKNOWN`, `OPTION_NOT_TAKEN`, `CASE_PARAMETER`, and what reading durations throws
 */
export function workloadsOf(name: string, flags: Flags): WorkloadRequest[] {
  if (name !== ALL_OFFICIAL) demandCase(name);
  demandTaken(name, flags);
  if (name === TRANSFORMER) return [{ name, parameters: transformer(flags) }];
  const parameters: Partial<OfficialCaseParameters> = Object.fromEntries(
    Object.entries(OFFICIAL_FLAGS).flatMap(([parameter, flag]) => {
      const value = numberFlag(name, flags, flag);
      return value === undefined ? [] : [[parameter, value]];
    }),
  );
  return (name === ALL_OFFICIAL ? OFFICIAL_CASES : [name]).map((official) => ({ name: official, parameters }));
}

function demandTaken(name: string, flags: Flags): void {
  const taken = flagsOfCase(name);
  const other = Object.keys(CASE_OPTIONS).find((flag) => flags[flag] !== undefined && !taken.includes(flag));
  if (other === undefined) return;
  const list = taken.map((flag) => `--${flag}`).join(', ');
  const what = name === ALL_OFFICIAL ? 'the official cases have' : `${name} has`;
  throw requestError('OPTION_NOT_TAKEN', `--${other}: ${what} no use for it`, `leave it out; there are ${list}`);
}

function transformer(flags: Flags): StatedTransformer {
  const stated: Record<string, unknown> = {};
  for (const [parameter, flag] of Object.entries(FLAG_OF_PARAMETER)) {
    const value = flags[flag];
    if (value === undefined) continue;
    if (parameter === 'durationsMicros') stated[parameter] = readDurations(textFlag(flags, flag)!);
    else if (parameter === 'sp') stated[parameter] = value === true || textFlag(flags, flag) === 'yes';
    else if (typeof value === 'boolean') stated[parameter] = value;
    else if (WORDS.has(parameter)) stated[parameter] = textFlag(flags, flag);
    else stated[parameter] = numberFlag(TRANSFORMER, flags, flag, FRACTIONS.has(parameter));
  }
  return stated;
}

/** @throws PrepError `CASE_PARAMETER` for text that is no number */
function numberFlag(name: string, flags: Flags, flag: string, fraction = false): number | undefined {
  const text = textFlag(flags, flag);
  if (text === undefined) return undefined;
  if ((fraction ? /^[0-9]+(\.[0-9]+)?$/ : /^[0-9]+$/).test(text)) return Number(text);
  const expected = fraction ? 'a number, such as 989.5' : 'a whole number';
  throw requestError('CASE_PARAMETER', `${name}: --${flag} ${text}: expected ${expected}`);
}
