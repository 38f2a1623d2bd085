/** Collective types: the integer value of the attribute `comm_type` (chakra-format section 2). */
export const CollectiveType = {
  allReduce: 0,
  reduce: 1,
  allGather: 2,
  gather: 3,
  scatter: 4,
  broadcast: 5,
  allToAll: 6,
  reduceScatter: 7,
  reduceScatterBlock: 8,
  barrier: 9,
} as const;

/** In the `commType` column: the attribute is absent. */
export const COMM_TYPE_ABSENT = -1;
/** In the `commType` column: the attribute is there and holds no number of a known collective. */
export const COMM_TYPE_UNKNOWN = -2;

interface Names {
  /** In records and results: `AllReduce`. */
  readonly record: string;
  /** In the schema: `ALL_REDUCE`. */
  readonly schema: string;
  /** The command line option: `allreduce`. */
  readonly option: string;
}

/** Names by type number. */
export const COLLECTIVE_NAMES: readonly Names[] = [
  { record: 'AllReduce', schema: 'ALL_REDUCE', option: 'allreduce' },
  { record: 'Reduce', schema: 'REDUCE', option: 'reduce' },
  { record: 'AllGather', schema: 'ALL_GATHER', option: 'allgather' },
  { record: 'Gather', schema: 'GATHER', option: 'gather' },
  { record: 'Scatter', schema: 'SCATTER', option: 'scatter' },
  { record: 'Broadcast', schema: 'BROADCAST', option: 'broadcast' },
  { record: 'AllToAll', schema: 'ALL_TO_ALL', option: 'alltoall' },
  { record: 'ReduceScatter', schema: 'REDUCE_SCATTER', option: 'reducescatter' },
  { record: 'ReduceScatterBlock', schema: 'REDUCE_SCATTER_BLOCK', option: 'reducescatterblock' },
  { record: 'Barrier', schema: 'BARRIER', option: 'barrier' },
];

/** Whether collectives of a type have a root. */
export function isRooted(type: number): boolean {
  return (
    type === CollectiveType.reduce ||
    type === CollectiveType.gather ||
    type === CollectiveType.scatter ||
    type === CollectiveType.broadcast
  );
}

/** `AllReduce` for 0, …; only for known types. */
export function collectiveName(type: number): string {
  return COLLECTIVE_NAMES[type]?.record ?? `CollectiveType${type}`;
}
