import type { Finding } from '../base/finding.js';
import type { Stopwatch } from '../base/stopwatch.js';
import type { CollectivePlan } from '../collectives/plan.js';
import type { NetworkFactory } from '../network/network.js';

/** Whether durations are for a compute unit of its own, or were measured with sharing in them. */
export type TraceFamily = 'synthesized' | 'compiled' | 'collected';

/** How the nodes of a traceset are read. */
export interface GatheringOptions {
  /** Dependencies that count: control and data alike, or data only. Default `both`. */
  readonly deps?: 'both' | 'data';
  /** Default `synthesized`. */
  readonly family?: TraceFamily;
  /** Factor for sizes and durations, applied to each node as it is read. Default 1. */
  readonly scale?: number;
  /** Ignore data dependencies on missing nodes, with a finding, instead of refusing them. Default `false`. */
  readonly dropMissingDependencies?: boolean;
}

/** How a traceset is replayed. */
export interface ReplayOptions extends GatheringOptions {
  readonly network: NetworkFactory;
  /**
   * Collectives to replay without expanding them; needs a network without contention. Collective nodes that are in no
   * plan take no time.
   */
  readonly plan?: CollectivePlan;
  /** Whether each collective of the plan is preceded by a barrier. Default `false`. */
  readonly sync?: boolean;
  /** Whether a collective starts with the latest first transfer of its members or with the earliest. Default `true`. */
  readonly useMaxAsStart?: boolean;
  /** When every rank starts, ps. Default 0. */
  readonly startPs?: number;
  /** Last instant that may be simulated, ps. Default: until nothing is left to do. */
  readonly stopPs?: number;
  /** How long the simulation goes on after the last rank has ended, ps. Default 1 ms. */
  readonly beaconIntervalPs?: number;
  /** Told what reading and pairing found, before simulated time begins; may throw to stop the run. */
  readonly beforeRun?: (findings: readonly Finding[]) => void;
  /** Told what takes how long. Default: nobody is. */
  readonly stopwatch?: Stopwatch;
  /** Keep a row for every transfer, about 80 bytes each. Default `false`. */
  readonly recordTransfers?: boolean;
}
