/** Micro-batches of a stage: one forward, one backward, or all forward and then all backward. */
export const SCHEDULES = ['1f1b', 'gpipe'] as const;
/** Kinds of parallelism from the innermost: which neighbours of a rank differ in what. */
export const RANK_ORDERS = ['tp-dp-pp', 'tp-pp-dp'] as const;
/** What is computed again in the backward pass instead of being kept. */
export const RECOMPUTATIONS = ['none', 'full'] as const;

export type Schedule = (typeof SCHEDULES)[number];
export type RankOrder = (typeof RANK_ORDERS)[number];
export type Recomputation = (typeof RECOMPUTATIONS)[number];

/** The numbers of a generated transformer, all of them known. Whole numbers from 1 where nothing else is said. */
export interface TransformerParameters {
  readonly layers: number;
  /** Elements of a token between layers. */
  readonly hidden: number;
  /** Heads of attention. */
  readonly heads: number;
  /** Heads of keys and values, which several heads may share. */
  readonly kvHeads: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
  readonly vocabulary: number;
  /** Elements between the two halves of an MLP or an expert. */
  readonly ffn: number;
  /** Whether an MLP has a gate: three matrices and not two. */
  readonly gated: boolean;
  /** Experts of a layer; 0 has an MLP in their place. */
  readonly experts: number;
  /** Experts that each token goes to. */
  readonly topK: number;
  /** Sequences of a step, over all ranks. */
  readonly batch: number;
  /** Sequences of a micro-batch on one rank. */
  readonly microBatch: number;
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
  /** Ranks that share the experts of a layer; divides `dp`. */
  readonly ep: number;
  /** Sequence parallelism: what lies between two tensor-parallel parts is split along the sequence. */
  readonly sp: boolean;
  /** Bytes of an element of weights, activations and gradients. */
  readonly elementBytes: number;
  readonly schedule: Schedule;
  /** Chunks of layers of a stage; above 1 the schedule is interleaved. */
  readonly virtualStages: number;
  readonly recompute: Recomputation;
  /** What data-parallel ranks share out: 0 nothing, 1 optimizer, 2 gradients too, 3 weights too. */
  readonly zero: number;
  readonly steps: number;
  /** Inference: only the forward pass, logits of the last token of each sequence. */
  readonly forwardOnly: boolean;
  readonly rankOrder: RankOrder;
  /** Peak of the compute unit, 10^12 operations a second; absent with `memoryGbps` where nobody said. */
  readonly peakTflops?: number;
  /** Bandwidth of memory, 10^9 bytes a second. */
  readonly memoryGbps?: number;
  /** Durations of computes in µs by operation, which win. */
  readonly durationsMicros?: Readonly<Record<string, number>>;
}

/** What somebody stated of them: `batch` with one of the micro-batches, or two that agree. */
export interface StatedTransformer extends Partial<TransformerParameters> {
  /** Micro-batches of a step on each rank. */
  readonly microBatches?: number;
}

/** Parameters as the command line says them. */
export const FLAG_OF_PARAMETER: Readonly<Record<keyof StatedTransformer, string>> = {
  layers: 'layers',
  hidden: 'hidden',
  heads: 'heads',
  kvHeads: 'kv-heads',
  sequence: 'sequence',
  vocabulary: 'vocabulary',
  ffn: 'ffn',
  gated: 'gated',
  experts: 'experts',
  topK: 'top-k',
  batch: 'batch',
  microBatch: 'micro-batch',
  microBatches: 'micro-batches',
  dp: 'dp',
  tp: 'tp',
  pp: 'pp',
  ep: 'ep',
  sp: 'sp',
  elementBytes: 'element-bytes',
  schedule: 'schedule',
  virtualStages: 'virtual-stages',
  recompute: 'recompute',
  zero: 'zero',
  steps: 'steps',
  forwardOnly: 'forward-only',
  rankOrder: 'rank-order',
  peakTflops: 'peak-tflops',
  memoryGbps: 'memory-gbps',
  durationsMicros: 'durations',
};

/** Micro-batches of a step on each rank. */
export function microBatchesOf({ batch, dp, microBatch }: TransformerParameters): number {
  return batch / (dp * microBatch);
}

export function ranksOf({ dp, tp, pp }: Pick<TransformerParameters, 'dp' | 'tp' | 'pp'>): number {
  return dp * tp * pp;
}
