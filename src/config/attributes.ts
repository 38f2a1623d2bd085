import { grouped } from '../base/counts.js';
import { parseBytes, parseSecondsPs, parseTimePs } from '../base/units.js';

/**
 * Attribute names of R-010, and longer names, with the flag that says the same. A flag in camel case is no option of the
 * command line: only the configuration can say it.
 */
export const FLAG_OF_ATTRIBUTE: Readonly<Record<string, string>> = {
  AllReduceAlgorithm: 'allreduce',
  ReduceAlgorithm: 'reduce',
  AllGatherAlgorithm: 'allgather',
  ReduceScatterAlgorithm: 'reducescatter',
  ReduceScatterBlockAlgorithm: 'reducescatterblock',
  BroadcastAlgorithm: 'broadcast',
  GatherAlgorithm: 'gather',
  ScatterAlgorithm: 'scatter',
  AllToAllAlgorithm: 'alltoall',
  BarrierAlgorithm: 'barrier',
  ProcessGroupSerialization: 'serialize',
  CommCollectiveSynchronization: 'sync',
  UseMaxAsCommCollectiveStartTime: 'useMaxStart',
  AbortOnChakraWarning: 'abortOnWarning',
  MaxCountWarningsLoggedPerInstance: 'maxWarnings',
  NumOfChakraFiles: 'rankCount',
  UseMapping: 'useMapping',
  AllowExtraServers: 'allow-extra-servers',
  DropMissingDeps: 'drop-missing-deps',
  TraceFamily: 'family',
  ScaleUpHeaderSize: 'scaleUpHeaderSize',
  ScaleUpMaxPayloadSize: 'scaleUpMaxPayloadSize',
  ScaleUpStatsEnabled: 'scale-up-stats',
  StartTime: 'start-time',
  WarmUp: 'warmUp',
  RunTime: 'runTime',
  CoolDown: 'coolDown',
  BeaconReportInterval: 'beaconReportInterval',
  NDStatsReportInterval: 'ndStatsReportInterval',
  ProfilingEnabled: 'profilingEnabled',
  ProfilingInterval: 'profilingInterval',
  WallClock: 'wallClock',
  Seed: 'seed',
  out: 'o',
};

/** An attribute with a unit. */
export interface Quantity {
  /** The value in ps or bytes, from a number as it is written (seconds or bytes) or from text with a unit. Throws PrepError. */
  readonly read: (source: string, isNumber: boolean) => number;
  /** Bounds in ps or bytes. */
  readonly least: number;
  readonly largest: number;
  /** What is expected, for messages. */
  readonly expected: string;
}

const TIME = time('seconds as a number or text with a unit such as 1us, 0 or more', 0);
const INTERVAL = time('seconds as a number or text with a unit such as 1us, more than 0', 1);
const TIME_TEXT = time('text with a unit such as 1us', 0);
const INTERVAL_TEXT = time('text with a unit such as 1us, more than 0', 1);

/** Attributes and flags that have a unit. */
export const QUANTITIES: Readonly<Record<string, Quantity>> = {
  StartTime: TIME,
  WarmUp: TIME,
  RunTime: TIME,
  CoolDown: TIME,
  BeaconReportInterval: INTERVAL,
  NDStatsReportInterval: INTERVAL,
  ProfilingInterval: INTERVAL,
  'start-time': TIME_TEXT,
  until: TIME_TEXT,
  profiling: INTERVAL_TEXT,
  ScaleUpHeaderSize: size(0),
  ScaleUpMaxPayloadSize: size(1),
};

function time(expected: string, least: number): Quantity {
  return {
    read: (source, isNumber) => (isNumber ? parseSecondsPs(source) : parseTimePs(source)),
    least,
    largest: Infinity, // parsing refuses what no run can last
    expected,
  };
}

function size(least: number): Quantity {
  const largest = 67_108_864;
  return {
    read: parseBytes,
    least,
    largest,
    expected: `${least} to ${grouped(largest)} bytes, as an integer or as text with B, KB, KiB, MB or MiB, such as 4KiB`,
  };
}
