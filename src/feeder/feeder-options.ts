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
  /**
   * Conventions of the trace that are not the usual ones, such as `element-bytes=4` (docs/conventions.md). `commSize` and
   * `durationMicros` follow them, `integerAttribute` gives what the file has. Those about roots and peers are refused.
   */
  readonly assume?: readonly string[];
  /** Ranks of each process group, `world` for collectives that name none; needed where `assume` speaks of group sizes. */
  readonly groups?: Readonly<Record<string, readonly number[]>>;
}

export const DEFAULT_WINDOW_NODES = 1 << 16;
