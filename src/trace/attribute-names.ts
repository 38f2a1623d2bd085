/**
 * Attributes of this program's own, beside those of chakra-format section 4. Expansion writes the collective's
 * identity on every transfer as `pg_name`, `comm_type` (the collective's type) and these.
 */
export const OwnAttribute = {
  /** int64, on transfers, barriers and exits: place among the collectives of the group, from 0. */
  instance: 'collective_instance',
  /** int64: `comm_size` of the collective, bytes. */
  size: 'collective_size',
  /** int32, on transfers: step or edge number. */
  step: 'collective_step',
  /** string, on the exit node: algorithm that expanded it. */
  algorithm: 'collective_algorithm',
  /** bool, on transfers of a barrier that `sync` added. */
  addedSync: 'is_added_synchronization_flow',
  /** int64, on collectives and sends: place in the order of issue of its group on that rank, from 0. */
  issueOrder: 'issue_order',
  /** int64, on rooted collectives: rank of the job; `root_rank` is read too. */
  root: 'root',
  /** int64 list, on all-to-all: bytes this rank sends to each position of the group. */
  splits: 'send_split_bytes',
  /** int64 list, on all-to-all: bytes this rank expects from each position; checked against what the others send. */
  receiveSplits: 'receive_split_bytes',
  /** int32, annotated traces: partner rank of a send or receive. */
  partner: 'partner',
  /** uint64 list, annotated traces: ids of the nodes that depend on this one. */
  dependents: 'dependents',
} as const;

/** Attributes of this program's own in the global metadata. */
export const OwnMetadata = {
  /** string list: passes that ran, in order. */
  passes: 'chakra_prep_passes',
  /** string: JSON object, process group name → ranks in order. */
  groups: 'process_groups',
  /** int64: rank of the file. */
  rank: 'rank',
  /** int64: ranks of the traceset. */
  worldSize: 'world_size',
} as const;
