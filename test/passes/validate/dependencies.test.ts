import { RankTraceBuilder } from '../../../src/trace/rank-trace-builder.js';
import { NodeType } from '../../../src/trace/node-type.js';
import { codes, compute, only, validateNodes, validateRead } from '../../support/validation.js';

describe('dangling dependencies (R-043)', () => {
  test('DANGLING_DATA is an error and names the missing id', () => {
    const [found, ...others] = validateNodes([[compute(1), compute(2, [9])]]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'DANGLING_DATA', severity: 'error', nodes: [2], missingIds: 1 });
    expect(found.message).toBe('rank 0: 1 data dependency on id 9, which no node has: node 2 "op2"');
  });

  test('DANGLING_CONTROL is a warning, and all of a rank are one finding', () => {
    const [found, ...others] = validateNodes([[compute(1, [], [8]), compute(2, [1], [8, 9]), compute(3, [2])]]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'DANGLING_CONTROL', severity: 'warning', count: 3, missingIds: 2 });
    expect(found.message).toBe(
      'rank 0: 3 control dependencies on 2 ids that no node has, first 8: nodes 1 "op1" and 2',
    );
    expect(found.advice).toContain('--deps data');
  });

  test('DANGLING_CONTROL is a note where control dependencies hold nothing back', () => {
    expect(codes(validateNodes([[compute(1, [], [8])]], { deps: 'data' }))).toEqual(['DANGLING_CONTROL note']);
  });
});

describe('self dependencies', () => {
  test('SELF_DATA is an error, and what is behind it never starts', () => {
    const findings = validateNodes([[compute(1, [1]), compute(2, [1]), compute(3)]]);
    expect(codes(findings)).toEqual(['NODES_NEVER_START error', 'SELF_DATA error']);
    expect(findings[0].count).toBe(2);
    expect(findings[1].message).toBe('rank 0: node 1 "op1" has a data dependency on itself');
  });

  test('SELF_CONTROL is a warning, a note with --deps data', () => {
    const ranks = [[compute(1, [], [1]), compute(2)]];
    expect(codes(validateNodes(ranks))).toEqual(['NODES_NEVER_START error', 'SELF_CONTROL warning']);
    expect(codes(validateNodes(ranks, { deps: 'data' }))).toEqual(['SELF_CONTROL note']);
  });
});

test('a repeated dependency is legal (R-040)', () => {
  expect(validateNodes([[compute(1), compute(2, [1, 1], [1])]])).toEqual([]);
});

describe('CYCLE', () => {
  test('of data dependencies: ids and names in the order of waiting', () => {
    const nodes = [compute(1), compute(2, [1, 4]), compute(3, [2]), compute(4, [3])];
    const [found] = only(validateNodes([nodes]), 'CYCLE');
    expect(found).toMatchObject({ severity: 'error', kind: 'data', nodes: [2, 4, 3], edges: ['data', 'data', 'data'] });
    expect(found.message).toBe(
      'rank 0: cycle of 3 nodes in data dependencies: 2 "op2" waits for 4 "op4" waits for 3 "op3" waits for 2 "op2"',
    );
    expect(found.advice).toBe('break the cycle: drop one of these dependencies');
  });

  test('of control dependencies, where data alone is sound: the advice names --deps data', () => {
    const nodes = [compute(1, [], [2]), compute(2, [], [1]), compute(3)];
    expect(only(validateNodes([nodes]), 'CYCLE')[0]).toMatchObject({
      severity: 'error',
      kind: 'control',
      nodes: [1, 2],
    });
    expect(only(validateNodes([nodes]), 'CYCLE')[0].advice).toContain('--deps data');
    expect(codes(validateNodes([nodes], { deps: 'data' }))).toEqual(['CYCLE note']);
  });

  test('of both kinds together: each link says its kind', () => {
    const nodes = [compute(1, [2]), compute(2, [], [1]), compute(3)];
    const [found] = only(validateNodes([nodes]), 'CYCLE');
    expect(found).toMatchObject({ kind: 'both', nodes: [1, 2], edges: ['data', 'control'] });
    expect(found.message).toBe(
      'rank 0: cycle of 2 nodes in data and control dependencies together: ' +
        '1 "op1" waits for (data) 2 "op2" waits for (control) 1 "op1"',
    );
  });

  test('data and control cycles on one rank: --deps data is not called a way out', () => {
    const nodes = [compute(1, [2]), compute(2, [1]), compute(3, [], [4]), compute(4, [], [3]), compute(5)];
    const found = only(validateNodes([nodes]), 'CYCLE');
    expect(found.map(({ kind }) => kind)).toEqual(['data', 'control']);
    expect(found[1].advice).toContain('does not help');
  });

  test('five have a finding each, the others are counted', () => {
    const nodes = Array.from({ length: 30 }, (_, node) => compute(node, [node ^ 1]));
    const found = only(validateNodes([[...nodes, compute(99)]]), 'CYCLE');
    expect(found.length).toBe(6);
    expect(found.map(({ count }) => count)).toEqual([...new Array<undefined>(5).fill(undefined), 10]);
    expect(found[5].message).toContain('10 further cycles in data dependencies');
    expect(found.every(({ components }) => components === 15)).toBe(true);
  });

  test('of several nodes, some of which name themselves, tells the way through several', () => {
    const nodes = [compute(1, [2], [1]), compute(2, [], [1]), compute(3)];
    const found = only(validateNodes([nodes]), 'CYCLE');
    expect(found.map(({ kind, nodes: ids }) => [kind, ids])).toEqual([['both', [1, 2]]]);
  });

  test('a chain of 1,000,000 nodes is sound, closed it is one cycle of which 100 ids are listed', () => {
    expect(validateRead([{ trace: chain(1_000_000, false), findings: [] }])).toEqual([]);
    const findings = validateRead([{ trace: chain(1_000_000, true), findings: [] }]);
    expect(codes(findings)).toEqual(['NO_INITIAL_NODE error', 'CYCLE error']);
    expect(findings[1].nodes!.length).toBe(100);
    expect(findings[1].cycleLength).toBe(1_000_000);
    expect(findings[1].message).toBe(
      'rank 0: cycle of 1,000,000 nodes in data dependencies: 0 waits for 1 waits for 2 waits for 3 waits for 4 ' +
        'waits for 5 waits for … 999,994 nodes more … waits for 0',
    );
  });
});

/** Every node waits for the next one; the last for the first when `closed`. */
function chain(length: number, closed: boolean) {
  const builder = new RankTraceBuilder(0, 'chain', length, length);
  for (let node = 0; node < length; node++) {
    builder.addNode(node, 0, NodeType.compute, 0);
    builder.durationMicros[node] = 1;
    if (node < length - 1 || closed) builder.data.add((node + 1) % length);
  }
  return builder.finish({ version: '', kept: new Uint8Array(0), passes: [] }, undefined);
}
