import type { IntervalStats } from '../network/packet/counts/interval-stats.js';
import type { PacketNetworkSpec } from '../network/packet/settings/packet-settings.js';
import type { ScaleUpStats } from '../network/scale-up/scale-up-stats.js';
import type { Placement } from '../replay/placement.js';

/** The real clock, where records are to show it (`WallClock`, R-005). */
export interface WallClock {
  /** When the applications were created, ms since 1970-01-01 UTC. */
  readonly startedMs: number;
  /** The present time, ms since 1970-01-01 UTC. */
  nowMs(): number;
}

/** The packet network of a run, and what was counted there. */
export interface PacketFacts extends PacketNetworkSpec {
  readonly stats: IntervalStats;
}

/** Facts about a run that its outcome does not hold. */
export interface RunFacts {
  /** Name of the traceset: ranks are `<prefix>.<rank>.et`. */
  readonly prefix: string;
  readonly placement: Placement;
  /** Rate of the link of a rank's NIC, bytes/ns; undefined on a network without one rate for all: no ideal times then. */
  readonly linkBytesPerNs: number | undefined;
  /** Time between two rows of `chakra-cdf`, ps. */
  readonly beaconIntervalPs: number;
  /** Undefined for constant columns, so that equal runs give equal files. */
  readonly wallClock: WallClock | undefined;
  /** There where ranks have scale-up devices; `stats` where their packets were counted, at the interval of `nd-stats`. */
  readonly scaleUp?: { readonly stats?: ScaleUpStats };
  /** There where the network simulates packets. */
  readonly packet?: PacketFacts;
}

/** What `time_utc` shows in the rows of one file: a constant, or the real time at which the file is written. */
export function timeUtc({ wallClock }: Pick<RunFacts, 'wallClock'>): string {
  return wallClock === undefined ? '1970-01-01T00:00:00Z' : new Date(wallClock.nowMs()).toISOString();
}
