import { MemorySource } from '../../src/base/byte-source.js';
import { Losses } from '../../src/base/losses.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { writeJsonLines } from '../../src/formats/chakra-jsonl.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { stageJsonToEt } from '../../src/formats/stage-json.js';
import { STAGE_TARGET } from '../../src/formats/stage/stage-target.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { describeShared, shared } from '../support/shared.js';
import { traceOf, type NodeObject } from '../support/traces.js';

const WHERE = { rank: 3, file: 'job.3.json' };

function read(text: string): ReturnType<typeof readTrace> {
  return readTrace(new MemorySource(Buffer.from(text), WHERE.file), WHERE);
}

function linesOf(trace: RankTrace): Record<string, unknown>[] {
  let text = '';
  writeJsonLines(trace, (part) => (text += part));
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function written(trace: RankTrace): { text: string; losses: [string, number, string][] } {
  const losses = new Losses();
  const parts: Buffer[] = [];
  STAGE_TARGET.write(trace, (bytes) => parts.push(Buffer.from(bytes)), losses);
  const kinds = losses.kinds.map(({ what, count, consequence }): [string, number, string] => [
    what,
    count,
    consequence,
  ]);
  return { text: Buffer.concat(parts).toString(), losses: kinds };
}

function openShared(...parts: string[]): RankTrace {
  const path = shared('traces/stage', ...parts);
  return readTrace(openTraceSource(path), { rank: 0, file: path }).trace;
}

describeShared('a job that STAGE wrote in both of its forms', () => {
  test.each([0, 1, 2, 3])('rank %d is read as the protobuf form says it', (rank) => {
    // The two runs numbered their tags differently; STAGE has is_cpu_op in another arm than everybody else.
    const comparable = (line: Record<string, unknown>): unknown => {
      const attr = (line.attr as Record<string, unknown>[]).map((attribute) => {
        if (attribute.name === 'comm_tag') return { name: 'comm_tag' };
        return attribute.name === 'is_cpu_op' ? { name: 'is_cpu_op', bool: false } : attribute;
      });
      return { ...line, attr };
    };
    const json = linesOf(openShared('llama_json_real', `workload.${rank}.json`)).map(comparable);
    const protobuf = linesOf(openShared('llama_json_pp2dp2', `workload.${rank}.json`)).map(comparable);
    expect(json).toEqual(protobuf);
  });

  test.each([0, 1, 2, 3])('rank %d is written as STAGE wrote it', (rank) => {
    const path = shared('traces/stage/llama_json_real', `workload.${rank}.json`);
    const source = openTraceSource(path);
    const wanted = Buffer.from(source.read(0, source.length)).toString();
    expect(written(openShared('llama_json_real', `workload.${rank}.json`))).toEqual({ text: wanted, losses: [] });
  });

  test('of the protobuf form nothing is lost', () => {
    expect(written(openShared('llama_json_pp2dp2', 'workload.0.json')).losses).toEqual([]);
  });
});

describe('reading', () => {
  test('every key of every type of node', () => {
    const nodes = [
      '{"id": 1, "name": "op", "node_type": "comp_node", "y_tensor_size": 4, "inputs": [{"name": "a", "size": 2.0}], "outputs": [], "data_deps": [7], "ctrl_deps": [8], "num_ops": 3, "tensor_size": 4, "op_type": "M"}',
      '{"id": 2, "node_type": "coll_comm_node", "comm_size": 8, "comm_type": "REDUCE_SCATTER", "comm_group": 1}',
      '{"id": 3, "node_type": "comm_send_node", "comm_size": 8.0, "comm_tag": 5, "comm_dst": 1, "y_tensor_size": 0}',
      '{"id": 4, "node_type": "comm_recv_node", "comm_size": 8, "comm_tag": 3000000000, "comm_src": 0, "y_tensor_size": 9}',
      '{"id": 5, "node_type": "mem_load_node", "tensor_size": 16, "y_tensor_size": 2.5}',
      '{"id": 6, "node_type": "mem_store_node", "comm_group": "a"}',
    ];
    const { trace, findings, format } = read(`{"nodes": [${nodes.join(', ')}]}`);
    expect([format, findings]).toEqual(['stage-json', []]);
    const device = { name: 'is_cpu_op', bool: false };
    expect(linesOf(trace)).toEqual([
      { schema: 'chakra-prep/trace/1', attr: [{ name: 'schema', string: 'symbolic_tensor_network' }] },
      {
        ...{ id: 1, name: 'op', type: 'COMP_NODE', ctrlDeps: [8], dataDeps: [7] },
        attr: [
          { name: 'inputs', string: ['a', '2.0'] },
          { name: 'outputs' },
          { name: 'num_ops', int64: 3 },
          { name: 'tensor_size', uint64: 4 },
          { name: 'op_type', string: 'M' },
        ],
      },
      {
        ...{ id: 2, type: 'COMM_COLL_NODE' },
        attr: [
          { name: 'comm_size', int64: 8 },
          { name: 'comm_type', int64: 7 },
          { name: 'pg_name', string: '1' },
          device,
        ],
      },
      {
        ...{ id: 3, type: 'COMM_SEND_NODE' },
        attr: [{ name: 'comm_size', int64: 8 }, { name: 'comm_tag', int32: 5 }, { name: 'comm_dst', int32: 1 }, device],
      },
      {
        ...{ id: 4, type: 'COMM_RECV_NODE' },
        attr: [
          { name: 'comm_size', int64: 8 },
          { name: 'comm_tag', int64: 3000000000 },
          { name: 'comm_src', int32: 0 },
          device,
          { name: 'y_tensor_size', uint64: 9 },
        ],
      },
      {
        ...{ id: 5, type: 'MEM_LOAD_NODE' },
        attr: [
          { name: 'tensor_size', uint64: 16 },
          { name: 'y_tensor_size', double: 2.5 },
        ],
      },
      { id: 6, type: 'MEM_STORE_NODE', attr: [{ name: 'pg_name', string: 'a' }] },
    ]);
  });

  test('sizes with a fraction are rounded up, other keys counted', () => {
    const { trace, findings } = read(
      '{"made_by": "me", "nodes": [{"id": 1, "node_type": "coll_comm_node", "comm_size": 8.25, "colour": "red"}, {"id": 18446744073709551615, "node_type": "comp_node", "num_ops": 1e3, "colour": 1}]}',
    );
    expect(trace.commSize[0]).toBe(9);
    expect(findings).toMatchObject([
      {
        code: 'STAGE_KEY_UNREAD',
        message: 'colour is not read on 2 of 2 nodes',
        rank: 3,
        nodes: [1, '18446744073709551615'],
      },
      { code: 'STAGE_KEY_UNREAD', message: 'keys beside nodes that are not read: made_by' },
      { code: 'STAGE_SIZE_ROUNDED', message: 'comm_size is no whole number on 1 of 2 nodes, rounded up', nodes: [1] },
    ]);
  });

  const START = '{"nodes": [';
  test.each([
    [`${START}{"node_type": "comp_node"}]}`, 'node 0 of nodes, byte 11: the node has no id'],
    [`${START}{"id": 1}, {"id": 2}]}`, 'node 0 of nodes, byte 11: the node has no node_type'],
    [`${START}{"id": 1, "node_type": "op"}]}`, 'byte 11, node_type: expected one of comp_node, coll_comm_node'],
    [`${START}{"id": 1.0, "node_type": "comp_node"}]}`, 'byte 11, id: expected an integer, got 1.0'],
    [`${START}{"id": -1, "node_type": "comp_node"}]}`, 'byte 11, id: expected an integer from 0'],
    [`${START}{"id": 1, "node_type": "comp_node", "num_ops": NaN}]}`, 'node 0 of nodes, byte 58: "NaN" is not a value'],
    [`${START}{"id": 1, "node_type": "comp_node", "id": 2}]}`, 'byte 47: the key "id" is there twice'],
    [`${START}{"id": 1, "node_type": "comp_node", "data_deps": 2}]}`, 'data_deps: expected a list of ids, got 2'],
    [`${START}{"id": 1, "node_type": "coll_comm_node", "comm_type": "SUM"}]}`, 'comm_type: expected one of ALL_REDUCE'],
    [`${START}{"id": 1, "node_type": "comp_node", "inputs": [{"name": "a"}]}]}`, 'inputs[0]: the tensor has no size'],
    [`${START}{"id": 1, "node_type": "comp_node"}`, 'byte 46: ends in the middle of a value'],
    [`${START}{"id": 1, "node_type": "comp_node"}]} {}`, 'byte 49: something follows the object'],
    [`${START}], "nodes": []}`, 'byte 14: the key "nodes" is there twice'],
    ['{"nodes": {}}', 'byte 10: nodes is not a list'],
    ['{"graph": []}', 'byte 12: there are no nodes'],
    ['[]', 'byte 0: expected {"nodes": [...]}'],
  ])('%s is refused', (text, message) => {
    expect(() => stageJsonToEt(new MemorySource(Buffer.from(text), WHERE.file), WHERE)).toThrow(
      expect.objectContaining({
        code: 'JSON_MALFORMED',
        exitStatus: 3,
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });
});

describe('writing', () => {
  test('what the form cannot carry is counted', () => {
    const nodes: NodeObject[] = [
      {
        ...{ id: 1, name: 'init', type: 'METADATA_NODE', start_time_micros: 2, duration_micros: 3 },
        ...{ inputs: { values: '[]' }, outputs: {} },
      },
      {
        ...{ id: 2, name: 'é', type: 'COMM_COLL_NODE', ctrl_deps: [1] },
        attr: {
          comm_type: { int32_val: 12 },
          comm_size: { uint64_val: 8 },
          pg_name: { string_val: 'dp' },
          is_cpu_op: { bool_val: true },
          inputs: { string_list: ['only a name'] },
          stream: { int64_val: 7 },
        },
      },
      { id: 3, type: 'COMM_COLL_NODE', attr: { comm_group: { int32_val: 4 }, is_cpu_op: { int32_val: 0 } } },
    ];
    const { text, losses } = written(traceOf(nodes, 0, { version: '1.0.0', attr: { pid: { int64_val: 5 } } }));
    expect(text).toBe(
      '{"nodes": [{"id": 1, "name": "init", "node_type": "comp_node", "data_deps": [], "ctrl_deps": []}, ' +
        '{"id": 2, "name": "\\u00e9", "node_type": "coll_comm_node", "y_tensor_size": 8, "data_deps": [], "ctrl_deps": [1], "comm_size": 8, "comm_group": "dp"}, ' +
        '{"id": 3, "name": "", "node_type": "coll_comm_node", "data_deps": [], "ctrl_deps": [], "comm_group": 4}]}',
    );
    expect(losses).toEqual([
      ['metadata attributes pid', 1, ''],
      ['the type METADATA_NODE', 1, 'the nodes are written as comp_node'],
      ['durations', 1, 'a reader has to work them out from num_ops'],
      ['start times', 1, ''],
      ['inputs of nodes', 1, ''],
      ['outputs of nodes', 1, ''],
      ['the arm uint64_val of comm_size', 1, 'int64_val is read back'],
      ['attributes comm_type', 1, ''],
      ['attributes is_cpu_op', 1, ''],
      ['attributes inputs', 1, ''],
      ['attributes stream', 1, ''],
      ['the name comm_group', 1, 'pg_name is read back'],
    ]);
  });
});
