import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { runTimes, type RunTimes, type TimeSetting, type TimeSettings } from './run-times.js';

/** Forms of the records. */
export const RECORDS_FORMATS = ['csv', 'parquet'] as const;
export type RecordsFormat = (typeof RECORDS_FORMATS)[number];

/** How a traceset is simulated, as far as flags and configuration say it with a default for each. */
export interface RunOptions extends RunTimes {
  /** Path of a mapping file. Default: none, ranks are placed in order. */
  readonly mapping?: string;
  /** Whether the mapping file counts. Default: `true` where one is named. */
  readonly useMapping: boolean;
  /** Leave surplus servers idle instead of refusing them. Default `false`. */
  readonly allowExtraServers: boolean;
  /** Ignore data dependencies on missing nodes, with a warning. Default `false`. */
  readonly dropMissingDependencies: boolean;
  /** Header of a scale-up packet, bytes. Default 24. */
  readonly scaleUpHeaderBytes: number;
  /** Data of a scale-up packet at most, bytes. Default 4,096. */
  readonly scaleUpMaxPayloadBytes: number;
  /** Rows for the scale-up fabric in nd-stats. Default `false`. */
  readonly scaleUpStats: boolean;
  /** Default `csv`. */
  readonly recordsFormat: RecordsFormat;
  /** Real times of day in the records instead of constants. Default `false`. */
  readonly wallClock: boolean;
  /** Start of the random numbers, unsigned 32 bits. Default 1. */
  readonly seed: number;
  /** Warnings logged at most; the rest does not count for the abort rule. Default 30,000. */
  readonly maxWarnings: number;
}

export interface DerivedOptions {
  readonly options: RunOptions;
  /** What the stop comes from: `--until 5ms`, `RunTime 10 s`. */
  readonly stoppedBy: string;
  /** Settings that count for nothing. */
  readonly findings: readonly Finding[];
}

/** MaxCountWarningsLoggedPerInstance by default. */
export const DEFAULT_MAX_WARNINGS = 30_000;

/**
 * The options of a run.
 * @param flags values by flag name, of the command line over those of the configuration, each checked when it was read
 * @throws PrepError `MAPPING_MISSING`, and what {@link runTimes} throws
 */
export function runOptions(flags: Readonly<Record<string, unknown>>): DerivedOptions {
  const { times, stoppedBy, findings } = runTimes(timeSettings(flags));
  const mapping = flags.mapping as string | undefined;
  const { useMapping, ignored } = mappingChoice(mapping, flags.useMapping as boolean | undefined);
  const options: RunOptions = {
    ...times,
    ...(mapping === undefined ? {} : { mapping }),
    useMapping,
    allowExtraServers: flags['allow-extra-servers'] === true,
    dropMissingDependencies: flags['drop-missing-deps'] === true,
    scaleUpHeaderBytes: number(flags.scaleUpHeaderSize, 24),
    scaleUpMaxPayloadBytes: number(flags.scaleUpMaxPayloadSize, 4096),
    scaleUpStats: flags['scale-up-stats'] === true,
    recordsFormat: (flags['records-format'] as RecordsFormat | undefined) ?? 'csv',
    wallClock: flags.wallClock === true,
    seed: number(flags.seed, 1),
    maxWarnings: number(flags.maxWarnings, DEFAULT_MAX_WARNINGS),
  };
  return { options, stoppedBy, findings: [...findings, ...ignored, ...unusedWithoutRecords(flags)] };
}

/** What only says how records are written, and its names. */
const ABOUT_RECORDS = {
  'records-format': '--records-format',
  profiling: '--profiling',
  profilingEnabled: 'ProfilingEnabled',
  'scale-up-stats': '--scale-up-stats (ScaleUpStatsEnabled)',
  wallClock: 'WallClock',
  ndStatsReportInterval: 'NDStatsReportInterval',
} as const;

function unusedWithoutRecords(flags: Readonly<Record<string, unknown>>): Finding[] {
  if (flags.o !== undefined) return [];
  const why = `no records are written with${flags.system === undefined ? 'out -o' : ' --system'}`;
  return Object.entries(ABOUT_RECORDS)
    .filter(([flag]) => flags[flag] !== undefined && flags[flag] !== false)
    .filter(([flag]) => flag !== 'wallClock' || flags.report !== 'astra-sim') // its lines begin with the time
    .map(([, name]) => finding('SETTING_UNUSED', `${name} is not used: ${why}`));
}

/** What a run does that is told nothing. */
export const DEFAULT_RUN_OPTIONS: RunOptions = runOptions({}).options;

/** UseMapping: without it a mapping counts where a file is named. */
function mappingChoice(
  mapping: string | undefined,
  useMapping: boolean | undefined,
): { useMapping: boolean; ignored: readonly Finding[] } {
  if (useMapping === true && mapping === undefined) {
    throw requestError('MAPPING_MISSING', 'UseMapping is true, and no mapping file is named');
  }
  if (useMapping === false && mapping !== undefined) {
    const message = `${mapping} is not used: UseMapping is false, ranks are placed in order`;
    return { useMapping: false, ignored: [finding('MAPPING_IGNORED', message, { file: mapping })] };
  }
  return { useMapping: mapping !== undefined, ignored: [] };
}

function timeSettings(flags: Readonly<Record<string, unknown>>): TimeSettings {
  const settings: Record<string, unknown> = {
    until: flags.until,
    startTime: flags['start-time'],
    warmUp: flags.warmUp,
    runTime: flags.runTime,
    coolDown: flags.coolDown,
    beaconReportInterval: flags.beaconReportInterval,
    ndStatsReportInterval: flags.ndStatsReportInterval,
    profiling: flags.profiling,
    profilingEnabled: flags.profilingEnabled,
    profilingInterval: flags.profilingInterval,
  } satisfies Record<keyof TimeSettings, unknown>;
  const given = Object.entries(settings).filter(([, setting]) => setting !== undefined);
  return Object.fromEntries(given as [string, TimeSetting][]);
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
