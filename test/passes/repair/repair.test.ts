import { encodeChakraEt } from '../../../src/formats/et/encode.js';
import { repairRank } from '../../../src/passes/repair/repair.js';
import { decodeFrames } from '../../support/et-frames.js';
import { MetadataMessage, NodeMessage } from '../../support/schema.js';
import { readBytes, traceOf, type Attributes, type NodeObject } from '../../support/traces.js';

const DEVICE: Attributes = { is_cpu_op: { bool_val: false } };

/** A sound compute node with these dependencies. */
function op(id: number, data: number[] = [], control: number[] = [], attr: Attributes = DEVICE): NodeObject {
  return { id, name: `op${id}`, type: 'COMP_NODE', data_deps: data, ctrl_deps: control, attr };
}

/** What protobufjs reads in the repaired file, and what is told of it. */
function repaired(nodes: readonly NodeObject[]) {
  const { trace, changes, left } = repairRank(traceOf(nodes));
  return { nodes: decodeFrames(encodeChakraEt(trace)).nodes, changes, left, trace };
}

/** `{id, data, control}` of nodes that protobufjs read. */
function lists(nodes: Record<string, unknown>[]) {
  return nodes.map(({ id, data_deps, ctrl_deps }) => ({ id, data: data_deps ?? [], control: ctrl_deps ?? [] }));
}

test('a sound rank is given back as it is', () => {
  const trace = traceOf([op(1), op(2, [1], [1])]);
  const { changes, left, trace: same } = repairRank(trace);
  expect(same).toBe(trace);
  expect([changes, left]).toEqual([[], []]);
});

test('orphan parents: data dependencies are dropped with a warning, control dependencies with a note', () => {
  const { nodes, changes } = repaired([op(1, [9]), op(2, [9, 1, 8], [7, 1]), op(3, [2])]);
  expect(lists(nodes)).toEqual([
    { id: '1', data: [], control: [] },
    { id: '2', data: ['1'], control: ['1'] },
    { id: '3', data: ['2'], control: [] },
  ]);
  expect(changes).toEqual([
    {
      code: 'REPAIRED',
      severity: 'warning',
      message:
        'rank 0: 3 data dependencies on 2 ids that no node has, first 9, dropped, which loses the order they stood for: ' +
        'nodes 1 "op1" and 2',
      advice: 'add the missing nodes where the order they stood for matters',
      rank: 0,
      file: 'test.0.et',
      repair: 'orphan-data',
      count: 3,
      nodes: [1, 2, 2],
      ids: [9, 9, 8],
      missingIds: 2,
    },
    expect.objectContaining({
      severity: 'note',
      message: 'rank 0: 1 control dependency on id 7, which no node has, dropped: node 2 "op2"',
      repair: 'orphan-control',
      nodes: [2],
      ids: [7],
    }),
  ]);
});

test('a dependency of a node on itself is dropped, in both lists', () => {
  const { nodes, changes } = repaired([op(1, [1, 1]), op(2, [1], [2])]);
  expect(lists(nodes)).toEqual([
    { id: '1', data: [], control: [] },
    { id: '2', data: ['1'], control: [] },
  ]);
  expect(changes.map(({ repair, count, nodes: ids, message }) => [repair, count, ids, message])).toEqual([
    ['self-data', 2, [1, 1], 'rank 0: 2 data dependencies of a node on itself dropped: node 1 "op1"'],
    ['self-control', 1, [2], 'rank 0: 1 control dependency of a node on itself dropped: node 2 "op2"'],
  ]);
});

test('R-040: a repeated dependency stays once, at its first place; the same id in both lists stays in both', () => {
  const { nodes, changes } = repaired([op(1), op(2), op(3, [2, 1, 2, 1, 2], [1, 1])]);
  expect(lists(nodes)[2]).toEqual({ id: '3', data: ['2', '1'], control: ['1'] });
  expect(changes.map(({ repair, count, nodes: ids, ids: parents }) => [repair, count, ids, parents])).toEqual([
    ['repeated-data', 3, [3, 3, 3], [2, 1, 2]],
    ['repeated-control', 1, [3], [1]],
  ]);
});

test('is_cpu_op is written as false where it is absent or has no value, on communication too', () => {
  const collective: NodeObject = {
    id: 2,
    type: 'COMM_COLL_NODE',
    attr: { comm_type: { int64_val: 0 }, comm_size: { int64_val: 8 } },
  };
  const { nodes, changes } = repaired([op(1, [], [], {}), collective, op(3, [], [], { is_cpu_op: {} }), op(4)]);
  for (const { attr } of nodes) expect(attr).toContainEqual({ name: 'is_cpu_op', bool_val: false });
  expect(nodes[2].attr).toHaveLength(1);
  expect(changes).toMatchObject([{ repair: 'is-cpu-op', count: 3, nodes: [1, 2, 3] }]);
});

test('an is_cpu_op that is text or float is left: false would be a guess', () => {
  const nodes = [op(1, [], [], { is_cpu_op: { string_val: 'true' } }), op(2, [], [], { is_cpu_op: { float_val: 1 } })];
  const trace = traceOf(nodes);
  expect(repairRank(trace)).toEqual({ trace, changes: [], left: [] });
});

test('a node that takes no bytes in its file has some afterwards, and keeps id, name and type', () => {
  const { nodes, changes } = repaired([{}, op(1, [0])]);
  expect(nodes[0]).toEqual({ attr: [{ name: 'is_cpu_op', bool_val: false }] });
  expect(lists(nodes)[1].data).toEqual(['0']);
  expect(changes).toMatchObject([{ repair: 'empty-node', count: 1, nodes: [0] }]);
});

test('integers go to the arms of chakra-format section 21; what is no integer stays', () => {
  const attr: Attributes = {
    is_cpu_op: { int32_val: 0 },
    comm_type: { uint32_val: 0 },
    comm_size: { uint64_val: 1000 },
    comm_dst: { int64_val: 1 },
    comm_tag: { sint32_val: 3 },
    comm_src: { uint64_val: 2 ** 40 },
    tensor_size: { int64_val: 7 },
    num_ops: { double_val: 2.5 },
    stream: { sint64_val: -1 },
  };
  const { nodes, changes } = repaired([{ id: 1, type: 'COMM_SEND_NODE', attr }]);
  expect(nodes[0].attr).toEqual([
    { name: 'is_cpu_op', bool_val: false },
    { name: 'comm_type', int64_val: '0' },
    { name: 'comm_size', int64_val: '1000' },
    { name: 'comm_dst', int32_val: 1 },
    { name: 'comm_tag', int32_val: 3 },
    { name: 'comm_src', int64_val: '1099511627776' }, // int32 does not hold it
    { name: 'tensor_size', uint64_val: '7' },
    { name: 'num_ops', double_val: 2.5 },
    { name: 'stream', sint64_val: '-1' },
  ]);
  expect(changes.map(({ repair, attribute, from, to }) => [repair, attribute, from, to])).toEqual([
    ['attribute-arm', 'is_cpu_op', 'int32_val', 'bool_val'],
    ['attribute-arm', 'comm_type', 'uint32_val', 'int64_val'],
    ['attribute-arm', 'comm_size', 'uint64_val', 'int64_val'],
    ['attribute-arm', 'comm_dst', 'int64_val', 'int32_val'],
    ['attribute-arm', 'comm_tag', 'sint32_val', 'int32_val'],
    ['attribute-arm', 'comm_src', 'uint64_val', 'int64_val'],
    ['attribute-arm', 'tensor_size', 'int64_val', 'uint64_val'],
  ]);
});

test('a peer that no job has is moved as it is, and not to the largest that a column holds', () => {
  const attr: Attributes = { ...DEVICE, comm_src: { uint64_val: 2 ** 40 } };
  const { nodes } = repaired([{ id: 1, type: 'COMM_RECV_NODE', attr }]);
  expect(nodes[0].attr).toContainEqual({ name: 'comm_src', int64_val: '1099511627776' });
});

test('a number that the usual arm does not hold is left', () => {
  const attr: Attributes = { ...DEVICE, tensor_size: { int64_val: -1 } };
  const trace = traceOf([{ id: 1, type: 'COMP_NODE', attr }]);
  expect(repairRank(trace)).toEqual({ trace, changes: [], left: [] });
});

test('a comm_type that none of 0 … 9 is, and a group named by a number, go to the usual arm as they are', () => {
  const attr: Attributes = { ...DEVICE, comm_type: { int32_val: 12 }, pg_name: { int32_val: 5 } };
  const { nodes } = repaired([{ id: 1, type: 'COMM_COLL_NODE', attr }]);
  expect(nodes[0].attr).toEqual([
    { name: 'is_cpu_op', bool_val: false },
    { name: 'comm_type', int64_val: '12' },
    { name: 'pg_name', string_val: '5' },
  ]);
});

test('a group under comm_group and a root under root_rank are not written a second time', () => {
  const attr: Attributes = { comm_group: { int32_val: 5 }, root_rank: { int64_val: 0 } };
  const { nodes } = repaired([{ id: 1, type: 'COMM_COLL_NODE', attr }]);
  expect((nodes[0].attr as { name: string }[]).map(({ name }) => name)).toEqual([
    'comm_group',
    'root_rank',
    'is_cpu_op',
  ]);
});

describe('parents first', () => {
  const order = (nodes: readonly NodeObject[]) => lists(repaired(nodes).nodes).map(({ id }) => Number(id));

  test('a node draws what it waits for forward, in the order of the file; the others stay', () => {
    // 1 waits for 5 and 4, 4 for 6; 2 and 3 wait for nothing behind them.
    const nodes = [op(1, [5], [4]), op(2), op(3, [2]), op(4, [], [6]), op(5), op(6), op(7, [1])];
    expect(order(nodes)).toEqual([6, 4, 5, 1, 2, 3, 7]);
    expect(repaired(nodes).changes).toEqual([
      expect.objectContaining({
        severity: 'note',
        message: 'rank 0: 3 nodes moved forward, before what waits for them: nodes 6 "op6", 4 and 5',
        repair: 'parents-first',
        count: 3,
        nodes: [6, 4, 5],
        ids: [4, 5, 1],
      }),
    ]);
  });

  test('a chain written backwards is turned round, however long', () => {
    const length = 30_000;
    const nodes = Array.from({ length }, (_, at) => op(length - at, at + 1 < length ? [length - at - 1] : []));
    const { trace, changes } = repairRank(traceOf(nodes));
    expect([...trace.idLow]).toEqual(Array.from({ length }, (_, at) => at + 1));
    expect(changes).toMatchObject([{ repair: 'parents-first', count: length - 1 }]);
  });

  test('rare attributes move with their nodes', () => {
    const attr: Attributes = { ...DEVICE, issue_order: { int64_val: 4 }, root: { int64_val: 2 } };
    const { trace } = repaired([op(1, [2]), op(2, [], [], attr)]);
    expect([[...trace.issueOrder], [...trace.root]]).toEqual([[[0, 4]], [[0, 2]]]);
  });

  test('lists of bytes stay with their all-to-all, also where it is written anew', () => {
    const allToAll = (...bytes: number[]): Attributes => ({
      ...{ comm_type: { int64_val: 6 }, comm_size: { int64_val: 7 } },
      ...{
        send_split_bytes: { int64_list: bytes },
        receive_split_bytes: { int64_list: bytes.map((each) => 10 * each) },
      },
    });
    const nodes: NodeObject[] = [
      { id: 1, name: 'first', type: 'COMM_COLL_NODE', data_deps: [2], attr: allToAll(3, 4) },
      { id: 2, name: 'second', type: 'COMM_COLL_NODE', attr: allToAll(1, 6) },
    ];
    const written = repaired(nodes).nodes.map(({ name, attr }) => {
      const lists = (attr as Record<string, unknown>[]).filter(({ int64_list }) => int64_list !== undefined);
      return [name, ...lists.map(({ int64_list }) => (int64_list as { values: string[] }).values)];
    });
    expect(written).toEqual([
      ['second', ['1', '6'], ['10', '60']],
      ['first', ['3', '4'], ['30', '40']],
    ]);
  });

  test('the nodes of a circle keep the order of the file among themselves; what they wait for comes before them', () => {
    // 2, 3 and 4 wait for each other; 3 waits for 6 besides, and 1 for 4.
    const nodes = [op(1, [4]), op(2, [3]), op(3, [4, 6]), op(4, [], [2]), op(5), op(6)];
    const { changes, left } = repaired(nodes);
    expect(order(nodes)).toEqual([2, 6, 3, 4, 1, 5]);
    expect(changes).toMatchObject([{ repair: 'parents-first', nodes: [2, 6, 3, 4], ids: [6, 3, 4, 1] }]);
    expect(left).toEqual([
      {
        code: 'NOT_REPAIRED',
        severity: 'note',
        message:
          'rank 0: 3 nodes in one circle of dependencies, of which none can come first, left in the order of the file: ' +
          'nodes 2 "op2", 3 and 4',
        advice: 'mend what stands in the way, or its producer, first',
        rank: 0,
        file: 'test.0.et',
        nodes: [2, 3, 4],
        count: 3,
        repair: 'parents-first',
      },
    ]);
  });

  test('with two nodes of one id the order of the file says which one is meant, so it stays', () => {
    const nodes = [op(1, [2]), op(2), op(3, [4]), op(2), op(4)];
    expect(order(nodes)).toEqual([1, 2, 3, 2, 4]);
    const { changes, left } = repaired(nodes);
    expect(changes).toEqual([]);
    expect(left).toMatchObject([{ code: 'NOT_REPAIRED', nodes: [2], count: 1 }]);
  });
});

test('ids of 64 bits are told exactly', () => {
  const { changes } = repairRank(traceOf([{ ...op(1), id: 2n ** 64n - 1n, data_deps: [2n ** 60n] }]));
  expect(changes).toMatchObject([{ nodes: ['18446744073709551615'], ids: ['1152921504606846976'] }]);
});

test('unknown fields and attributes survive on a node that is repaired', () => {
  const node = op(1, [1], [], { ...DEVICE, extra: { string_val: 'x' }, more: { int64_list: [1, 2] } });
  const { nodes } = repaired([{ ...node, start_time_micros: 5, inputs: { values: '[1]' } }]);
  expect(nodes[0]).toEqual({
    id: '1',
    name: 'op1',
    type: 4,
    start_time_micros: '5',
    inputs: { values: '[1]' },
    attr: [
      { name: 'is_cpu_op', bool_val: false },
      { name: 'extra', string_val: 'x' },
      { name: 'more', int64_list: { values: ['1', '2'] } },
    ],
  });
});

describe('of several attributes of one name the first counts, and all are written as they were read', () => {
  const metadata = MetadataMessage.encodeDelimited({ version: '0.0.4' }).finish();
  const written = (attr: readonly Record<string, unknown>[]) => {
    const node = NodeMessage.encodeDelimited(NodeMessage.fromObject({ id: 1, type: 7, attr, data_deps: [9] })).finish();
    const { trace, changes } = repairRank(readBytes(Buffer.concat([metadata, node])).trace);
    return {
      attr: decodeFrames(encodeChakraEt(trace)).nodes[0].attr,
      repairs: changes.map(({ repair, attribute }) => attribute ?? repair),
    };
  };
  const side = { name: 'is_cpu_op', bool_val: false };

  test('two values', () => {
    const attr = [side, { name: 'comm_size', int64_val: '8' }, { name: 'comm_size', int64_val: '9' }];
    expect(written(attr)).toEqual({ attr, repairs: ['orphan-data'] });
  });

  test('a text before a number', () => {
    const attr = [side, { name: 'comm_size', string_val: 'x' }, { name: 'comm_size', int64_val: '8' }];
    expect(written(attr)).toEqual({ attr, repairs: ['orphan-data'] });
  });

  test('the first is moved to the usual arm', () => {
    const [eight, nine] = ['8', '9'].map((size) => ({ name: 'comm_size', uint64_val: size }));
    expect(written([side, eight, nine])).toEqual({
      attr: [side, { name: 'comm_size', int64_val: '8' }, nine],
      repairs: ['orphan-data', 'comm_size'],
    });
  });

  test('a side without a value before one with a value is a guess', () => {
    const attr = [{ name: 'is_cpu_op' }, { name: 'is_cpu_op', bool_val: true }];
    expect(written(attr)).toEqual({ attr, repairs: ['orphan-data'] });
  });
});
