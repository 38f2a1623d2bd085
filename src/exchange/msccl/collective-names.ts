import { CollectiveType } from '../../trace/collective-type.js';

/** Type numbers of the collectives of MSCCL, −1 for one whose result nobody states (exchange-formats 4.1). */
export const COLLECTIVES: Readonly<Record<string, number>> = {
  allreduce: CollectiveType.allReduce,
  allgather: CollectiveType.allGather,
  reduce_scatter: CollectiveType.reduceScatter,
  alltoall: CollectiveType.allToAll,
  reduce: CollectiveType.reduce,
  broadcast: CollectiveType.broadcast,
  gather: CollectiveType.gather,
  scatter: CollectiveType.scatter,
  alltoallv: CollectiveType.allToAll,
  custom: -1,
};
