import { MemorySource } from '../../src/base/byte-source.js';
import { readTrace, type ReadTrace } from '../../src/formats/read-trace.js';
import { buildEt } from '../support/traces.js';

function read(bytes: Uint8Array, file = 'job.0.et'): ReadTrace {
  return readTrace(new MemorySource(bytes, file), { rank: 0, file });
}

test('protobuf, whatever the name', () => {
  const { trace, format, schema } = read(buildEt([{ id: 5, type: 'COMP_NODE' }]), 'workload.0.json');
  expect([format, schema, trace.length, trace.idLow[0]]).toEqual(['chakra-et', '0.0.4', 1, 5]);
});

test('JSON lines', () => {
  const lines =
    '{"schema":"chakra-prep/trace/1","version":"1.0.0"}\n{"id":5,"name":"five","type":"COMP_NODE","durationMicros":9}\n';
  const { trace, format } = read(Buffer.from(lines), 'job.0.jsonl');
  expect([format, trace.metadata.version, trace.length, trace.durationMicros[0]]).toEqual([
    'chakra-jsonl',
    '1.0.0',
    1,
    9,
  ]);
  expect(trace.kept?.name(trace.frameOffset[0], trace.frameLength[0])).toBe('five');
});

test('feeder JSON', () => {
  const { trace, format, schema } = read(Buffer.from('{"workload_graph": [{"Id": 5, "NodeType": 4, "runtime": 9}]}'));
  expect([format, schema, trace.length, trace.durationMicros[0]]).toEqual(['feeder-json', '0.0.4', 1, 9]);
});

test('JSON of chakra_jsonizer and of STAGE', () => {
  const jsonizer = read(Buffer.from('{"version": "0.0.4"}{"id": "5", "type": "COMP_NODE", "durationMicros": "9"}'));
  expect([jsonizer.format, jsonizer.trace.length, jsonizer.trace.durationMicros[0]]).toEqual(['jsonizer-json', 1, 9]);
  const stage = read(Buffer.from('{"nodes": [{"id": 5, "node_type": "coll_comm_node", "comm_size": 8.0}]}'));
  expect([stage.format, stage.trace.length, stage.trace.commSize[0]]).toEqual(['stage-json', 1, 8]);
});

test.each<[string, string]>([
  ['{"traceEvents": []}', 'a Kineto device trace (Chrome trace events)'],
  ['{"schema": "1.0.1", "nodes": [{"rf_id": 1}]}', 'a PyTorch host execution trace'],
  ['<algo name="a"></algo>', 'an MSCCL program (XML)'],
  ['<svg></svg>', 'XML of another kind'],
  ['num_ranks 2', 'a GOAL schedule (text)'],
  ['{"0": [0, 1]}', 'a process group file'],
  ['MICRO\n1\n', 'a text workload (ASTRA-sim 1.0, SimAI)'],
  ['hello', 'of no known format'],
])('%s is another kind', (content, name) => {
  expect(() => read(Buffer.from(content), 'x')).toThrow(
    expect.objectContaining({
      code: 'WRONG_KIND',
      exitStatus: 3,
      message: `x is ${name}, expected a Chakra trace (.et or its JSON lines)`,
      advice: expect.any(String) as string,
    }) as Error,
  );
});

test('an empty file', () => {
  expect(() => read(new Uint8Array(0))).toThrow(expect.objectContaining({ code: 'FILE_EMPTY' }) as Error);
});
