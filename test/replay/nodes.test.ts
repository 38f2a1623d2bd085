import { compute, memory, micros, receive, run, send, traces } from '../support/jobs.js';

describe('life of a node', () => {
  test('R-041 A 3 µs, B 5 µs, C after both 1 µs: A 0–3, B 0–5, C 5–6', () => {
    const job = traces([compute(1, 3), compute(2, 5), compute(3, 1, [1, 2])]);
    const outcome = run(job, { family: 'collected' });
    expect(micros(outcome, job)).toEqual({ 1: [0, 3], 2: [0, 5], 3: [5, 6] });
    expect(outcome).toMatchObject({ status: 'finished', endPs: 6e6, stall: null });
  });

  test('R-040 an id in both lists, or twice in one, is one dependency', () => {
    const job = traces(
      [[memory(4, 2), memory(6, 3), { ...memory(7, 1), ctrl_deps: [4], data_deps: [4, 6, 6] }]].flat(),
    );
    expect(micros(run(job), job)[7]).toEqual([3, 4]);
  });

  test('R-042 dependencies are of the own rank', () => {
    const job = traces([memory(5, 9)], [memory(5, 1), memory(6, 1, [5])]);
    expect(micros(run(job), job, 1)[6]).toEqual([1, 2]);
  });

  test('R-044 a memory node of 4 µs freed at 7 µs runs 7–11; metadata takes no time whatever it states', () => {
    const job = traces([
      memory(1, 7),
      { ...memory(2, 4, [1]), type: 'MEM_STORE_NODE' },
      { id: 3, type: 'METADATA_NODE', duration_micros: 5, data_deps: [2] },
    ]);
    expect(micros(run(job), job)).toEqual({ 1: [0, 7], 2: [7, 11], 3: [11, 11] });
  });

  test('R-021 a compute node without a duration finishes at its start', () => {
    const job = traces([memory(1, 2), { id: 4, type: 'COMP_NODE', data_deps: [1] }]);
    expect(micros(run(job), job)[4]).toEqual([2, 2]);
  });

  test('R-021 an absent size is 0 bytes with a warning, an absent tag is 0', () => {
    const job = traces(
      [{ id: 1, type: 'COMM_SEND_NODE', attr: { comm_dst: { int32_val: 1 } } }],
      [receive(1, 0, 0, 0)],
    );
    const outcome = run(job);
    expect(outcome.status).toBe('finished');
    expect(micros(outcome, job, 1)[1]).toEqual([0, 1]);
    expect(outcome.findings).toMatchObject([{ code: 'COMM_SIZE_MISSING', severity: 'warning', rank: 0, nodes: [1] }]);
  });

  test('R-022 an unknown type is refused by name; type 0 takes no time and is reported', () => {
    expect(() => run(traces([compute(1, 1)], [{ id: 9, name: 'odd', type: 8 }]))).toThrow(
      'rank 1 node 9 "odd" has type 8',
    );
    const job = traces([memory(1, 2), { id: 2, type: 0, data_deps: [1] }, memory(3, 1, [2])]);
    const outcome = run(job);
    expect(micros(outcome, job)).toEqual({ 1: [0, 2], 2: [2, 2], 3: [2, 3] });
    expect(outcome.findings).toMatchObject([{ code: 'NODE_TYPE_INVALID', rank: 0, count: 1, nodes: [2] }]);
  });

  test('R-043 a dependency on a missing node is refused, or dropped on request', () => {
    const dangling = traces([memory(1, 1), { ...memory(2, 1), data_deps: [1, 77] }]);
    expect(() => run(dangling)).toThrow('rank 0 node 2 "memory 2" has a data dependency on 77');
    const outcome = run(dangling, { dropMissingDependencies: true });
    expect(micros(outcome, dangling)[2]).toEqual([1, 2]);
    expect(outcome.findings).toMatchObject([{ code: 'DANGLING_DATA', severity: 'warning', count: 1, nodes: [2] }]);
  });

  test('R-043 a control dependency on a missing node is dropped with a warning', () => {
    const job = traces([memory(1, 1), { ...memory(2, 1), ctrl_deps: [1, 77] }]);
    const outcome = run(job);
    expect(micros(outcome, job)[2]).toEqual([1, 2]);
    expect(outcome.findings).toMatchObject([{ code: 'DANGLING_CONTROL', severity: 'warning', count: 1, nodes: [2] }]);
  });

  test('R-043 with data dependencies only, control dependencies do not matter', () => {
    const job = traces([memory(1, 1), { ...memory(2, 1), ctrl_deps: [1, 77] }]);
    expect(micros(run(job, { deps: 'data' }), job)[2]).toEqual([0, 1]);
  });

  test('R-043 nodes 2 and 3 wait for each other: a warning, node 1 runs, the rank does not end', () => {
    const job = traces([memory(1, 4), memory(2, 1, [3]), memory(3, 1, [2])]);
    const outcome = run(job);
    expect(outcome.findings).toMatchObject([
      { code: 'CYCLE', severity: 'warning', message: '2 nodes can never start, first 2', rank: 0 },
    ]);
    expect(outcome).toMatchObject({
      status: 'stalled',
      ranks: [{ state: 'stalled', nodes: 3, nodesFinished: 1, endPs: 4e6 }],
    });
    expect(run(job, { stopPs: 2e6 })).toMatchObject({ status: 'limit', ranks: [{ state: 'running', endPs: 2e6 }] });
  });

  test('R-007 nodes 7, 3, 5 freed at one instant start as 3, 5, 7', () => {
    // All three send on one key: the receives started in the order 11, 12, 13 and get 100, 101, 102 bytes.
    const job = traces(
      [memory(1, 10), send(7, 1, 102, 5, [1]), send(3, 1, 100, 5, [1]), send(5, 1, 101, 5, [1])],
      [receive(11, 0, 100, 5), receive(12, 0, 101, 5, [11]), receive(13, 0, 102, 5, [12])],
    );
    const outcome = run(job, { recordTransfers: true });
    expect(outcome.findings).toEqual([]);
    const log = outcome.transferLog!;
    const rows = Array.from({ length: log.length }, (_, row) => [log.start[row], log.sendPlace[row], log.bytes[row]]);
    expect(rows).toEqual([
      [10e6, 1, 100],
      [10e6, 2, 101],
      [10e6, 3, 102],
    ]);
  });

  test('design 2.3 all finishes of an instant come before its starts, whichever is known ahead', () => {
    // At 4 µs a receive and a memory node finish; node 9 needs both, and starts after both at 4 µs.
    const job = traces(
      [send(1, 1, 3000, 1), memory(2, 3)],
      [receive(1, 0, 3000, 1), memory(2, 4), memory(9, 1, [1, 2])],
    );
    expect(micros(run(job), job, 1)[9]).toEqual([4, 5]);
  });

  test('nodes out of id order in the file replay as the same nodes in order', () => {
    const inOrder = [compute(1, 3), compute(2, 5, [1]), compute(3, 1, [1, 2]), send(4, 1, 100, 1, [3])];
    const shuffled = [inOrder[2], inOrder[0], inOrder[3], inOrder[1]];
    const other = [receive(1, 0, 100, 1)];
    const a = traces(inOrder, other);
    const b = traces(shuffled, other);
    expect(micros(run(b), b)).toEqual(micros(run(a), a));
  });

  test('R-001 a run above 2^53 ps is refused, unless its limit comes first', () => {
    const job = traces([memory(1, 9_000_000_000), memory(2, 9_000_000_000, [1])]);
    expect(() => run(job)).toThrow('longer than 2^53 ps');
    expect(run(job, { stopPs: 9e15 })).toMatchObject({ status: 'limit', ranks: [{ nodesFinished: 1 }] });
    expect(() => run(traces([memory(1, 9_100_000_000)]))).toThrow(
      'rank 0 node 1 "memory 1" lasts 9100000000 µs, above 2^53 ps',
    );
  });

  test('ranks must be complete', () => {
    expect(() => run([traces([memory(1, 1)], [memory(1, 1)])[1]])).toThrow('place 0 has rank 1');
  });
});
