/** How a collective runs over one dimension, or, with `whole`, over all ranks as one dimension (astra-sim-semantics 5.5, 8). */
export interface Implementation {
  readonly algorithm: 'ring' | 'direct' | 'halvingDoubling' | 'doubleBinaryTree';
  /** Messages in flight of `direct` (`direct4`); as many as there are peers where absent. */
  readonly window?: number;
  /** Named with `one` before it: one logical dimension of all ranks. */
  readonly whole: boolean;
}

/** The collectives that a system file has implementations for. */
export const SYSTEM_COLLECTIVES = ['allReduce', 'allGather', 'reduceScatter', 'allToAll'] as const;
export type SystemCollective = (typeof SYSTEM_COLLECTIVES)[number];

/** What a collective is called in the keys of a system file. */
export const COLLECTIVE_KEYS: Readonly<Record<SystemCollective, string>> = {
  allReduce: 'all-reduce',
  allGather: 'all-gather',
  reduceScatter: 'reduce-scatter',
  allToAll: 'all-to-all',
};

/** The key that says how a collective runs. */
export function implementationKey(collective: SystemCollective): string {
  return `${COLLECTIVE_KEYS[collective]}-implementation`;
}

/** `model-shared-bus` (section 15): L, o and g are whole ns, G is ns a byte in single precision. */
export interface SharedBusConfiguration {
  readonly latencyNs: number;
  readonly overheadNs: number;
  readonly gapNs: number;
  readonly gapPerByteNs: number;
  /** `local-reduction-delay`, ns for each whole 100 bytes. */
  readonly reductionDelayNs: number;
}

/** What the current program no longer has; applied under `--system-extensions` only. */
export interface SystemExtensions {
  readonly interDimensionScheduling: 'ascending' | 'roundRobin' | 'offlineGreedy';
  /** Whether `hierarchicalRing` was named for a collective. */
  readonly hierarchicalRing: ReadonlySet<SystemCollective>;
}

/** A system file (`--system`), its defaults filled in (section 1). */
export interface SystemConfiguration {
  /** Name of the file, for messages. */
  readonly file: string;
  readonly schedulingPolicy: 'LIFO' | 'FIFO' | 'EXPLICIT';
  readonly collectiveOptimization: 'baseline' | 'localBWAware';
  /** `preferred-dataset-splits`, 1 or more. */
  readonly datasetSplits: number;
  readonly activeChunksPerDimension: number;
  /** Whole ns, after `--injection-scale`. */
  readonly endpointDelayNs: number;
  /** `local-mem-bw`, 10^9 bytes a second; 0: reductions cost nothing. */
  readonly localMemoryGBps: number;
  /** One entry a dimension, or fewer; absent where the file names none. */
  readonly implementations: Readonly<Partial<Record<SystemCollective, readonly Implementation[]>>>;
  /** `<collective>-implementation-custom`: prefix of the traces that describe the algorithm, as a path that can be opened. */
  readonly customImplementations: Readonly<Partial<Record<SystemCollective, string>>>;
  /** `per-node-custom-implementation`: node id → prefix. */
  readonly customByNode: ReadonlyMap<bigint, string>;
  readonly roofline: boolean;
  /** `peak-perf`, 10^12 operations a second. */
  readonly peakTflops: number;
  readonly replayOnly: boolean;
  readonly sharedBus?: SharedBusConfiguration;
  /** Name of the memory trace (`track-local-mem`), absent when it is off. */
  readonly localMemoryTrace?: string;
  readonly extensions?: SystemExtensions;
}

export const MEMORY_KINDS = [
  'NO_MEMORY_EXPANSION',
  'PER_NPU_MEMORY_EXPANSION',
  'PER_NODE_MEMORY_EXPANSION',
  'MEMORY_POOL',
] as const;

/** A remote memory file (`--memory`, section 4). */
export interface RemoteMemoryConfiguration {
  /** Name of the file, for messages. */
  readonly file: string;
  readonly kind: (typeof MEMORY_KINDS)[number];
  readonly latencyNs: number;
  /** 10^9 bytes a second. */
  readonly bytesPerNs: number;
  /** Ranks that share a port under `PER_NODE_MEMORY_EXPANSION`, else 1. */
  readonly ranksPerNode: number;
}
