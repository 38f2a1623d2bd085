import type { Communication, RankCommunications } from '../../src/pytorch/communication.js';
import { communicationsOf } from '../../src/pytorch/communications-of.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { linked, recorded, tensor, type HostNode, type Kernel, type RankText } from '../support/communications.js';

const ROOTS: readonly HostNode[] = [{ id: 1, name: '[pytorch|profiler|execution_trace|process]', parent: 1 }];
const ALL_REDUCE = 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)';
const SEND_RECV = 'ncclDevKernel_SendRecv(ncclDevComm*)';
const { allReduce, allGather, reduceScatter, broadcast, allToAll, barrier, scatter, gather } = CollectiveType;

function of(text: RankText): RankCommunications {
  return communicationsOf(linked({ ...text, nodes: [...ROOTS, ...(text.nodes ?? [])] }));
}

function onDevice(text: RankText): Communication[] {
  return [...of(text).onDevice.values()].flat();
}

function codes({ findings }: RankCommunications): string[] {
  return findings.map(({ code }) => code);
}

/** A kernel launched under an annotation under a record. */
function underRecord(id: number, record: Omit<HostNode, 'id'>, kernel: Partial<Kernel> = {}): RankText {
  return {
    nodes: [
      { id, ...record },
      { id: id + 1, name: 'nccl:whatever', parent: id },
    ],
    kernels: [{ name: 'ncclDevKernel_Generic_4(x)', start: 100, call: 50, launcher: id + 1, ...kernel }],
  };
}

describe('arguments of the kernel', () => {
  const stated = {
    ...{ 'Collective name': '_allgather_base', 'In msg nelems': 1000, 'Out msg nelems': 4000, 'Group size': 4 },
    ...{ dtype: 'BFloat16', 'In split size': '[]', 'Out split size': '[]' },
    ...{ 'Process Group Name': '7', 'Process Group Ranks': '[8, 9, 10, 11]' },
  };

  test('tell type, bytes of the own shard, and the group with its members, and no record is needed', () => {
    const rank = of({ kernels: [{ name: 'ncclDevKernel_Generic_4(x)', start: 10, call: 5, stated }] });
    expect([...rank.onDevice.values()].flat()).toMatchObject([
      { kind: 'collective', type: allGather, bytes: 2000, group: '7', order: 0, record: -1, root: -1, peer: -1 },
    ]);
    expect(rank.groups.get('7')).toEqual([8, 9, 10, 11]);
    expect(rank.tallies).toMatchObject([
      { count: 1, bytes: 2000, typeFrom: { kernel: 1 }, bytesFrom: { kernel: 1 }, groupFrom: { kernel: 1 } },
    ]);
    expect(rank.findings).toEqual([]);
  });

  test('make a kernel of an unknown library one of communication', () => {
    const text = {
      kernels: [
        { name: 'oneshot_exchange', start: 10, call: 5, stated },
        { name: 'gemm', start: 20, call: 15 },
      ],
    };
    expect([...of(text).onDevice.keys()]).toEqual([0]);
  });

  test('come before the record, and where the two differ, that is said', () => {
    const rank = of(
      underRecord(10, recorded('allreduce', '0', { tensors: [tensor(500, 4)], size: 2 }), {
        stated: {
          ...stated,
          'Collective name': 'reduce_scatter',
          'Process Group Name': '0',
          'Process Group Ranks': [0, 1],
        },
      }),
    );
    const [communication] = rank.onDevice.get(0)!;
    expect(communication).toMatchObject({ type: reduceScatter, bytes: 2000, group: '0', record: 1 });
    expect(codes(rank)).toEqual(['COMMUNICATION_TYPE_DIFFERS']);
    expect(rank.findings[0].message).toBe(
      '1 communication of two types: kernel ncclDevKernel_Generic_4, host node 10 (record_param_comms allreduce): ReduceScatter, and its record says AllReduce',
    );
  });

  test('and the record on other bytes', () => {
    const rank = of(
      underRecord(10, recorded('allreduce', '0', { tensors: [tensor(500, 4)], size: 2 }), {
        stated: { 'Collective name': 'allreduce', 'In msg nelems': 1000, dtype: 'Float' },
      }),
    );
    expect(rank.onDevice.get(0)![0].bytes).toBe(4000);
    expect(rank.findings.map(({ message }) => message)).toEqual([
      "1 communication of two sizes: kernel ncclDevKernel_Generic_4, host node 10 (record_param_comms allreduce): 4000 B by the kernel's arguments, 2000 B by the record",
    ]);
  });
});

describe('records', () => {
  test('of every layout tell type, bytes and group', () => {
    const nodes: HostNode[] = [
      // Mar 2024: address of the group and size; its name is known from process_group:init.
      {
        ...{ id: 2, name: '## process_group:init ##', types: ['String'] },
        inputs: ['[{"pg_name": "3", "backend_id": 82149104, "ranks": [], "group_size": 2}]'],
      },
      {
        ...{ id: 3, name: 'record_param_comms' },
        inputs: [[tensor(10, 4)], 12, 82149104, 0, 'all_gather', [], [], 2],
        types: ['GenericList[Tensor(float)]', 'Int', 'Int', 'Int', 'String', 'GenericList[]', 'GenericList[]', 'Int'],
      },
      { id: 4, ...recorded('_reduce_scatter_base', '3', { tensors: [tensor(10, 8)], size: 2 }) },
      // 2025: sequence and whether it is point to point, one counter a group.
      {
        ...{ id: 5, name: 'record_param_comms' },
        inputs: [[tensor(10, 2)], [1, false], ['3', 'undefined'], 1, 'broadcast', [], [], 0, 1, 2],
        types: ['GenericList[Tensor(c10::BFloat16)]', 'Tuple[Int,Bool]', 'Tuple[String,String]', 'Int', 'String'],
      },
      // 1.1.0: attributes win over the inputs.
      {
        ...{ id: 6, ...recorded('allreduce', '3', { tensors: [tensor(10, 4)], size: 2 }) },
        attributes: { collective_name: 'allreduce_coalesced', dtype: 'Double', in_msg_nelems: 20, out_msg_nelems: 20 },
      },
      { id: 7, ...recorded('wait', '') },
      { id: 8, ...recorded('init', '3', { size: 2 }) },
      { id: 9, ...recorded('broadcastUniqueNCCLID', '3', { size: 2 }) },
    ];
    const rank = of({ nodes });
    expect([...rank.onHost].map(([node, [communication]]) => [node, communication])).toMatchObject([
      [2, { type: allGather, bytes: 40, group: '3', order: 0 }],
      [3, { type: reduceScatter, bytes: 80, group: '3', order: 1 }],
      [4, { type: broadcast, bytes: 20, group: '3', order: 2, root: 1 }],
      [5, { type: allReduce, bytes: 160, group: '3', order: 3 }],
    ]);
    expect(rank.groups.get('3')).toEqual([0, 1]);
    expect(rank.findings).toEqual([]);
  });

  test('with an address in place of a name mean all ranks where there is one address', () => {
    const inputs = [tensor(6144, 4), 147, 94594108284448, 0, 'all_to_allv', [768, 768], [768, 768]];
    const types = ['Tensor(float)', 'Int', 'Int', 'Int', 'String', 'GenericList[Int,Int]', 'GenericList[Int,Int]'];
    const rank = of({ nodes: [{ id: 2, name: 'record_param_comms', inputs, types, outputs: [tensor(6144, 4)] }] });
    expect(rank.onHost.get(1)).toMatchObject([{ type: allToAll, bytes: 24576, group: '', sendSplits: [] }]);
    expect(codes(rank)).toEqual(['COMMUNICATION_GROUP_ADDRESS']);
  });

  test('tell the splits of an uneven all-to-all, rows of the first dimension as bytes', () => {
    // 6 rows of 4 floats out, 9 rows in.
    const record = recorded('all_to_allv', '0', {
      tensors: [tensor(24, 4)],
      sends: [1, 2, 3],
      receives: [3, 3, 3],
      size: 3,
    });
    const [communication] = onDevice(underRecord(10, { ...record, outputs: [tensor(36, 4)] }, { name: SEND_RECV }));
    expect(communication).toMatchObject({
      ...{ type: allToAll, bytes: 96 },
      ...{ sendSplits: [16, 32, 48], receiveSplits: [48, 48, 48] },
    });
  });

  test('whose splits do not fit the group make it even, and that is said', () => {
    const rank = of(
      underRecord(
        10,
        recorded('all_to_allv', '0', { tensors: [tensor(24, 4)], sends: [1, 2], receives: [1, 2], size: 3 }),
      ),
    );
    expect(rank.onDevice.get(0)).toMatchObject([{ sendSplits: [], receiveSplits: [] }]);
    expect(codes(rank)).toEqual(['COMMUNICATION_SPLITS_UNUSABLE']);
  });

  test('number the root in the group: position 1 of ranks 4, 6 is rank 6', () => {
    const record = recorded('reduce', '5', { tensors: [tensor(8, 4)], rank: 1 });
    const inputs = [...record.inputs!.slice(0, 7), 4, 2, 2];
    const [communication] = onDevice(underRecord(10, { ...record, inputs }));
    expect(communication).toMatchObject({ type: CollectiveType.reduce, root: 6, rootPosition: 1 });
  });

  test('of a scatter with nothing handed over count what the root hands out in all; of a gather the own shard', () => {
    const nodes: HostNode[] = [
      { id: 2, ...recorded('scatter', '0', { size: 4 }), outputs: [[tensor(5, 4)]] },
      { id: 3, ...recorded('gather', '0', { tensors: [tensor(5, 4)], size: 4 }), outputs: [] },
    ];
    expect([...of({ nodes }).onHost.values()].flat()).toMatchObject([
      { type: scatter, bytes: 80 },
      { type: gather, bytes: 20 },
    ]);
  });

  test('of an unknown collective make one of unknown type, never a guess', () => {
    const rank = of(underRecord(10, recorded('all_shuffle', '0', { tensors: [tensor(8, 4)] })));
    expect(rank.onDevice.get(0)).toMatchObject([{ kind: 'collective', type: -1, bytes: 32 }]);
    expect(codes(rank)).toEqual(['COMMUNICATION_TYPE_UNKNOWN']);
  });
});

describe('a barrier', () => {
  test('is no all-reduce although one is recorded inside it and runs as its kernel', () => {
    const rank = of({
      nodes: [
        { id: 9, name: 'c10d::barrier' },
        { id: 10, ...recorded('barrier', '0'), parent: 9 },
        { id: 11, ...recorded('allreduce', '0', { tensors: [tensor(1, 4)] }), parent: 10 },
        { id: 12, name: 'nccl:all_reduce', parent: 11 },
      ],
      kernels: [
        {
          ...{ name: ALL_REDUCE, start: 100, call: 50, launcher: 12 },
          stated: { 'Collective name': 'allreduce', 'In msg nelems': 1, dtype: 'Float' },
        },
      ],
    });
    expect([...rank.onDevice.values()].flat()).toMatchObject([{ type: barrier, bytes: 0 }]);
    expect(rank.onHost.size).toBe(0);
    expect(rank.findings).toEqual([]);
  });

  test('is known by its title alone', () => {
    const text = {
      nodes: [{ id: 10, name: 'nccl:all_reduce_barrier' }],
      kernels: [{ name: ALL_REDUCE, start: 100, call: 50, launcher: 10 }],
    };
    expect(onDevice(text)).toMatchObject([{ type: barrier, bytes: 0 }]);
  });
});

describe('ops around the launch', () => {
  test('tell type and bytes where nothing is recorded: of c10d the input, not the output', () => {
    const rank = of({
      nodes: [
        {
          ...{ id: 10, name: 'c10d::_allgather_base_', inputs: [tensor(4000, 4), tensor(1000, 4), 'group'] },
          types: ['Tensor(float)', 'Tensor(float)', 'Object'],
        },
        { id: 11, name: 'nccl:something_new', parent: 10 },
      ],
      kernels: [{ name: SEND_RECV, start: 100, call: 50, launcher: 11 }],
    });
    expect([...rank.onDevice.values()].flat()).toMatchObject([{ type: allGather, bytes: 4000 }]);
    expect(rank.tallies).toMatchObject([
      { typeFrom: { launcher: 1 }, bytesFrom: { launcher: 1 }, groupFrom: { none: 1 } },
    ]);
  });

  test('of functional collectives name the group', () => {
    const inputs = [tensor(10, 4), 'sum', '12'];
    const text = {
      nodes: [{ id: 10, name: '_c10d_functional::all_reduce', inputs, types: ['Tensor(float)', 'String', 'String'] }],
      kernels: [{ name: ALL_REDUCE, start: 100, call: 50, launcher: 10 }],
    };
    expect(onDevice(text)).toMatchObject([{ type: allReduce, bytes: 40, group: '12' }]);
  });

  test('are found in the device trace where the host trace does not reach', () => {
    const text = {
      kernels: [{ name: SEND_RECV, start: 100, call: 50 }],
      events: [
        { name: 'c10d::alltoall_base_', start: 40, duration: 20 },
        { name: 'nccl:all_to_all', start: 45, duration: 10 },
        { name: 'nccl:broadcast', start: 45, duration: 10, thread: 2 },
      ],
    };
    expect(onDevice(text)).toMatchObject([{ type: allToAll }]);
  });
});

test('the name of the kernel comes last, and sends and receives alone tell no type', () => {
  const rank = of({
    kernels: [
      { name: ALL_REDUCE, start: 10, call: 5 },
      { name: SEND_RECV, start: 20, call: 15 },
    ],
  });
  expect([...rank.onDevice.values()].flat()).toMatchObject([
    { kind: 'collective', type: allReduce, bytes: NaN },
    { kind: 'collective', type: -1, bytes: NaN },
  ]);
  expect(codes(rank)).toEqual(['COMMUNICATION_BYTES_UNKNOWN', 'COMMUNICATION_TYPE_UNKNOWN']);
  expect(rank.findings[0].count).toBe(2);
});

test('a name that contradicts the record is said: kernels may hang one op too late', () => {
  const rank = of(underRecord(10, recorded('broadcast', '0', { tensors: [tensor(8, 4)] }), { name: ALL_REDUCE }));
  expect(rank.onDevice.get(0)).toMatchObject([{ type: broadcast }]);
  expect(rank.findings[0].message).toBe(
    "1 communication of two types: kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL, host node 10 (record_param_comms broadcast): Broadcast, and the kernel's name says otherwise",
  );
});

test('of several kernels of one record the first stands for it', () => {
  const rank = of({
    nodes: [
      { id: 10, ...recorded('allreduce_coalesced', '0', { tensors: [tensor(8, 4), tensor(2, 4)] }) },
      { id: 11, name: 'nccl:allreduce_coalesced', parent: 10 },
    ],
    kernels: [
      { name: ALL_REDUCE, start: 300, call: 60, launcher: 11 },
      { name: ALL_REDUCE, start: 200, call: 50, launcher: 11 },
    ],
  });
  expect([...rank.onDevice]).toMatchObject([[1, [{ type: allReduce, bytes: 40 }]]]);
  expect(codes(rank)).toEqual(['COMMUNICATION_KERNELS_SHARE']);
});

describe('sends and receives', () => {
  test('have the other end by position: 1 of ranks 0, 2, 4, 6 is rank 2', () => {
    const record = recorded('send', '9', { tensors: [tensor(8, 4)], rank: 1 });
    const inputs = [...record.inputs!.slice(0, 7), 0, 2, 4];
    const [communication] = onDevice(underRecord(10, { ...record, inputs }, { name: SEND_RECV }));
    expect(communication).toMatchObject({ kind: 'send', type: -1, bytes: 32, group: '9', peer: 2, peerPosition: 1 });
  });

  test('without a record have it from the title', () => {
    const text = {
      nodes: [{ id: 10, name: 'nccl:recv 0<-1', inputs: [[tensor(8, 4)]], types: ['GenericList[Tensor(float)]'] }],
      kernels: [{ name: SEND_RECV, start: 100, call: 50, launcher: 10 }],
    };
    expect(onDevice(text)).toMatchObject([{ kind: 'receive', bytes: 32, group: '', peer: 1, peerPosition: 1 }]);
  });

  test('from any source have none, and that is said', () => {
    const record = recorded('recvAnySource', '0', { tensors: [tensor(8, 4)], rank: -1 });
    const rank = of(underRecord(10, record, { name: SEND_RECV }));
    expect(rank.onDevice.get(0)).toMatchObject([{ kind: 'receive', peer: -1, peerPosition: -1 }]);
    expect(codes(rank)).toEqual(['COMMUNICATION_PEER_UNKNOWN']);
  });

  const pair = (id: number): HostNode[] => [
    { id, ...recorded('send', '0', { tensors: [tensor(8, 4)], rank: 1, sequence: id }) },
    { id: id + 1, ...recorded('recv', '0', { tensors: [tensor(6, 4)], rank: 3, sequence: id + 1 }) },
  ];
  const both = [
    { kind: 'send', bytes: 32, peer: 1 },
    { kind: 'receive', bytes: 24, peer: 3 },
  ];

  test('that are coalesced are several communications of one kernel, launched behind their records', () => {
    const rank = of({
      nodes: [
        { id: 10, ...recorded('allreduce', '0', { tensors: [tensor(1, 4)] }) },
        { id: 11, name: 'nccl:all_reduce', parent: 10 },
        ...pair(12),
        { id: 14, name: 'nccl:coalesced' },
        ...pair(16),
        { id: 18, name: 'nccl:coalesced' },
      ],
      kernels: [
        { name: ALL_REDUCE, start: 90, call: 40, launcher: 11 },
        // Arguments of such a kernel are those of its last record.
        {
          ...{ name: SEND_RECV, start: 100, call: 50, launcher: 14 },
          stated: { 'Collective name': 'recv', 'In msg nelems': 6, dtype: 'Float', 'Process Group Name': '0' },
        },
        { name: SEND_RECV, start: 200, call: 150, launcher: 18 },
        { name: SEND_RECV, start: 205, call: 155, launcher: 18 },
      ],
    });
    expect([...rank.onDevice]).toMatchObject([
      [0, [{ kind: 'collective', order: 0 }]],
      [
        1,
        [
          { ...both[0], order: 1 },
          { ...both[1], order: 2 },
        ],
      ],
      [
        2,
        [
          { ...both[0], order: 3 },
          { ...both[1], order: 4 },
        ],
      ],
    ]);
    expect(rank.onHost.size).toBe(0);
    expect(codes(rank)).toEqual(['COMMUNICATION_KERNELS_SHARE']);
  });

  test('are found where the launch hangs under the last record', () => {
    const text = {
      nodes: pair(12),
      kernels: [{ name: SEND_RECV, start: 100, call: 50, launcher: 13 }],
      events: [{ name: 'nccl:coalesced', start: 48, duration: 10 }],
    };
    expect(onDevice(text)).toMatchObject(both);
  });

  test('and where it hangs under an op around everything: by the time of the launch', () => {
    const text = {
      nodes: [
        { id: 2, name: 'ProfilerStep#1' },
        ...pair(12).map((node) => ({ ...node, parent: 2 })),
        ...pair(16).map((node) => ({ ...node, parent: 2 })),
      ],
      kernels: [
        { name: SEND_RECV, start: 100, call: 50, launcher: 2 },
        { name: SEND_RECV, start: 200, call: 90, launcher: 2 },
      ],
      events: [
        { name: 'nccl:coalesced', start: 48, duration: 10 },
        { name: 'nccl:coalesced', start: 88, duration: 10 },
        ...[12, 13, 16, 17].map((node, place) => ({
          ...{ name: 'record_param_comms', node, duration: 2 },
          start: [10, 20, 60, 70][place],
        })),
      ],
    };
    expect([...of(text).onDevice]).toMatchObject([
      [0, both],
      [1, both],
    ]);
  });
});

describe('what has no kernel', () => {
  test('is marked on its record', () => {
    const rank = of({ nodes: [{ id: 10, ...recorded('allreduce', '0', { tensors: [tensor(8, 4)] }) }], kernels: [] });
    expect([...rank.onHost]).toMatchObject([[1, [{ type: allReduce, bytes: 32, record: 1 }]]]);
    expect(codes(rank)).toEqual(['COMMUNICATION_WITHOUT_KERNEL']);
  });

  test('or on the annotation of gloo, or on the op of a backend that says nothing, once', () => {
    const tensors = { inputs: [[tensor(8, 4)]], types: ['GenericList[Tensor(float)]'] };
    const rank = of({
      nodes: [
        { id: 10, name: 'c10d::allreduce_', ...tensors },
        { id: 11, name: 'gloo:all_reduce', parent: 10, ...tensors },
        { id: 12, name: 'c10d::broadcast_', ...tensors },
        { id: 13, name: 'c10d::allreduce_', ...tensors },
        { id: 14, ...recorded('allreduce', '0', { tensors: [tensor(2, 4)] }), parent: 13 },
        { id: 15, name: 'nccl:all_reduce', parent: 14, ...tensors },
        { id: 16, name: '_c10d_functional::wait_tensor', ...tensors },
      ],
    });
    expect([...rank.onHost]).toMatchObject([
      [2, [{ type: allReduce, bytes: 32, record: -1 }]],
      [3, [{ type: broadcast, bytes: 32, root: -1 }]],
      [5, [{ type: allReduce, bytes: 8, record: 5 }]],
    ]);
    expect(codes(rank)).toEqual(['COMMUNICATION_ROOT_UNKNOWN']);
  });
});

describe('kernels without a launch', () => {
  const nodes: HostNode[] = [
    { id: 10, ...recorded('allreduce', '0', { tensors: [tensor(8, 4)] }) },
    { id: 12, ...recorded('all_to_all', '0', { tensors: [tensor(5, 4)] }) },
    { id: 14, ...recorded('allreduce', '0', { tensors: [tensor(2, 4)] }) },
  ];

  test('have the records of their type in order, where there are as many', () => {
    const rank = of({
      nodes,
      kernels: [
        { name: ALL_REDUCE, start: 300 },
        { name: SEND_RECV, start: 200 },
        { name: ALL_REDUCE, start: 100 },
      ],
    });
    expect([...rank.onDevice]).toMatchObject([
      [0, [{ type: allReduce, bytes: 8, order: 2 }]],
      [1, [{ type: allToAll, bytes: 20, order: 1 }]],
      [2, [{ type: allReduce, bytes: 32, order: 0 }]],
    ]);
    expect(rank.onHost.size).toBe(0);
    expect(codes(rank)).toEqual(['COMMUNICATION_BY_ORDER']);
  });

  test('and none where there are not: the kernels count, and the records are said', () => {
    const rank = of({ nodes, kernels: [{ name: ALL_REDUCE, start: 300 }] });
    expect([...rank.onDevice]).toMatchObject([[0, [{ type: allReduce, bytes: NaN }]]]);
    expect([...rank.onHost]).toMatchObject([[2, [{ type: allToAll }]]]);
    expect(codes(rank)).toEqual([
      'COMMUNICATION_AMBIGUOUS',
      'COMMUNICATION_BYTES_UNKNOWN',
      'COMMUNICATION_WITHOUT_KERNEL',
    ]);
    expect(rank.findings[0].count).toBe(2);
  });
});

test('sources of one rank that differ about members are said, and the first counts', () => {
  const rank = of({
    ...underRecord(10, recorded('allreduce', '0', { tensors: [tensor(8, 4)], size: 1 })),
    distributed: { rank: 0, world_size: 2, pg_config: [{ pg_name: '0', pg_size: 2, ranks: [0, 1] }] },
  });
  expect(rank.groups.get('0')).toEqual([0, 1]);
  expect(rank.worldSize).toBe(2);
  expect(rank.findings.map(({ message }) => message)).toEqual([
    '1 difference about members: group "0" is ranks 0, 1 by distributedInfo and rank 0 by global rank start, stride and size of record_param_comms',
  ]);
});

test('a stride below 1 declares nobody, and the size is kept', () => {
  const record = recorded('allreduce', '4', { tensors: [tensor(8, 4)] });
  const rank = of(underRecord(10, { ...record, inputs: [...record.inputs!.slice(0, 7), 3, -1, 6] }));
  expect(rank.groups.has('4')).toBe(false);
  expect(rank.groupSizes.get('4')).toBe(6);
});

test.each([
  ['GROUP_CUT', '{"pg_name": "1", "ra'],
  ['GROUP_MALFORMED', '{"pg_name": "1", "ranks": "all"}]'],
  ['GROUP_CONFLICT', '{"pg_name": "0", "ranks": [4, 5], "group_size": 2}]'],
])('a group declaration that is cut off, malformed or doubled is said: %s', (code, entry) => {
  const inputs = [`[{"pg_name": "0", "ranks": [], "group_size": 2}, ${entry}`];
  const rank = of({ nodes: [{ id: 2, name: '## process_group:init ##', inputs, types: ['String'] }] });
  expect(rank.groups.get('0')).toEqual([0, 1]);
  expect(codes(rank)).toEqual([code]);
});

test('a kernel may state the rank at the other end itself', () => {
  const stated = {
    ...{ 'Collective name': 'send', 'In msg nelems': 8, dtype: 'Float', 'Process Group Name': '9' },
    ...{ 'Process Group Ranks': '[0, 2, 4, 6]', Rank: 3, 'Dst Rank': 6 },
  };
  const kernel = { name: SEND_RECV, start: 100, call: 50, stated };
  expect(onDevice({ kernels: [kernel] })).toMatchObject([{ kind: 'send', bytes: 32, peer: 6, peerPosition: 3 }]);
  const receive = { ...stated, 'Collective name': 'recv', Rank: -1, 'Src Rank': 2 };
  expect(onDevice({ kernels: [{ ...kernel, stated: receive }] })).toMatchObject([
    { kind: 'receive', peer: 2, peerPosition: 1 },
  ]);
});
