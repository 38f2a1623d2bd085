import type { TextWorkload } from '../../formats/text-workload/text-workload.js';
import type { ListedBlocks } from './legs.js';
import type { Dimensions } from './rank-layout.js';

/** A workload with everything decided that its expansion into nodes needs. */
export interface WorkloadPlan {
  readonly workload: TextWorkload;
  readonly passes: number;
  readonly dimensions: Dimensions;
  /** Micro-batches of a pass; 1 where the lines list them. */
  readonly microBatches: number;
  readonly listed: ListedBlocks | undefined;
  /** Bytes between neighbouring stages for a micro-batch. */
  readonly stageBytes: number;
  /** Whether times are ns, as in files of SimAI, and not µs. */
  readonly nanoseconds: boolean;
}
