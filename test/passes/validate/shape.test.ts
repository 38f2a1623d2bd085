import { finding } from '../../../src/base/catalogue.js';
import { codes, collective, compute, only, validateNodes } from '../../support/validation.js';

test('a sound rank has no finding; id 0, wide ids, gaps and forward references are legal', () => {
  expect(validateNodes([[compute(0, [7]), compute(7), compute(2n ** 63n, [0])]])).toEqual([]);
});

test('NO_NODES: a file of metadata alone', () => {
  expect(validateNodes([[]])).toEqual([
    expect.objectContaining({ code: 'NO_NODES', severity: 'warning', rank: 0, file: 'test.0.et' }),
  ]);
});

describe('DUPLICATE_ID (R-020)', () => {
  test('one', () => {
    const [found, ...others] = validateNodes([[compute(5), compute(6), compute(5)]]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'DUPLICATE_ID', severity: 'error', nodes: [5] });
    expect(found.count).toBeUndefined();
    expect(found.message).toBe('rank 0: node 5 "op5" has an id that an earlier node has');
  });

  test('many are one finding with the first few ids', () => {
    const nodes = Array.from({ length: 1000 }, (_, node) => compute(node >> 1));
    const [found, ...others] = validateNodes([nodes]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ count: 500, nodes: [0, 1, 2, 3, 4, 5, 6, 7] });
    expect(found.message).toBe(
      'rank 0: 500 nodes have an id that an earlier node has: nodes 0 "op0", 1, 2, 3, 4, 5, 6, 7 and 492 more',
    );
  });
});

describe('node types (R-022)', () => {
  test('NODE_TYPE_UNKNOWN names the numbers', () => {
    const nodes = [{ id: 1, type: 8 }, { id: 2, type: 8 }, { id: 3, type: 300 }]; // prettier-ignore
    const [found] = only(validateNodes([nodes]), 'NODE_TYPE_UNKNOWN');
    expect(found).toMatchObject({ severity: 'warning', count: 3, nodes: [1, 2, 3] });
    expect(found.message).toContain('3 nodes of type 8, above 254, known are 1 METADATA_NODE to 7 COMM_COLL_NODE');
  });

  test('NODE_TYPE_INVALID', () => {
    const findings = validateNodes([[compute(1), { id: 2, type: 0 }]]);
    expect(codes(findings)).toEqual(['NODE_TYPE_INVALID warning']);
    expect(findings[0].message).toBe('rank 0: 1 node of type 0 INVALID_NODE: node 2');
  });
});

describe('what can start (R-043)', () => {
  test('nodes 1 (no deps), 2 (dep 3), 3 (dep 2): 2 nodes can never start, first 2', () => {
    const [found] = only(validateNodes([[compute(1), compute(2, [3]), compute(3, [2])]]), 'NODES_NEVER_START');
    expect(found).toMatchObject({ severity: 'error', count: 2, nodes: [2] });
    expect(found.message).toContain('2 nodes of 3 can never start, first 2 "op2"');
  });

  test('NO_INITIAL_NODE instead, when that is every node of the rank', () => {
    const findings = validateNodes([[compute(2, [3]), compute(3, [2]), compute(4, [3])]]);
    expect(codes(findings)).toEqual(['NO_INITIAL_NODE error', 'CYCLE error']);
    expect(findings[0]).toMatchObject({ count: 3, nodes: [2] });
  });

  test('with --deps data, nothing where only control dependencies close the circle', () => {
    const nodes = [compute(1, [], [2]), compute(2, [1])];
    expect(only(validateNodes([nodes]), 'NO_INITIAL_NODE')[0].advice).toContain('--deps data');
    expect(codes(validateNodes([nodes], { deps: 'data' }))).toEqual(['CYCLE note']);
  });
});

test('SCHEMA_MIXED names the versions and where they are', () => {
  const ranks = [[compute(1)], [compute(1)], [compute(1)]];
  const metadata = [{ version: '0.0.4' }, { version: '1.0.0' }, { version: '0.0.4' }];
  expect(validateNodes(ranks, { metadata })).toEqual([
    expect.objectContaining({
      code: 'SCHEMA_MIXED',
      severity: 'warning',
      message: 'the ranks were written with different versions: "0.0.4" on 2 ranks from rank 0, "1.0.0" on rank 1',
    }),
  ]);
});

test('what could not be read comes before what may follow from it', () => {
  const broken = finding('GROUP_MALFORMED', 'comm_group.json: not JSON', { file: 'comm_group.json' });
  const missing = finding('RANK_MISSING', 'rank 1 has no file', { rank: 1 });
  const unread = { code: 'GZIP_BROKEN', severity: 'error' as const, message: 'job.2.et: no gzip', rank: 2 };
  const found = validateNodes([[compute(1, [9]), collective(2, 0, 8)]], { findings: [unread, missing, broken] });
  expect(found.map(({ code }) => code)).toEqual([
    'RANK_MISSING',
    'GZIP_BROKEN',
    'GROUP_MALFORMED',
    'DANGLING_DATA',
    'GROUP_UNDECLARED',
  ]);
});
