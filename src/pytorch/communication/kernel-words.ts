import { CollectiveType } from '../../trace/collective-type.js';
import { communicationMeaning, type Meaning } from './collective-words.js';

/**
 * Names of kernels of NCCL and RCCL, of every generation: `ncclAllReduceRingLLKernel_sum_f32` (2.4),
 * `ncclKernel_AllReduce_RING_LL_Sum_float` (to 2.17), `ncclDevKernel_AllGather_RING_LL`, `ncclSymkDevKernel_…` and
 * `ncclSymDevKernel_…` (symmetric memory), `rcclGenericKernel` and RCCL's `ncclDevKernel_Generic…`, `mscclKernel_…`.
 */
const COMMUNICATION_KERNEL = /(?:^|[\s:])(?:nccl|rccl|msccl)[A-Za-z]*Kernel/;

/** The collective in such a name, old and new. */
const COLLECTIVE =
  /(?:Kernel_|(?:^|[\s:])nccl)(AllReduce|ReduceScatter|AllGather|AllToAll|Broadcast|Reduce|Gather|Scatter|SendRecv)(?=_|Ring|Tree|Coll|Nvls|LL|\(|<|$)/;

/** What the name of a kernel tells. */
export interface KernelWord {
  /** Sends and receives in one kernel: what NCCL makes all-to-all, gather, scatter, sends and receives of. */
  readonly sendsAndReceives: boolean;
  /** The collective that is in the name; absent where the name does not tell. */
  readonly meaning: Meaning | undefined;
}

/** What the name of a kernel tells about its communication; `undefined` for kernels of no known collective library. */
export function kernelWord(name: string): KernelWord | undefined {
  if (!COMMUNICATION_KERNEL.test(name)) return undefined;
  const word = COLLECTIVE.exec(name)?.[1];
  if (word === 'SendRecv') return { sendsAndReceives: true, meaning: undefined };
  return { sendsAndReceives: false, meaning: word === undefined ? undefined : communicationMeaning(word) };
}

/** Whether a kernel of that name can carry a communication: SendRecv carries what has no kernel of its own. */
export function canCarry(word: KernelWord | undefined, meaning: Meaning): boolean {
  if (word === undefined) return true;
  if (meaning.kind === 'send' || meaning.kind === 'receive') return word.meaning === undefined;
  if (meaning.kind !== 'collective') return true;
  const { type } = meaning;
  if (word.sendsAndReceives) return SENT_AND_RECEIVED.has(type);
  if (word.meaning?.kind !== 'collective' || word.meaning.type === type) return true;
  // Barriers are small all-reduces, and collectives of uneven parts are made of broadcasts and reduces.
  const { type: named } = word.meaning;
  return (
    (type === CollectiveType.barrier && named === CollectiveType.allReduce) ||
    (type === CollectiveType.allGather && named === CollectiveType.broadcast) ||
    (type === CollectiveType.reduceScatter && named === CollectiveType.reduce)
  );
}

const SENT_AND_RECEIVED: ReadonlySet<number> = new Set([
  CollectiveType.allToAll,
  CollectiveType.gather,
  CollectiveType.scatter,
]);
