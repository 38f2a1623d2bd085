import type { Finding } from '../base/finding.js';
import type { ProcessGroup } from '../trace/process-group.js';
import type { Algorithm } from './algorithm.js';

/** One collective over its whole group: the j-th of its group. */
export interface CollectiveInstance {
  readonly group: ProcessGroup;
  /** A CollectiveType number. */
  readonly type: number;
  /** j, place among the collectives of the group, from 0. */
  readonly instance: number;
  /** k, place among all collectives of the traceset, from 0: rank 0's in ascending id, then rank 1's that rank 0 is not in, … */
  readonly place: number;
  /** S: the largest size a member states, bytes; 0 for a barrier without one. */
  readonly size: number;
  /** Position of the root in the group. */
  readonly root: number;
  readonly algorithm: Algorithm;
  /** Uneven all-to-all: bytes from each position to each position. */
  readonly splits?: readonly (readonly number[])[];
}

/** The collectives of one rank that take part in the plan, in ascending node id. */
export interface RankCollectives {
  readonly node: Int32Array; // [m] node index in the rank's trace
  readonly instance: Int32Array; // [m] index in CollectivePlan.instances
  readonly position: Int32Array; // [m] the rank's position in the group
}

/**
 * Which nodes of which ranks form which collective. Collectives that cannot be expanded are in
 * no instance and have a finding.
 */
export interface CollectivePlan {
  /** Ranks of the traceset. */
  readonly rankCount: number;
  readonly instances: readonly CollectiveInstance[];
  /** [rankCount] by place in the traceset, which is the rank. */
  readonly ranks: readonly RankCollectives[];
  /** Smallest multiple of 2^16 above every tag in the traces. */
  readonly tagBase: number;
  /** Distance between the tags of two instances: 2^16, or the next power of two above the most steps. */
  readonly tagStride: number;
  readonly findings: readonly Finding[];
}
