import { CollectiveType } from '../../trace/collective-type.js';

/** What a name of a communication stands for. */
export type Meaning =
  | { readonly kind: 'collective'; readonly type: number }
  | { readonly kind: 'send' | 'receive' }
  /** Recorded like communication, and none: waits, set-up, exchange of unique ids. */
  | { readonly kind: 'nothing' }
  /** Several communications issued as one. */
  | { readonly kind: 'coalesced' };

/** What names of PyTorch, its backends and its functional collectives begin with, letters only, and what it means. */
const STEMS: readonly (readonly [string, Meaning])[] = [
  ['allreduce', collective(CollectiveType.allReduce)],
  ['sparseallreduce', collective(CollectiveType.allReduce)],
  ['reducescatter', collective(CollectiveType.reduceScatter)],
  ['reduce', collective(CollectiveType.reduce)],
  ['allgather', collective(CollectiveType.allGather)],
  ['gather', collective(CollectiveType.gather)],
  ['scatter', collective(CollectiveType.scatter)],
  ['broadcast', collective(CollectiveType.broadcast)],
  ['alltoall', collective(CollectiveType.allToAll)],
  ['all2all', collective(CollectiveType.allToAll)],
  ['barrier', collective(CollectiveType.barrier)],
  ['monitoredbarrier', collective(CollectiveType.barrier)],
  // NCCL's barrier is an all-reduce with this title.
  ['allreducebarrier', collective(CollectiveType.barrier)],
  ['send', { kind: 'send' }],
  ['isend', { kind: 'send' }],
  ['recv', { kind: 'receive' }],
  ['irecv', { kind: 'receive' }],
  ['receive', { kind: 'receive' }],
  ['recvanysource', { kind: 'receive' }],
  ['wait', { kind: 'nothing' }],
  ['init', { kind: 'nothing' }],
  ['broadcastuniquencclid', { kind: 'nothing' }],
  ['allgatheruniquencclids', { kind: 'nothing' }],
  ['coalesced', { kind: 'coalesced' }],
  ['batchisendirecv', { kind: 'coalesced' }],
];

const BY_STEM: ReadonlyMap<string, Meaning> = new Map(STEMS);

/** What may follow a stem without changing what it means: `_allgather_base`, `all_to_allv`, `reduce_scatter_tensor_coalesced`. */
const SUFFIXES = /(?:coalesced|sparse|base|oop|intotensor|tensor|single|list|object|out|v)$/;

/** What names of communication begin with, and names of tensor operators such as `aten::gather` do not. */
const PREFIX = /^(?:_?c10d\w*::|(?:\w*ccl|gloo|mpi|ucc):)/;

/** `nccl:send 0->1`, `nccl:recv 0<-1`: the own position in the group and that of the other end. */
const DIRECTION = /\s+(\d+)\s*(?:->|<-)\s*(\d+)$/;

/**
 * What a name says, whatever generation of PyTorch or backend wrote it: `all_reduce`, `_allgather_base`, `nccl:all_to_all`,
 * `c10d::alltoall_base_`, `nccl:send 0->1`.
 * @returns `undefined` for a name that is not known; nothing is guessed from a part of it
 */
export function communicationMeaning(name: string): Meaning | undefined {
  let word = name
    .trim()
    .toLowerCase()
    .replace(PREFIX, '')
    .replace(DIRECTION, '')
    .replaceAll(/[_\- ]/g, '');
  for (;;) {
    const meaning = BY_STEM.get(word);
    if (meaning !== undefined) return meaning;
    const shorter = word.replace(SUFFIXES, '');
    if (shorter === word) return undefined;
    word = shorter;
  }
}

/** What the name of an op or annotation says if it is one of communication: `nccl:…`, `gloo:…`, `c10d::…`. */
export function titleMeaning(name: string): Meaning | undefined {
  return PREFIX.test(name) ? communicationMeaning(name) : undefined;
}

/** Position in the group of the other end that a title such as `nccl:send 0->1` tells, −1 for none. */
export function peerInTitle(name: string): number {
  const direction = DIRECTION.exec(name);
  return direction === null ? -1 : Number(direction[2]);
}

/** Whether two meanings are the same. */
export function sameMeaning(one: Meaning, other: Meaning): boolean {
  return one.kind === other.kind && typeOf(one) === typeOf(other);
}

/** The CollectiveType of a meaning, −1 for what is no collective. */
export function typeOf(meaning: Meaning): number {
  return meaning.kind === 'collective' ? meaning.type : -1;
}

function collective(type: number): Meaning {
  return { kind: 'collective', type };
}
