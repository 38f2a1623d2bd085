import { attrs, hostTrace } from '../../support/pytorch-traces.js';

const TENSOR = [15, 5, 0, 100, 4, 'cuda:0'];
const LONG = [16, 6, 0, 10, 8, 'cuda:0'];

/** A `record_param_comms` node with these inputs. */
function record(values: unknown[], types: string[], more: object = {}): object {
  return { id: 9, name: 'record_param_comms', ctrl_deps: 2, inputs: { values, shapes: [], types }, ...more };
}

function communication(node: object) {
  const { communications, findings } = hostTrace({ nodes: [node] });
  expect(findings).toEqual([]);
  return communications.get(0);
}

const SPLIT_TYPES = ['GenericList[]', 'GenericList[]'];

test('columns of schema 1.0.2 and later: attributes in whatever order, a value before its name', () => {
  const trace = hostTrace({
    ...{ schema: '1.0.2-chakra.0.0.4', pid: 12, time: '2024-04-17 16:29:57', start_ts: 5 },
    nodes: [
      {
        id: 3,
        name: 'aten::add',
        ctrl_deps: 2,
        inputs: {},
        outputs: {},
        attrs: attrs({ rf_id: 8, fw_tid: 2, seq_id: 44, tid: 1 }),
      },
      { name: 'aten::mul', attrs: [{ value: 9, type: 'uint64', name: 'rf_id' }], id: 4, ctrl_deps: 3 },
      { id: 1, name: '[pytorch|profiler|execution_trace|process]', ctrl_deps: 1 },
    ],
    finish_ts: 7,
  });
  expect(trace).toMatchObject({ schema: '1.0.2-chakra.0.0.4', pid: 12, time: '2024-04-17 16:29:57' });
  expect([trace.startMillis, trace.finishMillis, trace.length]).toEqual([5, 7, 3]);
  expect([...trace.id]).toEqual([3, 4, 1]);
  expect([...trace.parent]).toEqual([2, 3, 1]);
  expect([...trace.recordId]).toEqual([8, 9, 0]);
  expect([...trace.thread]).toEqual([1, -1, -1]);
  expect([...trace.forwardThread]).toEqual([2, 0, 0]);
  expect([...trace.sequence]).toEqual([44, -1, -1]);
  expect(trace.names).toEqual(['aten::add', 'aten::mul', '[pytorch|profiler|execution_trace|process]']);
  expect([...trace.name]).toEqual([0, 1, 2]);
});

test('columns of schema 1.0.1: flat keys', () => {
  const trace = hostTrace({ nodes: [{ name: 'a', id: 8, rf_id: 4, parent: 7, seq_id: -1, tid: 2, fw_tid: 1 }] });
  expect([trace.id[0], trace.parent[0], trace.recordId[0], trace.thread[0]]).toEqual([8, 7, 4, 2]);
  expect([trace.forwardThread[0], trace.sequence[0], trace.schema]).toEqual([1, -1, '']);
  expect([trace.pid, trace.startMillis]).toEqual([NaN, NaN]);
});

test('offsets are those of the objects of nodes', () => {
  const text = '\ufeff{"nodes": [ {"id": 1} ,\n{"id": 22}]}';
  const trace = hostTrace(text);
  const bytes = Buffer.from(text);
  const objects = [0, 1].map((node) =>
    bytes.subarray(trace.offset[node], trace.offset[node] + trace.objectLength[node]).toString(),
  );
  expect(objects).toEqual(['{"id": 1}', '{"id": 22}']);
});

describe('layouts of record_param_comms', () => {
  const none = { inputSplits: [], outputSplits: [] };

  test('2023: a sequence number, an address, a rank', () => {
    const values = [TENSOR, 147, 94594108284448, 3, 'all_to_allv', [50, 50], [20, 80]];
    const types = ['Tensor(float)', 'Int', 'Int', 'Int', 'String', 'GenericList[Int,Int]', 'GenericList[Int,Int]'];
    const outputs = { values: [LONG], shapes: [], types: ['Tensor(long int)'] };
    expect(communication(record(values, types, { outputs }))).toEqual({
      ...{ collective: 'all_to_allv', sequence: 147, groupHandle: 94594108284448, groupRank: 3 },
      ...{ inputBytes: 400, outputBytes: 80, elementBytes: 4, inputSplits: [50, 50], outputSplits: [20, 80] },
    });
  });

  test('2023, flat: inputs are the list itself', () => {
    const node = {
      ...{ id: 9, name: 'record_param_comms', parent: 2, inputs: [[TENSOR, LONG], 5, 77, 1, 'ALLREDUCE', [], []] },
      input_types: ['GenericList[Tensor(float),Tensor(long)]', 'Int', 'Int', 'Int', 'String', ...SPLIT_TYPES],
    };
    expect(communication(node)).toEqual({
      ...{ collective: 'allreduce', sequence: 5, groupHandle: 77, groupRank: 1 },
      ...{ inputBytes: 480, outputBytes: 0, elementBytes: 4, ...none },
    });
  });

  test('March 2024: the size of the group behind', () => {
    const values = [[TENSOR], 12, 82149104, 0, 'all_gather', [], [], 2];
    const types = ['GenericList[Tensor(float)]', 'Int', 'Int', 'Int', 'String', ...SPLIT_TYPES, 'Int'];
    expect(communication(record(values, types))).toMatchObject({ groupSize: 2, groupHandle: 82149104, sequence: 12 });
  });

  test('April 2024: name and description of the group, first rank and stride', () => {
    const values = [[TENSOR], 33, ['7', 'mesh_dp'], 0, 'broadcast', [], [], 8, 4, 2];
    const types = [
      'GenericList[Tensor(float)]',
      'Int',
      'Tuple[String,String]',
      'Int',
      'String',
      ...SPLIT_TYPES,
      'Int',
      'Int',
      'Int',
    ];
    expect(communication(record(values, types))).toEqual({
      ...{ collective: 'broadcast', sequence: 33, group: '7', groupDescription: 'mesh_dp', groupRank: 0 },
      ...{ globalRankStart: 8, globalRankStride: 4, groupSize: 2 },
      ...{ inputBytes: 400, outputBytes: 0, elementBytes: 4, ...none },
    });
  });

  test('2025: the sequence number with the kind of call', () => {
    const values = [[TENSOR], [4, true], ['1', 'undefined'], 1, 'send', [], [], 0, 1, 2];
    const types = [
      'GenericList[Tensor(float)]',
      'Tuple[Int,Bool]',
      'Tuple[String,String]',
      'Int',
      'String',
      ...SPLIT_TYPES,
      'Int',
      'Int',
      'Int',
    ];
    expect(communication(record(values, types))).toMatchObject({ sequence: 4, isPointToPoint: true, groupRank: 1 });
  });

  test('a wait has neither tensor nor group', () => {
    const values = [31, ['', ''], 0, 'wait', [], [], -1, -1, 1];
    const types = ['Int', 'Tuple[String,String]', 'Int', 'String', ...SPLIT_TYPES, 'Int', 'Int', 'Int'];
    const attributes = attrs({
      collective_name: 'wait',
      dtype: 'Byte',
      in_msg_nelems: 0,
      out_msg_nelems: 0,
      pg_size: 1,
    });
    expect(communication(record(values, types, { attrs: attributes }))).toEqual({
      ...{ collective: 'wait', sequence: 31, groupRank: 0, groupSize: 1 },
      ...{ inputBytes: 0, outputBytes: 0, elementBytes: NaN, ...none },
    });
  });

  test('attributes of 1.1.0 win over the inputs', () => {
    const values = [[TENSOR], 33, ['7', 'mesh_dp'], 0, 'broadcast', [], [], 8, 4, 2];
    const types = [
      'GenericList[Tensor(float)]',
      'Int',
      'Tuple[String,String]',
      'Int',
      'String',
      ...SPLIT_TYPES,
      'Int',
      'Int',
      'Int',
    ];
    const attributes = attrs({
      ...{ collective_name: 'all_to_allv', dtype: 'BFloat16', in_msg_nelems: 1000, out_msg_nelems: 500 },
      ...{ in_split_size: '[300, 700]', out_split_size: '[250,250]', global_rank_start: 0, global_rank_stride: 1 },
      ...{ pg_name: '9', pg_desc: 'default_pg', pg_size: 16 },
    });
    expect(communication(record(values, types, { attrs: attributes }))).toEqual({
      ...{ collective: 'all_to_allv', sequence: 33, group: '9', groupDescription: 'default_pg', groupRank: 0 },
      ...{ globalRankStart: 0, globalRankStride: 1, groupSize: 16 },
      // 1000 and 500 elements of 2 bytes.
      ...{ inputBytes: 2000, outputBytes: 1000, elementBytes: 2, inputSplits: [300, 700], outputSplits: [250, 250] },
    });
  });

  test('an unknown element type leaves the size to the tensors', () => {
    const values = [[TENSOR], 33, ['7', ''], 0, 'allreduce', [], [], 0, 1, 2];
    const types = [
      'GenericList[Tensor(float)]',
      'Int',
      'Tuple[String,String]',
      'Int',
      'String',
      ...SPLIT_TYPES,
      'Int',
      'Int',
      'Int',
    ];
    const attributes = attrs({ dtype: 'Nibble', in_msg_nelems: 200 });
    expect(communication(record(values, types, { attrs: attributes }))).toMatchObject({
      inputBytes: 800,
      elementBytes: 4,
    });
  });

  test('a record of no known form is counted', () => {
    const { communications, findings } = hostTrace({ nodes: [record([1, 2], ['Int', 'Int'])] });
    expect(communications.size).toBe(0);
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['ATTRIBUTE_NOT_NUMBER', expect.stringContaining('record_param_comms is of no known form') as string],
    ]);
  });
});

describe('process_group:init', () => {
  const init = (text: unknown, id = 3): object => ({
    id,
    name: '## process_group:init ##',
    inputs: { values: [text] },
  });
  const first = (name: string, handle: number, ranks: number[], group_size: number): object => ({
    ...{ pg_name: name, backend_id: handle, backend_config: 'cuda:nccl', ranks, group_size, group_count: 2 },
  });

  test('the first form names the groups of records that only have an address', () => {
    const values = [[TENSOR], 12, 555, 0, 'all_gather', [], [], 2];
    const types = ['GenericList[Tensor(float)]', 'Int', 'Int', 'Int', 'String', ...SPLIT_TYPES, 'Int'];
    const groups = JSON.stringify([first('0', 444, [], 4), first('tp', 555, [1, 3], 2)]);
    const trace = hostTrace({ nodes: [init(groups), record(values, types)] });
    expect([...trace.groups]).toEqual([
      ['0', [0, 1, 2, 3]],
      ['tp', [1, 3]],
    ]);
    expect(trace.communications.get(1)).toMatchObject({ group: 'tp' });
    expect(trace.communications.get(1)).not.toHaveProperty('groupHandle');
    expect(trace.brokenGroups).toEqual([]);
  });

  test('the second form, twice the same, and other ranks', () => {
    const later = (ranks: number[]): string =>
      JSON.stringify([{ pg_name: 'dp', pg_desc: 'mesh', backend_config: '', ranks, group_size: 2, group_count: 1 }]);
    const trace = hostTrace({ nodes: [init(later([0, 2])), init(later([0, 2])), init(later([0, 1]))] });
    expect([...trace.groups]).toEqual([['dp', [0, 2]]]);
    expect(trace.brokenGroups).toEqual([
      {
        node: 2,
        code: 'GROUP_CONFLICT',
        reason: 'group "dp" was declared before with ranks 0, 2, here with ranks 0, 1; the first counts',
      },
    ]);
  });

  test('a text that was cut off keeps its whole entries', () => {
    const text = JSON.stringify([first('a', 1, [0, 1], 2), first('b', 2, [2, 3], 2)]).slice(0, -40);
    const trace = hostTrace({ nodes: [init(text)] });
    expect([...trace.groups]).toEqual([['a', [0, 1]]]);
    expect(trace.brokenGroups).toEqual([
      { node: 0, code: 'GROUP_CUT', reason: 'the text ends too early; groups read before: "a"' },
    ]);
  });

  test('an input that is no text', () => {
    expect(hostTrace({ nodes: [init(7)] }).brokenGroups).toEqual([
      { node: 0, code: 'GROUP_MALFORMED', reason: 'its first input is no text, expected a list of groups' },
    ]);
  });
});

test('values of another kind are counted and not used', () => {
  const trace = hostTrace({
    nodes: [
      { id: 1, ctrl_deps: null, attrs: attrs({ tid: 'one', rf_id: 2 }) },
      { id: 2, ctrl_deps: [1], attrs: attrs({ tid: 2 ** 40 }) },
    ],
  });
  expect([...trace.parent]).toEqual([NaN, NaN]);
  expect([...trace.thread]).toEqual([-1, -1]);
  expect(trace.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(
      /^ATTRIBUTE_NOT_NUMBER host_0\.json: tid is "one" at byte \d+ and not used there; 2 values in all$/,
    ),
    expect.stringMatching(/^ATTRIBUTE_NOT_NUMBER host_0\.json: ctrl_deps is a list at byte \d+ and not used there$/),
  ]);
});

test('the last of repeated keys counts, and that is told', () => {
  const trace = hostTrace('{"nodes": [{"id": 1, "id": 2, "attrs": [{"name": "rf_id", "value": 5}], "attrs": []}]}');
  expect([trace.id[0], trace.recordId[0]]).toEqual([2, 0]);
  expect(trace.findings).toMatchObject([{ code: 'JSON_KEY_REPEATED', count: 2 }]);
});

test.each([
  ['an id', '{"nodes": [{"id": 9007199254740993}]}', 'node 0 of the list: id 9007199254740993 at byte 18'],
  ['rf_id', '{"nodes": [{"id": 1, "rf_id": 18446744073709551615}]}', 'node 0 of the list: rf_id 18446744073709551615'],
])('%s above 2^53 is refused', (_what, text, message) => {
  expect(() => hostTrace(text)).toThrow(
    expect.objectContaining({
      ...{ code: 'NUMBER_TOO_LARGE', exitStatus: 1, message: expect.stringContaining(message) as string },
    }) as Error,
  );
});

test.each([
  ['', 'FILE_EMPTY', 'the file is empty, expected a PyTorch host execution trace'],
  ['[]', 'WRONG_KIND', 'is JSON of another kind'],
  ['{"traceEvents": []}', 'WRONG_KIND', 'is a Kineto device trace (Chrome trace events), expected a PyTorch host'],
  ['{"workload_graph": []}', 'WRONG_KIND', 'is a feeder JSON trace'],
  ['{"nodes": [{"id": 0, "node_type": "comp_node"}]}', 'WRONG_KIND', 'is a STAGE JSON trace'],
  ['{"nodes": [{"id": 0, "name": "k", "cat": "kernel"}]}', 'WRONG_KIND', 'is a linked PyTorch trace'],
  ['{"nodes": [{"id": 0, "exclusive_dur": 1}]}', 'WRONG_KIND', 'is a linked PyTorch trace'],
  [
    '{"version": "0.0.4"}{"id": "1", "name": "a", "type": "COMP_NODE"}',
    'WRONG_KIND',
    'is the output of chakra_jsonizer',
  ],
  ['\x00', 'WRONG_KIND', 'is a Chakra trace (protobuf)'],
  [
    '{"schema": "1.0.1", "nodes": [{"id": 7, "name" "x"}]}',
    'JSON_MALFORMED',
    'node 0 of the list (id 7), byte 47: expected ":" after the key, got """',
  ],
  [
    '{"schema": "1.0.1", "nodes": [{"name": "x"}]}',
    'JSON_MALFORMED',
    'node 0 of the list, byte 30: a node without an id',
  ],
  ['{"schema": "1.0.1", "nodes": [{"id": 7}], "pid" 3}', 'JSON_MALFORMED', 'behind the nodes, byte 48'],
  [
    '{"schema": "1.0.1", "nodes": [{"id": 7}]} x',
    'JSON_MALFORMED',
    'behind the nodes, byte 42: expected the end of the file, got "x"',
  ],
])('%j: %s', (text, code, message) => {
  expect(() => hostTrace(text)).toThrow(
    expect.objectContaining({ code, exitStatus: 3, message: expect.stringContaining(message) as string }) as Error,
  );
});

test('a linked trace: what to give instead', () => {
  expect(() => hostTrace({ nodes: [{ id: 0, inter_thread_dep: null }] })).toThrow(
    expect.objectContaining({
      advice: expect.stringContaining('give the host trace and the device trace') as string,
    }) as Error,
  );
});
