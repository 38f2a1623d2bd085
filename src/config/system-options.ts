import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { parseTimePs } from '../base/units.js';
import {
  demandNoContradiction,
  demandNoneOfSystem,
  isTrue,
  numberOf,
  OWN_ALGORITHMS,
  queuesOf,
  settingText,
  type Contradiction,
  type Flags,
} from './system-settings.js';

/** Network models that ASTRA-sim's system layer runs on here. */
export const ANALYTICAL_BACKENDS = ['analytical-unaware', 'analytical-aware'] as const;
export type AnalyticalBackend = (typeof ANALYTICAL_BACKENDS)[number];

/** Network models of `--backend`. */
export const BACKENDS = [...ANALYTICAL_BACKENDS, 'packet'] as const;
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
  readonly backend: AnalyticalBackend;
}

export interface DerivedSystemOptions {
  readonly options: SystemRunOptions;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

const LEAVE_OUT = 'leave it out';

const CONTRADICTIONS: readonly Contradiction[] = [
  ...OWN_ALGORITHMS,
  {
    flag: 'backend',
    contradicts: (value) => value === 'packet',
    why: 'its system layer runs on the two analytical networks',
    advice: 'use analytical-unaware or analytical-aware',
  },
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
    flag: 'logical',
    why: 'its dimensions are those of the network file',
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
    flag: 'timeline',
    why: 'it shows single nodes and transfers, whose times such a run does not keep',
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
    backend: (flags.backend as AnalyticalBackend | undefined) ?? 'analytical-unaware',
  };
  const findings = UNUSED.filter(([flag, , agrees]) => flags[flag] !== undefined && agrees?.(flags[flag]) !== true).map(
    ([flag, why]) => finding('SETTING_UNUSED', `${settingText(flag, flags[flag])} is not used with --system: ${why}`),
  );
  return { options, findings };
}
