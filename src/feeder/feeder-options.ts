/** How a feeder reads a rank. */
export interface FeederOptions {
  /** Rank for messages; that of the file name when left out, else 0. */
  readonly rank?: number;
  /**
   * Which dependencies hold a node back, default `both`. The feeder v1 of mlcommons/chakra ignores control
   * dependencies: `data` gives its order.
   */
  readonly deps?: 'both' | 'data';
  /**
   * Nodes held in memory that were not issued yet, default 65,536: the feeder reads on when half of them were issued.
   * It holds more only where a node that could start depends on one further on. `Infinity` reads the whole file at once.
   */
  readonly windowNodes?: number;
  /** Whether a data dependency on a missing node is dropped with a warning instead of being an error. */
  readonly dropMissingDependencies?: boolean;
}

export const DEFAULT_WINDOW_NODES = 1 << 16;
