import { CollectiveType } from '../../trace/collective-type.js';
import type { MemberNode } from '../world-collectives.js';

/**
 * The action of a collective over all ranks (exchange-formats section 11), sizes in bytes and of this program's conventions
 * (docs/conventions.md); what does not divide evenly is rounded up for each rank. Reductions take no flops, since traces
 * state none.
 */
export function collectiveAction({ type, bytes, root }: MemberNode, ranks: number): string {
  const each = Math.ceil(bytes / ranks);
  switch (type) {
    case CollectiveType.barrier:
      return 'barrier';
    case CollectiveType.broadcast:
      return `bcast ${bytes} ${root}`;
    case CollectiveType.reduce:
      return `reduce ${bytes} 0 ${root}`;
    case CollectiveType.allReduce:
      return `allreduce ${bytes} 0`;
    case CollectiveType.allToAll:
      return `alltoall ${each} ${each}`;
    case CollectiveType.allGather:
      return `allgather ${bytes} ${bytes}`;
    case CollectiveType.gather:
      return `gather ${bytes} ${bytes} ${root}`;
    case CollectiveType.scatter:
      return `scatter ${each} ${each} ${root}`;
    default:
      // Reduce-scatter, of both kinds: what each rank gets, then flops.
      return `reducescatter ${`${each} `.repeat(ranks)}0`;
  }
}
