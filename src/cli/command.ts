import type { Options } from 'yargs';
import { requestError, type ExitStatus } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { WarningRule } from '../pipeline/demand-no-errors.js';
import type { Io, Printer } from './io.js';

/** Parsed flags by name, with the values of `--config` under those the command line leaves out. */
export type Flags = Readonly<Record<string, unknown>>;

/** What a command is run with. */
export interface Call {
  /** The words behind the command: its inputs, at least one. */
  readonly inputs: readonly string[];
  readonly flags: Flags;
  /** What is to be said of the configuration. */
  readonly findings: readonly Finding[];
  readonly io: Io;
  readonly printer: Printer;
}

/** A command as a value: parse, call one library function, print. It loads that function's module when it is run. */
export interface Command {
  readonly name: string;
  /** Words after the name in the usage line: `<in..> -o <dir>`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Beginning of its help: what it reads and what it writes. */
  readonly help: string;
  readonly options: Readonly<Record<string, Options>>;
  /** Command lines after `chakra-prep` that end the help, each with what it does. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  /**
   * Tells inputs from values where an option takes a word or none; left out where the parser can tell.
   * @param words behind the command
   * @param given flags of the command line; one that was given several times is a list
   */
  sortWords?(words: readonly string[], given: Flags): Promise<{ words: readonly string[]; given: Flags }>;
  run(call: Call): Promise<ExitStatus>;
}

/** A flag that must be text, or absent. */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value.at(-1) : value);
}

/**
 * The output that `-o` names, `-` for stdout; absent where it is not given.
 * @throws PrepError `USAGE` for an empty name, which would mean the folder one is in
 */
export function outputOf(flags: Flags): string | undefined {
  const out = textFlag(flags, 'o');
  if (out !== '') return out;
  throw requestError(
    'USAGE',
    '-o: the name is empty, expected a folder, or - for stdout',
    '-o . is the folder you are in',
  );
}

/** A flag with a fixed set of values, checked when it was parsed. */
export function choiceFlag<T extends string>(flags: Flags, name: string, otherwise: T): T {
  return (textFlag(flags, name) as T | undefined) ?? otherwise;
}

/**
 * A flag that is a scaling factor, or absent.
 * @throws PrepError `SCALE_OUT_OF_RANGE`
 */
export function factorFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  const factor = text.trim() === '' ? NaN : Number(text);
  if (!(factor >= 0 && factor <= 1)) {
    throw requestError('SCALE_OUT_OF_RANGE', `--${name} ${text}: expected a number from 0 to 1`);
  }
  return factor;
}

/** A yes-or-no flag. */
export function yesFlag(flags: Flags, name: string, otherwise: boolean): boolean {
  const value = flags[name];
  return value === undefined ? otherwise : value === true;
}

/** What warnings do to a command, as the configuration says. */
export function warningRule(flags: Flags): WarningRule {
  return {
    abortOnWarning: flags.abortOnWarning === true,
    ...(typeof flags.maxWarnings === 'number' ? { maxWarnings: flags.maxWarnings } : {}),
  };
}
