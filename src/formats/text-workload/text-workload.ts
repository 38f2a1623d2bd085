import type { Finding } from '../../base/finding.js';

/** Keywords of line 1 (chakra-format section 16). */
export const WORKLOAD_MODES = [
  'MICRO',
  'DATA',
  'MODEL',
  'HYBRID_DATA_MODEL',
  'HYBRID_MODEL_DATA',
  'HYBRID_DLRM',
  'HYBRID_DLRM_ENHANCED',
  'HYBRID_TRANSFORMER',
  'HYBRID_TRANSFORMER_FWD_IN_BCKWD',
  'HYBRID_CUSTOMIZED',
] as const;

export type WorkloadMode = (typeof WORKLOAD_MODES)[number];

/** Keywords of the 13th column, which gives each layer of HYBRID_CUSTOMIZED a mode of its own. */
export const LAYER_MODES = ['DATA', 'MODEL', 'HYBRID_DATA_MODEL', 'HYBRID_MODEL_DATA'] as const;

export type LayerMode = (typeof LAYER_MODES)[number];

/** Whether a mode is one of the two of transformers: the only ones with micro-batches, stages and experts. */
export function isTransformer(mode: WorkloadMode): boolean {
  return mode === 'HYBRID_TRANSFORMER' || mode === 'HYBRID_TRANSFORMER_FWD_IN_BCKWD';
}

/** A collective of a layer. */
export interface LayerCollective {
  /** As the file names it: `ALLTOALL_EP`. */
  readonly name: string;
  /** A CollectiveType. */
  readonly type: number;
  /** Who takes part: `usual` are the ranks that its column runs over; the others are said by the suffixes `_EP` and `_DP_EP`. */
  readonly scope: 'usual' | 'expert' | 'expert-data';
  readonly bytes: number;
}

/** A third of a layer: time of its compute, in the unit of the file, and the collective behind it. */
export interface LayerPhase {
  readonly time: number;
  /** Absent for NONE. */
  readonly collective?: LayerCollective;
}

export interface WorkloadLayer {
  readonly name: string;
  /** Line of the file, from 1. */
  readonly line: number;
  readonly forward: LayerPhase;
  readonly inputGradient: LayerPhase;
  readonly weightGradient: LayerPhase;
  readonly updateTime: number;
  /** In HYBRID_CUSTOMIZED. */
  readonly mode?: LayerMode;
}

/** Keys of line 1 with one number, and the least it may be. */
export const HEADER_KEYS = {
  model_parallel_NPU_group: 1,
  ep: 1,
  pp: 1,
  vpp: 1,
  ga: 1,
  all_gpus: 1,
  pp_comm: 0,
} as const;

export type HeaderKey = keyof typeof HEADER_KEYS;

/** Keys of line 1 with a count and so many numbers of layers. */
export const LAYER_LIST_KEYS = ['checkpoints', 'checkpoint_initiates'] as const;

export type LayerListKey = (typeof LAYER_LIST_KEYS)[number];

/** A number of line 1 and where it stands. */
export interface HeaderValue<T = number> {
  readonly value: T;
  /** `file:1:24`, for messages. */
  readonly place: string;
}

/** A text workload as it was read: layers of a model, the same on every rank. */
export interface TextWorkload {
  /** Name of the file. */
  readonly file: string;
  readonly mode: WorkloadMode;
  /** In the DLRM modes: number of the last bottom layer, from 0. */
  readonly lastBottomLayer?: HeaderValue;
  readonly header: ReadonlyMap<HeaderKey, HeaderValue>;
  /** Numbers of layers, from 0. */
  readonly layerLists: ReadonlyMap<LayerListKey, HeaderValue<readonly number[]>>;
  readonly layers: readonly WorkloadLayer[];
  readonly findings: readonly Finding[];
}
