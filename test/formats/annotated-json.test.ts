import { initiallyReady, writeAnnotatedJson } from '../../src/formats/annotated-json.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { traceOf } from '../support/traces.js';

function lines(trace: RankTrace): string[] {
  let text = '';
  writeAnnotatedJson(trace, (part) => (text += part));
  return text.split('\n').slice(0, -1);
}

describe('R-020 annotated form', () => {
  test('the line of the rule', () => {
    const trace = traceOf([
      { id: 9, type: 'COMP_NODE' },
      { id: 12, type: 'COMP_NODE' },
      {
        id: 17,
        type: 'COMM_SEND_NODE',
        ctrl_deps: [12],
        data_deps: [9],
        attr: { comm_size: { int64_val: 125 }, comm_dst: { int32_val: 3 }, comm_tag: { int32_val: 65541 } },
      },
      { id: 18, type: 'COMP_NODE', data_deps: [17] },
    ]);
    expect(lines(trace)[2]).toBe(
      '{"id":17,"type":"COMM_SEND_NODE","ctrlDeps":[12],"dataDeps":[9],"commSize":125,"partner":3,"commTag":65541,"dependents":[18]}',
    );
  });

  test('every other member', () => {
    const trace = traceOf([
      { id: 2n ** 64n - 1n, name: 'a', type: 'COMP_NODE', duration_micros: 7, attr: { is_cpu_op: { bool_val: true } } },
      {
        id: 1,
        type: 'COMM_COLL_NODE',
        data_deps: [2n ** 64n - 1n, 99],
        attr: {
          comm_type: { int64_val: 6 },
          comm_size: { int64_val: 0 },
          pg_name: { string_val: 'tp' },
          is_cpu_op: { bool_val: false },
        },
      },
      { id: 2, type: 'COMM_RECV_NODE', attr: { comm_src: { int32_val: 0 } } },
    ]);
    expect(lines(trace)).toEqual([
      '{"id":"18446744073709551615","name":"a","type":"COMP_NODE","isCpuOp":true,"ctrlDeps":[],"dataDeps":[],"durationMicros":7,"dependents":[1]}',
      '{"id":1,"type":"COMM_COLL_NODE","ctrlDeps":[],"dataDeps":["18446744073709551615",99],"commType":"ALL_TO_ALL","pgName":"tp","commSize":0,"dependents":[]}',
      '{"id":2,"type":"COMM_RECV_NODE","ctrlDeps":[],"dataDeps":[],"partner":0,"dependents":[]}',
    ]);
  });

  test('dependents are each once, over both kinds, and in the order of the trace', () => {
    const trace = traceOf([
      { id: 8, type: 'COMP_NODE', data_deps: [1] }, // before its dependency
      { id: 1, type: 'COMP_NODE' },
      { id: 5, type: 'COMP_NODE', data_deps: [1, 1], ctrl_deps: [1] },
      { id: 3, type: 'COMP_NODE', ctrl_deps: [1, 8] },
    ]);
    const dependents = lines(trace).map((line) => (JSON.parse(line) as { dependents: number[] }).dependents);
    expect(dependents).toEqual([[3], [8, 5, 3], [], []]);
  });

  test('nodes that start at once have no dependency of either kind, not even one that dangles', () => {
    const trace = traceOf([
      { id: 1 },
      { id: 2, data_deps: [1] },
      { id: 3, ctrl_deps: [1] },
      { id: 4, data_deps: [77] },
      { id: 2n ** 53n },
    ]);
    expect(initiallyReady(trace)).toEqual([1, '9007199254740992']);
  });
});
