import type { Options } from 'yargs';
import type { ExitStatus } from '../base/errors.js';
import type { Io, Printer } from './io.js';

/** Parsed flags by camel-case name, with the values of `--config` under those the command line leaves out. */
export type Flags = Readonly<Record<string, unknown>>;

/** What a command is run with. */
export interface Call {
  /** The inputs named on the command line. */
  readonly inputs: readonly string[];
  readonly flags: Flags;
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
  run(call: Call): Promise<ExitStatus>;
}

/** A flag that must be text, or absent. */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value.at(-1) : value);
}

/** A flag with a fixed set of values, checked when it was parsed. */
export function choiceFlag<T extends string>(flags: Flags, name: string, otherwise: T): T {
  return (textFlag(flags, name) as T | undefined) ?? otherwise;
}

/** A yes-or-no flag. */
export function yesFlag(flags: Flags, name: string, otherwise: boolean): boolean {
  const value = flags[name];
  return value === undefined ? otherwise : value === true;
}
