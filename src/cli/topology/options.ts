import type { Options } from 'yargs';
import { requestError } from '../../base/errors.js';
import { GENERATORS } from '../../network/topology/generators/generators.js';
import { WRITTEN_FORMS, type WrittenForm } from '../../network/topology/write/forms.js';
import { textFlag, type Flags } from '../command.js';

const READING = 'Showing:';
const GENERATING = 'Generating:';
const WRITING = 'Writing:';

/** Names of a generator's parameters by the flag that gives them. */
const PARAMETERS_OF_FLAGS: ReadonlyMap<string, string> = new Map(
  [
    ...GENERATORS.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    'gbps',
    'delayNs',
    'upGbps',
    'upDelayNs',
  ].map((name) => [flagOf(name), name]),
);

/** A flag for each parameter, which several types may have. */
const PARAMETER_OPTIONS = Object.fromEntries(
  [...new Set(GENERATORS.flatMap(({ parameters }) => parameters.map(({ name }) => name)))].map((name) => {
    const types = GENERATORS.filter(({ parameters }) => parameters.some((one) => one.name === name));
    const { describe, otherwise } = types[0].parameters.find((one) => one.name === name)!;
    const standard = otherwise === undefined ? '' : ` (default ${otherwise})`;
    return [flagOf(name), number(GENERATING, `${types.map(({ type }) => type).join(', ')}: ${describe}${standard}`)];
  }),
);

export const TOPOLOGY_OPTIONS: Readonly<Record<string, Options>> = {
  ranks: number(READING, 'number of hosts of a bare list of links, which does not say it'),
  logical: {
    group: READING,
    type: 'string',
    requiresArg: true,
    describe: 'logical topology, {"logical-dims": ["2", "4"]}, whose product must be the number of hosts',
  },
  ...PARAMETER_OPTIONS,
  gbps: number(GENERATING, 'rate of links to hosts, Gbit/s'),
  'delay-ns': number(GENERATING, 'delay of links to hosts, ns'),
  'up-gbps': number(GENERATING, 'rate of links between switches (default as --gbps)'),
  'up-delay-ns': number(GENERATING, 'delay of links between switches (default as --delay-ns)'),
  to: {
    group: WRITING,
    choices: WRITTEN_FORMS,
    requiresArg: true,
    describe: 'form that is written (generate: default json)',
  },
  o: {
    group: WRITING,
    alias: 'out',
    type: 'string',
    requiresArg: true,
    describe: 'file that is written, or - for stdout',
  },
  'mapping-out': {
    group: WRITING,
    type: 'string',
    requiresArg: true,
    describe: 'rail-optimised: mapping file with a scale-up group of each server, text or .json',
  },
  'scale-up-gbps': number(WRITING, 'with --mapping-out: bandwidth of a GPU in its group, Gbit/s'),
  'scale-up-switch-ns': number(WRITING, 'with --mapping-out: latency of a switch of a group, ns'),
  'scale-up-cable-ns': number(WRITING, 'with --mapping-out: latency of a cable of a group, ns'),
};

/** `hostsPerLeaf` is `--hosts-per-leaf`. */
function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function number(group: string, describe: string): Options {
  return { group, type: 'string', requiresArg: true, describe };
}

/**
 * A flag that is a number, or absent.
 * @throws PrepError `USAGE`
 */
export function numberFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw requestError('USAGE', `--${name} ${text}: expected a number`);
}

/** A flag that is a number and must be there. */
export function demandedNumber(flags: Flags, name: string, beside: string): number {
  const value = numberFlag(flags, name);
  if (value !== undefined) return value;
  throw requestError('OPTION_MISSING', `topology generate: --${name} is missing, which ${beside} needs`);
}

/** Parameters of a generator that flags give, by their own names. */
export function generatorParameters(flags: Flags): Record<string, number> {
  const parameters: Record<string, number> = {};
  for (const [flag, name] of PARAMETERS_OF_FLAGS) {
    const value = numberFlag(flags, flag);
    if (value !== undefined) parameters[name] = value;
  }
  return parameters;
}

/** The form that is written; one of a configuration that no topology has is meant for `convert`. */
export function writtenForm(flags: Flags): WrittenForm | undefined {
  const form = textFlag(flags, 'to');
  return WRITTEN_FORMS.find((known) => known === form);
}
