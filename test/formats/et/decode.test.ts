import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { NodeMessage } from '../../support/schema.js';
import { describeShared, shared, sharedFiles } from '../../support/shared.js';
import { buildEt, readBytes, traceOf } from '../../support/traces.js';

describe('readChakraEt', () => {
  test('fills the columns of a small trace', () => {
    const trace = traceOf([
      { id: 0, name: 'a', type: 'COMP_NODE', duration_micros: 7 },
      {
        id: 2n ** 64n - 1n,
        name: 'b',
        type: 'COMM_SEND_NODE',
        data_deps: [0],
        attr: { comm_size: { int64_val: 1000 }, comm_dst: { int32_val: 3 }, comm_tag: { int32_val: 9 } },
      },
    ]);
    expect(trace.length).toBe(2);
    expect([...trace.type]).toEqual([4, 5]);
    expect([...trace.durationMicros]).toEqual([7, 0]);
    expect([trace.idLow[1], trace.idHigh[1]]).toEqual([0xffffffff, 0xffffffff]);
    expect([...trace.dataTarget]).toEqual([0]);
    expect(trace.commSize[1]).toBe(1000);
    expect(trace.peer[1]).toBe(3);
    expect(trace.commTag[1]).toBe(9);
    expect(NodeMessage.name).toBe('Node');
  });
});

describeShared('real traces', () => {
  const facts = JSON.parse(readFileSync(shared('reference/trace-facts.json'), 'utf8')).files;
  test.each(
    sharedFiles('traces', /\.et(\.gz)?$/).filter((path) => facts[path.slice('traces/'.length)]?.format === 'et'),
  )('%s has the nodes and edges of the reference', (path) => {
    const raw = readFileSync(shared(path));
    const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
    const { trace } = readBytes(bytes);
    const { nodes, deps } = facts[path.slice('traces/'.length)];
    expect([trace.length, trace.dataTarget.length, trace.controlTarget.length]).toEqual([
      nodes,
      deps.data_deps,
      deps.ctrl_deps,
    ]);
  });
});

test('a trace is read the same through windows of 7 bytes', () => {
  const bytes = buildEt(Array.from({ length: 50 }, (_, id) => ({ id, name: `node ${id}`.repeat(id), type: 4 })));
  expect(readBytes(bytes, 0, 7).trace.idLow).toEqual(readBytes(bytes).trace.idLow);
});
