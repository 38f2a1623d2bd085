import { CollectiveType } from '../../../src/trace/collective-type.js';
import { codes, collective, compute, validateNodes } from '../../support/validation.js';

const groups = { pg: [0, 1] };
const { allReduce, allGather, allToAll, broadcast } = CollectiveType;

test('COLLECTIVE_COUNT (R-083): rank 0 has AllReduce, AllGather on group G, rank 1 has AllReduce only', () => {
  const findings = validateNodes(
    [[collective(1, allReduce, 8), collective(2, allGather, 8)], [collective(1, allReduce, 8)]],
    { groups },
  );
  expect(codes(findings)).toEqual(['COLLECTIVE_COUNT error']);
  expect(findings[0].message).toContain('2 collectives on rank 0, 1 on rank 1');
});

test('COLLECTIVE_TYPE (R-083)', () => {
  const findings = validateNodes([[collective(1, allReduce, 8)], [collective(1, allGather, 8)]], { groups });
  expect(codes(findings)).toEqual(['COLLECTIVE_TYPE error']);
});

test('COLLECTIVE_SIZE (R-083) is a warning', () => {
  const findings = validateNodes([[collective(1, allReduce, 8)], [collective(1, allReduce, 9)]], { groups });
  expect(codes(findings)).toEqual(['COLLECTIVE_SIZE warning']);
});

test('COLLECTIVE_ROOT (R-083) and ROOT_NOT_MEMBER (R-126)', () => {
  const rooted = (root: number) => [collective(1, broadcast, 8, { root: { int64_val: root } })];
  expect(codes(validateNodes([rooted(0), rooted(1)], { groups }))).toEqual(['COLLECTIVE_ROOT error']);
  expect(codes(validateNodes([rooted(2), rooted(2), []], { groups }).filter(({ group }) => group === 'pg'))).toEqual([
    'ROOT_NOT_MEMBER error',
  ]);
});

test('ROOT_ASSUMED where no member names one', () => {
  const ranks = [[collective(1, broadcast, 8)], [collective(1, broadcast, 8)]];
  expect(codes(validateNodes(ranks, { groups }))).toEqual(['ROOT_ASSUMED note']);
});

test('ALGORITHM_GROUP_SIZE (R-125)', () => {
  const ranks = Array.from({ length: 6 }, () => [collective(1, allReduce, 8)]);
  const six = { pg: [0, 1, 2, 3, 4, 5] };
  expect(validateNodes(ranks, { groups: six })).toEqual([]);
  const findings = validateNodes(ranks, { groups: six, algorithms: { allreduce: 'halving-doubling' } });
  expect(codes(findings)).toEqual(['ALGORITHM_GROUP_SIZE error']);
});

test('SPLITS_DISAGREE', () => {
  const split = (...bytes: number[]) => [collective(1, allToAll, 8, { send_split_bytes: { int64_list: bytes } })];
  expect(validateNodes([split(3, 5), split(4, 4)], { groups })).toEqual([]);
  expect(codes(validateNodes([split(3, 5), split(4, 4, 4)], { groups }))).toEqual(['SPLITS_DISAGREE error']);
});

test('ORDER_PARTIAL where only some collectives carry issue_order', () => {
  const ranks = [[collective(1, allReduce, 8, { issue_order: { int64_val: 0 } })], [collective(1, allReduce, 8)]];
  expect(codes(validateNodes(ranks, { groups }))).toEqual(['ORDER_PARTIAL warning']);
});

describe('WAIT_CYCLE', () => {
  const on = (id: number, group: string, ...after: number[]) => ({
    ...collective(id, allReduce, 8, { pg_name: { string_val: group } }),
    data_deps: after,
  });
  const both = { G: [0, 1], H: [0, 1] };

  test('two groups issued in opposite orders', () => {
    const findings = validateNodes([[on(1, 'G'), on(2, 'H', 1)], [on(1, 'H'), on(2, 'G', 1)]], { groups: both }); // prettier-ignore
    expect(codes(findings)).toEqual(['WAIT_CYCLE error']);
    expect(findings[0].message).toMatch(/^groups "G" and "H" are issued in opposite orders on rank 0 and rank 1: /);
    expect(findings[0].cycle).toEqual([
      { rank: 0, node: 1, what: 'AllReduce 0 of G', waitsFor: 'members' },
      { rank: 1, node: 2, what: 'AllReduce 0 of G', waitsFor: 'dependency' },
      { rank: 1, node: 1, what: 'AllReduce 0 of H', waitsFor: 'members' },
      { rank: 0, node: 2, what: 'AllReduce 0 of H', waitsFor: 'dependency' },
    ]);
    expect(findings[0].cycleLength).toBe(4);
  });

  test('control dependencies close it with --deps both alone', () => {
    const second = { ...on(2, 'G'), ctrl_deps: [1] };
    const ranks = [[on(1, 'G'), on(2, 'H', 1)], [on(1, 'H'), second]]; // prettier-ignore
    expect(codes(validateNodes(ranks, { groups: both }))).toEqual(['WAIT_CYCLE error']);
    expect(validateNodes(ranks, { groups: both, deps: 'data' })).toEqual([]);
  });

  test('is not looked for while a rank is missing', () => {
    const ranks = [[on(1, 'G'), on(2, 'H', 1)], [on(1, 'H'), on(2, 'G', 1)]]; // prettier-ignore
    expect(codes(validateNodes(ranks, { groups: both, worldSize: 3 }))).toEqual([]);
  });
});

test('findings come by rank, then by the order of the catalogue, then by id; those of no rank last', () => {
  const findings = validateNodes(
    [
      [collective(1, allReduce, 8), compute(5, [99]), compute(5)],
      [collective(1, allReduce, 8), collective(2, allReduce, 8), compute(7, [7])],
    ],
    { groups, findings: [{ code: 'RANK_ASSUMED', severity: 'note', message: 'first file' }] },
  );
  expect(findings.map(({ rank, code }) => `${rank} ${code}`)).toEqual([
    '0 DUPLICATE_ID',
    '0 DANGLING_DATA',
    '1 NODES_NEVER_START',
    '1 SELF_DATA',
    'undefined RANK_ASSUMED',
    'undefined COLLECTIVE_COUNT',
  ]);
});
