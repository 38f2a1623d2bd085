import { requestError } from '../base/errors.js';
import { timeText } from '../base/units.js';
import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { FLAG_OF_ATTRIBUTE } from './attributes.js';

/** Values by flag name, of the command line over those of the configuration. */
export type Flags = Readonly<Record<string, unknown>>;

/** A setting that would make the run another one than ASTRA-sim's. */
export interface Contradiction {
  readonly flag: string;
  /** Whether a value is one; by default every value is. */
  readonly contradicts?: (value: unknown, flags: Flags) => boolean;
  readonly why: string;
  readonly advice: string;
}

/** Algorithms of our own beside those of the system file. */
export const OWN_ALGORITHMS: readonly Contradiction[] = COLLECTIVE_NAMES.map(({ option }) => ({
  flag: option,
  why: 'the system file says how collectives run',
  advice: 'leave it out; all-reduce-implementation and the like in the system file name the algorithms',
}));

/** Settings that say nothing without `--system`, and the values that are as good as none. */
const ONLY_WITH_SYSTEM: readonly (readonly [flag: string, isMeant: (value: unknown) => boolean])[] = [
  ['memory', () => true],
  ['num-queues-per-dim', () => true],
  ['injection-scale', () => true],
  ['rendezvous', isTrue],
  ['system-extensions', isTrue],
  ['report', (value) => value === 'astra-sim'],
];

/** Settings that have no flag. */
const ONLY_IN_CONFIGURATION: ReadonlySet<string> = new Set([
  'useMaxStart',
  'scaleUpHeaderSize',
  'scaleUpMaxPayloadSize',
  'beaconReportInterval',
  'seed',
]);
/** Settings that are ps where the configuration gives them. */
const TIMES: ReadonlySet<string> = new Set(['start-time', 'beaconReportInterval']);

/** Every rank has the queues of every dimension at hand, used or not. */
const MOST_QUEUES = 1024;

/** @throws PrepError `USAGE` */
export function queuesOf(flags: Flags): number {
  return numberOf(flags, 'num-queues-per-dim', 'a whole number from 1 to 1,024', isCount);
}

/**
 * @param only settings that the command has
 * @throws PrepError `SYSTEM_MISSING` for a setting of the system layer, where no `--system` is given
 */
export function demandNoneOfSystem(flags: Flags, only?: readonly string[]): void {
  for (const [flag, isMeant] of ONLY_WITH_SYSTEM) {
    const value = flags[flag];
    if (value === undefined || !isMeant(value) || only?.includes(flag) === false) continue;
    throw requestError(
      'SYSTEM_MISSING',
      `${settingText(flag, value)} is of ASTRA-sim's system layer, which runs with --system only`,
      `name the system file with --system, or leave --${flag} out`,
    );
  }
}

/** @throws PrepError `SYSTEM_CONTRADICTED` */
export function demandNoContradiction(flags: Flags, contradictions: readonly Contradiction[]): void {
  for (const { flag, contradicts, why, advice } of contradictions) {
    const value = flags[flag];
    if (value === undefined || contradicts?.(value, flags) === false) continue;
    throw requestError('SYSTEM_CONTRADICTED', `${settingText(flag, value)} does not go with --system: ${why}`, advice);
  }
}

/** A setting and its value: `--allreduce (AllReduceAlgorithm) tree`; without the flag where only the configuration has it. */
export function settingText(flag: string, value: unknown): string {
  if (flag === 'o') return `-o ${String(value)}`;
  const attribute = Object.keys(FLAG_OF_ATTRIBUTE).find((name) => FLAG_OF_ATTRIBUTE[name] === flag);
  const option = ONLY_IN_CONFIGURATION.has(flag) ? '' : `--${flag}`;
  const name = attribute === undefined ? option : option === '' ? attribute : `${option} (${attribute})`;
  if (value === true) return name;
  return `${name} ${typeof value === 'number' && TIMES.has(flag) ? timeText(value) : String(value)}`;
}

/** @throws PrepError `USAGE` */
export function numberOf(flags: Flags, flag: string, expected: string, valid: (value: number) => boolean): number {
  const value = flags[flag];
  if (value === undefined) return 1;
  const number = String(value).trim() === '' ? NaN : Number(value);
  if (Number.isFinite(number) && valid(number)) return number;
  throw requestError('USAGE', `--${flag} ${String(value)}: expected ${expected}`);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MOST_QUEUES;
}

export function isTrue(value: unknown): boolean {
  return value === true;
}
