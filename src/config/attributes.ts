import { grouped } from '../base/counts.js';
import { parseBitRateGbps, parseBitsPerSecondGbps, parseBytes, parseSecondsPs, parseTimePs } from '../base/units.js';
import { PACKET_ATTRIBUTE_NAMES } from '../network/packet/settings/stated-settings.js';

/** Settings of the packet network with a flag of their own; the others have none, and go by their own name. */
const PACKET_FLAGS: Readonly<Record<string, string>> = {
  EcmpMode: 'ecmp',
  CongestionControl: 'congestion-control',
  PfcMode: 'pfc',
  Trimming: 'trimming',
};

/**
 * Attribute names of R-010, and longer names, with the flag that says the same. A flag in camel case is no option of the
 * command line: only the configuration and --set can say it.
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
  ...Object.fromEntries(PACKET_ATTRIBUTE_NAMES.map((name) => [name, PACKET_FLAGS[name] ?? name])),
};

/** An attribute with a unit. */
export interface Quantity {
  /** `limit`: a size, or Infinity for none. */
  readonly kind: 'time' | 'size' | 'limit' | 'rate';
  /**
   * The value in ps, bytes or Gbit/s, from a number as it is written (seconds, bytes or bit/s) or from text with a unit.
   * Throws PrepError.
   */
  readonly read: (source: string, isNumber: boolean) => number;
  /** Bounds in ps, bytes or Gbit/s. */
  readonly least: number;
  readonly largest: number;
  /** What is expected, for messages. */
  readonly expected: string;
}

const TIME = time('seconds as a number or text with a unit such as 1us, 0 or more', 0);
const INTERVAL = time('seconds as a number or text with a unit such as 1us, more than 0', 1);
const TIME_TEXT = time('text with a unit such as 1us', 0);
const INTERVAL_TEXT = time('text with a unit such as 1us, more than 0', 1);

/** Of a switch, bytes: 1 TiB. */
const BUFFER_LARGEST = 2 ** 40;
const LIMIT: Quantity = {
  kind: 'limit',
  read: (source) => (source.trim() === 'none' ? Infinity : parseBytes(source)),
  least: 1,
  largest: Infinity,
  expected: 'at least 1 byte, as an integer or as text with B, KB, KiB, MB or MiB, such as 300KB, or none',
};
const RATE: Quantity = {
  kind: 'rate',
  read: (source, isNumber) => (isNumber ? parseBitsPerSecondGbps(source) : parseBitRateGbps(source)),
  least: Number.MIN_VALUE,
  largest: Number.MAX_VALUE,
  expected: 'bit/s as a number or text with a unit such as 400Gbps, more than 0',
};

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

  MSS: size(1),
  Mtu: size(1),
  MinFrameBytes: size(0),
  PhyOverheadBytes: size(0),
  DataHeaderBytes: size(0),
  AckBytes: size(1),
  NackBytes: size(1),
  CnpBytes: size(1),
  ProbeBytes: size(1),
  TrimmedBytes: size(1),
  PfcFrameBytes: size(1),
  SwitchLatency: TIME,
  PlaneBDP: size(1, BUFFER_LARGEST),
  Xoff: size(0, BUFFER_LARGEST),
  Xon: size(0, BUFFER_LARGEST),
  Headroom: size(0, BUFFER_LARGEST),
  BufferBytes: size(1, BUFFER_LARGEST),
  EgressLimit: LIMIT,
  ControlLimit: LIMIT,
  EcnKmin: size(0, BUFFER_LARGEST),
  EcnKmax: size(0, BUFFER_LARGEST),
  TxStartLatency: TIME,
  RxLatency: TIME,
  AckTurnaround: TIME,
  LaneBps: RATE,
  AckDelay: TIME,
  RetransmitTimeout: INTERVAL,
  CnpInterval: TIME,
  DcqcnAlphaPeriod: INTERVAL,
  DcqcnRatePeriod: INTERVAL,
  DcqcnDecreasePeriod: TIME,
  DcqcnByteCounter: LIMIT,
  DcqcnRai: RATE,
  DcqcnRhai: RATE,
  DcqcnRmin: RATE,
  UetTimeout: INTERVAL,
  InitialBaseRTT: INTERVAL,
  ReferenceLinkSpeed: RATE,
  ReferenceRTT: INTERVAL,
  ProbeInterval: INTERVAL,
};

function time(expected: string, least: number): Quantity {
  return {
    kind: 'time',
    read: (source, isNumber) => (isNumber ? parseSecondsPs(source) : parseTimePs(source)),
    least,
    largest: Infinity, // parsing refuses what no run can last
    expected,
  };
}

function size(least: number, largest = 67_108_864): Quantity {
  return {
    kind: 'size',
    read: parseBytes,
    least,
    largest,
    expected: `${least} to ${grouped(largest)} bytes, as an integer or as text with B, KB, KiB, MB or MiB, such as 4KiB`,
  };
}
