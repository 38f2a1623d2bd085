import {
  communicationMeaning,
  peerInTitle,
  titleMeaning,
} from '../../../src/pytorch/communication/collective-words.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  allReduce: [
    'allreduce',
    'all_reduce',
    'allreduce_coalesced',
    'allreduce_sparse',
    'nccl:all_reduce',
    'gloo:sparse_all_reduce',
    'c10d::allreduce_',
    'c10d::allreduce_coalesced_',
    '_c10d_functional::all_reduce',
  ],
  allGather: [
    'all_gather',
    '_allgather_base',
    'allgather_into_tensor_coalesced',
    'nccl:_all_gather_base',
    'c10d::_allgather_base_',
    '_c10d_functional::all_gather_into_tensor',
  ],
  reduceScatter: [
    'reduce_scatter',
    '_reduce_scatter_base',
    'reduce_scatter_tensor_coalesced',
    'nccl:_reduce_scatter_base',
  ],
  allToAll: [
    'all_to_all',
    'all_to_allv',
    'alltoall_base',
    'c10d::alltoall_base_',
    '_c10d_functional::all_to_all_single',
  ],
  broadcast: ['broadcast', '_broadcast_oop', 'nccl:_broadcast_oop', 'c10d::broadcast_'],
  reduce: ['reduce', '_reduce_oop', 'c10d::reduce_'],
  gather: ['gather', 'c10d::gather_'],
  scatter: ['scatter', 'gloo:scatter'],
  barrier: ['barrier', 'nccl:all_reduce_barrier', 'c10d::monitored_barrier_'],
};

test.each(Object.entries(NAMES).flatMap(([type, names]) => names.map((name) => [name, type] as const)))(
  '%s is %s',
  (name, type) => {
    expect(communicationMeaning(name)).toEqual({
      kind: 'collective',
      type: CollectiveType[type as keyof typeof CollectiveType],
    });
  },
);

test.each([
  ['send', 'send'],
  ['isend', 'send'],
  ['c10d::send', 'send'],
  ['nccl:send 0->1', 'send'],
  ['recv', 'receive'],
  ['c10d::recv_any_source_', 'receive'],
  ['nccl:recv 3<-12', 'receive'],
  ['wait', 'nothing'],
  ['init', 'nothing'],
  ['broadcastUniqueNCCLID', 'nothing'],
  ['_c10d_functional::wait_tensor', 'nothing'],
  ['nccl:coalesced', 'coalesced'],
])('%s is %s', (name, kind) => {
  expect(communicationMeaning(name)?.kind).toBe(kind);
});

test.each([
  '',
  'aten::gather',
  'aten::scatter_',
  'allreduce2',
  'reduce_mean',
  'my_broadcast',
  'sendrecv',
  'ProfilerStep#4',
])('nothing is guessed of %j', (name) => {
  expect(communicationMeaning(name)).toBeUndefined();
});

test.each(['broadcast', 'wait', 'aten::scatter', 'DistributedDataParallel.forward'])(
  'an annotation %j of the user is no title',
  (name) => {
    expect(titleMeaning(name)).toBeUndefined();
  },
);

test('a title tells the position of the other end', () => {
  expect(peerInTitle('nccl:send 0->1')).toBe(1);
  expect(peerInTitle('nccl:recv 3<-12')).toBe(12);
  expect(peerInTitle('nccl:all_reduce')).toBe(-1);
});
