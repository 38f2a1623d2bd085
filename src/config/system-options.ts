import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { parseTimePs, timeText } from '../base/units.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { FLAG_OF_ATTRIBUTE } from './attributes.js';

type Flags = Readonly<Record<string, unknown>>;

/** Network models of `--backend`. */
export const BACKENDS = ['analytical-unaware', 'analytical-aware'] as const;
export type Backend = (typeof BACKENDS)[number];

/** A run on ASTRA-sim's system layer, as far as flags and configuration say it with a default for each. */
export interface SystemRunOptions {
  /** Path of the system file. */
  readonly systemFile: string;
  /** Path of the remote memory file; without one an access to remote memory is an error. */
  readonly memoryFile?: string;
  /** Default 1. */
  readonly queuesPerDimension: number;
  /** Factor for `endpoint-delay`, 0 or more. Default 1. */
  readonly injectionScale: number;
  /** Section 14 of astra-sim-semantics. Default `false`. */
  readonly rendezvous: boolean;
  /** Whether settings of the system file that the program no longer has count. Default `false`. */
  readonly extensions: boolean;
  /** Default `analytical-unaware`. */
  readonly backend: Backend;
}

/** An expansion by the algorithms of ASTRA-sim's system layer. */
export interface ExpansionSystemOptions {
  /** Path of the system file. */
  readonly systemFile: string;
  /** Path of an analytical network file. */
  readonly network: string;
  /** Default 1. */
  readonly queuesPerDimension: number;
  /** Whether settings of the system file that ASTRA-sim no longer has count. Default `false`. */
  readonly extensions: boolean;
}

export interface DerivedSystemOptions {
  readonly options: SystemRunOptions;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/** A setting that would make the run another one than ASTRA-sim's. */
interface Contradiction {
  readonly flag: string;
  /** Whether a value is one; by default every value is. */
  readonly contradicts?: (value: unknown, flags: Flags) => boolean;
  readonly why: string;
  readonly advice: string;
}

const LEAVE_OUT = 'leave it out';

/** Every rank has the queues of every dimension at hand, used or not. */
const MOST_QUEUES = 1024;

const OWN_ALGORITHMS: readonly Contradiction[] = COLLECTIVE_NAMES.map(({ option }) => ({
  flag: option,
  why: 'the system file says how collectives run',
  advice: 'leave it out; all-reduce-implementation and the like in the system file name the algorithms',
}));

const CONTRADICTIONS: readonly Contradiction[] = [
  ...OWN_ALGORITHMS,
  {
    flag: 'serialize',
    contradicts: isTrue,
    why: 'ASTRA-sim runs the traces as they are',
    advice: 'leave it out, or give it traces that `chakra-prep serialize` wrote',
  },
  {
    flag: 'sync',
    contradicts: isTrue,
    why: 'ASTRA-sim runs the traces as they are',
    advice: LEAVE_OUT,
  },
  {
    flag: 'scale',
    contradicts: (value) => Number(value) !== 1,
    why: 'ASTRA-sim takes sizes and durations as they are',
    advice: 'leave it out, or give it traces that `chakra-prep scale` wrote',
  },
  {
    flag: 'order',
    contradicts: (value) => value !== 'ids',
    why: 'nodes are issued in ascending order of their ids',
    advice: LEAVE_OUT,
  },
  {
    flag: 'drop-missing-deps',
    contradicts: isTrue,
    why: 'ASTRA-sim refuses dependencies on missing nodes',
    advice: 'leave it out; `chakra-prep validate --fix` drops such dependencies',
  },
  {
    flag: 'mapping',
    contradicts: (_value, { useMapping }) => useMapping !== false,
    why: 'rank r is NPU r of the network',
    advice: LEAVE_OUT,
  },
  {
    flag: 'allow-extra-servers',
    contradicts: isTrue,
    why: 'every NPU of the network has its trace',
    advice: LEAVE_OUT,
  },
  {
    flag: 'start-time',
    contradicts: (value) => (typeof value === 'number' ? value : parseTimePs(String(value), '--start-time')) !== 0,
    why: 'every rank starts at 0',
    advice: LEAVE_OUT,
  },
  {
    flag: 'o',
    why: 'records are tables of single transfers, which such a run does not keep',
    advice: 'leave it out; --json has the numbers of ranks and collectives',
  },
  {
    flag: 'report',
    contradicts: (value) => value === 'timing',
    why: 'its lines are single transfers, which such a run does not keep',
    advice: 'use --report astra-sim, table, wall or none',
  },
];

/** Settings without effect, why, and whether a value says what happens anyway. */
const UNUSED: readonly (readonly [flag: string, why: string, agrees?: (value: unknown) => boolean])[] = [
  ['family', 'a rank runs one compute node at a time, for the whole of its duration'],
  ['useMaxStart', 'a collective starts with its first member', (value) => value === false],
  ['scaleUpHeaderSize', 'no rank is in a scale-up group'],
  ['scaleUpMaxPayloadSize', 'no rank is in a scale-up group'],
  ['beaconReportInterval', 'no records are written with --system'],
  ['seed', 'nothing is random'],
];

const ONLY_IN_CONFIGURATION: ReadonlySet<string> = new Set(
  UNUSED.map(([flag]) => flag).filter((flag) => flag !== 'family'),
);
/** Settings that are ps where the configuration gives them. */
const TIMES: ReadonlySet<string> = new Set(['start-time', 'beaconReportInterval']);

/** Settings that say nothing without `--system`, and the values that are as good as none. */
const ONLY_WITH_SYSTEM: readonly (readonly [flag: string, isMeant: (value: unknown) => boolean])[] = [
  ['memory', () => true],
  ['num-queues-per-dim', () => true],
  ['injection-scale', () => true],
  ['rendezvous', isTrue],
  ['system-extensions', isTrue],
  ['report', (value) => value === 'astra-sim'],
];

/**
 * The options of a run on ASTRA-sim's system layer; undefined where no `--system` asks for one.
 * @param flags values by flag name, of the command line over those of the configuration
 * @throws PrepError `SYSTEM_CONTRADICTED` for a setting that would make it another run, `SYSTEM_MISSING` for a setting of the
 *   system layer without `--system`, `USAGE` for a value out of range
 */
export function systemOptions(flags: Flags): DerivedSystemOptions | undefined {
  if (flags.system === undefined) {
    demandNoneOfSystem(flags);
    return undefined;
  }
  demandNoContradiction(flags, CONTRADICTIONS);
  const { memory } = flags;
  const options: SystemRunOptions = {
    systemFile: String(flags.system),
    ...(memory === undefined ? {} : { memoryFile: String(memory) }),
    queuesPerDimension: queuesOf(flags),
    injectionScale: numberOf(flags, 'injection-scale', 'a number, 0 or more', (value) => value >= 0),
    rendezvous: isTrue(flags.rendezvous),
    extensions: isTrue(flags['system-extensions']),
    backend: (flags.backend as Backend | undefined) ?? 'analytical-unaware',
  };
  const findings = UNUSED.filter(([flag, , agrees]) => flags[flag] !== undefined && agrees?.(flags[flag]) !== true).map(
    ([flag, why]) => finding('SETTING_UNUSED', `${named(flag, flags[flag])} is not used with --system: ${why}`),
  );
  return { options, findings };
}

/** Settings of the system layer that transfers have no place for. */
const NOT_IN_TRANSFERS: readonly (readonly [flag: string, isMeant: (value: unknown) => boolean, why: string])[] = [
  ['injection-scale', (value) => Number(value) !== 1, 'transfers have no endpoint delay'],
  ['rendezvous', isTrue, 'transfers are not asked for'],
];

export interface DerivedExpansionOptions {
  /** Absent where no `--system` is given. */
  readonly system?: ExpansionSystemOptions;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/**
 * What a command that expands collectives is told of ASTRA-sim's system layer.
 * @param command for messages
 * @throws PrepError `SYSTEM_CONTRADICTED` where an algorithm is named as well, `NETWORK_MISSING`, `SYSTEM_MISSING` for a setting of the
 *   system layer without `--system`, `USAGE` for a value out of range
 */
export function expansionOptions(flags: Flags, command: string): DerivedExpansionOptions {
  const { system, network } = flags;
  if (system === undefined) {
    demandNoneOfSystem(flags, ['num-queues-per-dim', 'system-extensions']);
    if (network === undefined) return { findings: [] };
    const message = `--network ${String(network)} is not used: without --system ${command} needs no network`;
    return { findings: [finding('SETTING_UNUSED', message)] };
  }
  demandNoContradiction(flags, OWN_ALGORITHMS);
  if (network === undefined) {
    throw requestError(
      'NETWORK_MISSING',
      `${command}: --network is missing; the algorithms of --system follow from the dimensions of a network`,
      'such as --network network.yml, an analytical one with as many NPUs as there are ranks',
    );
  }
  const findings = NOT_IN_TRANSFERS.filter(([flag, isMeant]) => flags[flag] !== undefined && isMeant(flags[flag])).map(
    ([flag, , why]) => finding('SETTING_UNUSED', `${named(flag, flags[flag])} is not used by ${command}: ${why}`),
  );
  return {
    system: {
      systemFile: String(system),
      network: String(network),
      queuesPerDimension: queuesOf(flags),
      extensions: isTrue(flags['system-extensions']),
    },
    findings,
  };
}

function queuesOf(flags: Flags): number {
  return numberOf(flags, 'num-queues-per-dim', 'a whole number from 1 to 1,024', isCount);
}

function demandNoneOfSystem(flags: Flags, only?: readonly string[]): void {
  for (const [flag, isMeant] of ONLY_WITH_SYSTEM) {
    const value = flags[flag];
    if (value === undefined || !isMeant(value) || only?.includes(flag) === false) continue;
    throw requestError(
      'SYSTEM_MISSING',
      `${named(flag, value)} is of ASTRA-sim's system layer, which runs with --system only`,
      `name the system file with --system, or leave --${flag} out`,
    );
  }
}

function demandNoContradiction(flags: Flags, contradictions: readonly Contradiction[]): void {
  for (const { flag, contradicts, why, advice } of contradictions) {
    const value = flags[flag];
    if (value === undefined || contradicts?.(value, flags) === false) continue;
    throw requestError('SYSTEM_CONTRADICTED', `${named(flag, value)} does not go with --system: ${why}`, advice);
  }
}

/** A setting and its value: `--allreduce (AllReduceAlgorithm) tree`; without the flag where only the configuration has it. */
function named(flag: string, value: unknown): string {
  if (flag === 'o') return `-o ${String(value)}`;
  const attribute = Object.keys(FLAG_OF_ATTRIBUTE).find((name) => FLAG_OF_ATTRIBUTE[name] === flag);
  const option = ONLY_IN_CONFIGURATION.has(flag) ? '' : `--${flag}`;
  const name = attribute === undefined ? option : option === '' ? attribute : `${option} (${attribute})`;
  if (value === true) return name;
  return `${name} ${typeof value === 'number' && TIMES.has(flag) ? timeText(value) : String(value)}`;
}

function numberOf(flags: Flags, flag: string, expected: string, valid: (value: number) => boolean): number {
  const value = flags[flag];
  if (value === undefined) return 1;
  const number = String(value).trim() === '' ? NaN : Number(value);
  if (Number.isFinite(number) && valid(number)) return number;
  throw requestError('USAGE', `--${flag} ${String(value)}: expected ${expected}`);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MOST_QUEUES;
}

function isTrue(value: unknown): boolean {
  return value === true;
}
