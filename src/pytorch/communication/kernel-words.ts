import { CollectiveType } from '../../trace/collective-type.js';
import { communicationMeaning, type Meaning } from './collective-words.js';

/**
 * Names of kernels of NCCL and RCCL, of every generation: `ncclAllReduceRingLLKernel_sum_f32` (2.4),
 * `ncclKernel_AllReduce_RING_LL_Sum_float` (to 2.17), `ncclDevKernel_AllGather_RING_LL`, `ncclSymkDevKernel_…` and
 * `ncclSymDevKernel_…` (symmetric memory), `rcclGenericKernel` and RCCL's `ncclDevKernel_Generic…`, `mscclKernel_…`.
 */
const COMMUNICATION_KERNEL = /(?:^|[\s:])(?:nccl|rccl|msccl)[A-Za-z0-9]*Kernel/;

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

/**
 * Whether a kernel of that name can carry a communication. A kernel of sends and receives carries anything: older NCCL takes it
 * for whatever has no kernel of its own, all-reduces and all-gathers among it.
 */
export function canCarry(word: KernelWord | undefined, meaning: Meaning): boolean {
  if (word === undefined || word.sendsAndReceives || word.meaning?.kind !== 'collective') return true;
  if (meaning.kind !== 'collective') return meaning.kind !== 'send' && meaning.kind !== 'receive';
  const { type } = meaning;
  const named = word.meaning.type;
  // Barriers are small all-reduces, and collectives of uneven parts are made of broadcasts and reduces.
  return (
    named === type ||
    (type === CollectiveType.barrier && named === CollectiveType.allReduce) ||
    (type === CollectiveType.allGather && named === CollectiveType.broadcast) ||
    (type === CollectiveType.reduceScatter && named === CollectiveType.reduce)
  );
}
