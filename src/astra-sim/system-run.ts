import type { AnalyticalSpec } from '../network/network-spec.js';
import type { ProcessGroup } from '../trace/process-group.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { RemoteMemoryConfiguration, SystemConfiguration } from './system-configuration.js';

/** A run on ASTRA-sim's system layer (`simulate --system`). */
export interface SystemRun {
  readonly rankCount: number;
  /** Gives the rank's trace to `use`; it is not to be kept. */
  withTrace<T>(rank: number, use: (trace: RankTrace) => T): T;
  /** Traces of a custom collective, `<prefix>.<position>.et`. Not called without custom implementations. */
  withCustomTrace<T>(prefix: string, position: number, use: (trace: RankTrace) => T): T;
  /** By name; members in the order of the group file. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  readonly network: AnalyticalSpec;
  readonly backend: 'analytical-unaware' | 'analytical-aware';
  readonly system: SystemConfiguration;
  readonly memory: RemoteMemoryConfiguration;
  readonly options: SystemOptions;
}

/** What the plans of its collectives follow from. */
export type CollectiveSetting = Pick<SystemRun, 'rankCount' | 'groups' | 'network' | 'system'>;

export interface SystemOptions {
  /** `--num-queues-per-dim`, 1 or more. */
  readonly queuesPerDimension: number;
  /** `--rendezvous` (section 14). */
  readonly rendezvous: boolean;
  /** Dependencies that count. */
  readonly deps: 'both' | 'data';
  /** Simulate every rank, also where one could stand for all: needed for the order in which ranks finish. Default `false`. */
  readonly everyRank?: boolean;
  /** Last instant that may be simulated, ns; Infinity for 2^53 − 1, the last that is exact. */
  readonly stopNs: number;
}
