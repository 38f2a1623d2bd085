import type { MadeJob } from '../formats/made-job.js';

/** Collectives of one type over groups of one kind, or transfers of one kind. */
export interface TrafficRow {
  /** `tensor-parallel`, …; `pipeline` of transfers between stages, `world` of all ranks, `pair` of other transfers. */
  readonly group: string;
  /** `AllReduce`, …, or `send`. */
  readonly kind: string;
  readonly nodes: number;
  /** Bytes that the nodes state, added up over all ranks. */
  readonly bytes: number;
}

/** Computes of the ranks that have the same: of one pipeline stage. */
export interface ComputeRow {
  /** Pipeline stage; absent where there are none. */
  readonly stage?: number;
  readonly ranks: number;
  /** Of one rank each, as all that follow. */
  readonly nodes: number;
  readonly operations: number;
  readonly bytes: number;
  /** ns, added up. */
  readonly durationNs: number;
}

/** What is in a generated job, counted without writing it. */
export interface WorkloadSummary {
  readonly ranks: number;
  /** Of all ranks. */
  readonly nodes: number;
  readonly traffic: readonly TrafficRow[];
  readonly compute: readonly ComputeRow[];
}

/** A job made from a few numbers. */
export interface GeneratedJob extends MadeJob {
  readonly summary: WorkloadSummary;
}
