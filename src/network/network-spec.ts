/** One time and one rate for every pair of ranks. */
export interface AlphaBetaSpec {
  readonly kind: 'alpha-beta';
  /** α, one way, ps. */
  readonly latencyPs: number;
  /** β, bytes per ns. */
  readonly bytesPerNs: number;
}

export const TOPOLOGIES = ['Ring', 'FullyConnected', 'Switch'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** One dimension of an ASTRA-sim analytical network. */
export interface Dimension {
  readonly topology: Topology;
  readonly npus: number;
  /** As the file states it: units of 2^30 bytes per second. */
  readonly bandwidthGiBPerSecond: number;
  /** Of one hop, ps. */
  readonly latencyPs: number;
  /** Of one hop, ns as the file states it: ASTRA-sim reckons with this double. */
  readonly latencyNs: number;
}

/** An ASTRA-sim analytical network; ranks are numbered with the first dimension fastest. */
export interface AnalyticalSpec {
  readonly kind: 'analytical';
  readonly dimensions: readonly Dimension[];
}

export type NetworkSpec = AlphaBetaSpec | AnalyticalSpec;
