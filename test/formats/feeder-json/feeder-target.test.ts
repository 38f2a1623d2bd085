import { MemorySource } from '../../../src/base/byte-source.js';
import { Losses } from '../../../src/base/losses.js';
import { encodeChakraEt } from '../../../src/formats/et/encode.js';
import { FEEDER_TARGET } from '../../../src/formats/feeder-json/feeder-target.js';
import { openTraceSource } from '../../../src/formats/open-source.js';
import { readTrace } from '../../../src/formats/read-trace.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { describeShared, shared } from '../../support/shared.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

function written(trace: RankTrace): { text: string; losses: [string, number, string][] } {
  const losses = new Losses();
  const parts: Buffer[] = [];
  FEEDER_TARGET.write(trace, (bytes) => parts.push(Buffer.from(bytes)), losses);
  const kinds = losses.kinds.map(({ what, count, consequence }): [string, number, string] => [
    what,
    count,
    consequence,
  ]);
  return { text: Buffer.concat(parts).toString(), losses: kinds };
}

function read(bytes: Uint8Array): RankTrace {
  return readTrace(new MemorySource(bytes, 'x'), { rank: 0, file: 'x' }).trace;
}

test('the keys of the form, and what it cannot carry', () => {
  const nodes: NodeObject[] = [
    {
      ...{ id: 2n ** 64n - 1n, name: 'send "é"', type: 'COMM_SEND_NODE', ctrl_deps: [1], data_deps: [2, 3] },
      attr: {
        comm_dst: { int32_val: 4 },
        comm_size: { uint64_val: 5 },
        comm_tag: { int64_val: 3000000000 },
        is_cpu_op: { int32_val: 0 },
        comm_src: {},
        stream: { int64_val: 7 },
      },
    },
    {
      ...{ id: 0, type: 9, start_time_micros: 1, duration_micros: 6, inputs: { values: '[]' } },
      attr: { comm_group: { int32_val: 4 } },
    },
  ];
  const { text, losses } = written(traceOf(nodes, 0, { version: '1.0.0', attr: { schema: { string_val: 'x' } } }));
  expect(text).toBe(
    [
      '{"workload_graph": [',
      '  {"Id": 18446744073709551615, "Name": "send \\"é\\"", "NodeType": 5, "ctrlDeps": [1], "data_deps": [2, 3], "is_cpu_op": false, "comm_size": 5, "comm_dst": 4, "comm_tag": 3000000000},',
      '  {"Id": 0, "Name": "", "NodeType": 9, "data_deps": [], "runtime": 6, "pg_name": "4"}',
      ']}',
      '',
    ].join('\n'),
  );
  expect(losses).toEqual([
    ['metadata attributes schema', 1, ''],
    ['the arm uint64_val of comm_size', 1, 'int64_val is read back'],
    ['attributes comm_src', 1, ''],
    ['attributes stream', 1, ''],
    ['the name comm_group', 1, 'pg_name is read back'],
    ['start times', 1, ''],
    ['inputs of nodes', 1, ''],
  ]);
});

test('a duration of 0 that is stated stays stated', () => {
  const text = '{"workload_graph": [\n  {"Id": 1, "Name": "a", "NodeType": 4, "data_deps": [], "runtime": 0}\n]}\n';
  expect(written(read(Buffer.from(text)))).toEqual({ text, losses: [] });
});

describeShared('the files of mlcommons/chakra', () => {
  test.each(['chakra.0.json.gz', 'small_chakra.0.json'])('%s comes back by way of .et', (name) => {
    const path = shared('traces/mlcommons-chakra', name);
    const source = openTraceSource(path);
    const original = JSON.parse(Buffer.from(source.read(0, source.length)).toString()) as { workload_graph: object[] };
    const { trace } = readTrace(openTraceSource(path), { rank: 0, file: path });
    const { text, losses } = written(read(encodeChakraEt(trace)));
    expect((JSON.parse(text) as typeof original).workload_graph).toEqual(original.workload_graph);
    expect(losses).toEqual([]);
  });
});
