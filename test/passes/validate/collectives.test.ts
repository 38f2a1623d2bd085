import { CollectiveType } from '../../../src/trace/collective-type.js';
import { codes, collective, compute, receive, send, validateNodes } from '../../support/validation.js';

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

test('COLLECTIVE_COUNT says who lacks which, and where the others have it', () => {
  const full = [collective(4, allReduce, 8), collective(5, allGather, 64), collective(6, allReduce, 4096)];
  const ranks = [full, full, [full[0], full[2]], full];
  const [found, ...others] = validateNodes(ranks, { groups: { pg: [0, 1, 2, 3] } });
  expect(others).toEqual([]);
  expect(found.message).toBe(
    "pg: 3 collectives on ranks 0, 1, 3; 2 on rank 2; rank 2 lacks AllGather 1 of 64 B (the others' 2nd, node 5 on rank 0)",
  );
  expect(found.departures).toMatchObject([{ rank: 2, kind: 'missing', at: 1, count: 1, node: 5, comparedRank: 0 }]);
});

test('COLLECTIVE_TYPE (R-083) names the node of both ranks, and how many more there are', () => {
  const first = [collective(1, allReduce, 8), collective(2, allReduce, 8)];
  const second = [collective(7, allGather, 8), collective(8, allGather, 8)];
  const findings = validateNodes([first, second], { groups });
  expect(codes(findings)).toEqual(['COLLECTIVE_TYPE error']);
  expect(findings[0].message).toBe(
    'pg: collective 0 is AllReduce on rank 0 (node 1), AllGather on rank 1 (node 7) (the first of 2)',
  );
});

test('COLLECTIVE_SIZE (R-083) is a warning', () => {
  const findings = validateNodes([[collective(1, allReduce, 8)], [collective(7, allReduce, 9)]], { groups });
  expect(codes(findings)).toEqual(['COLLECTIVE_SIZE warning']);
  expect(findings[0].message).toBe(
    'pg: AllReduce 0 has 8 bytes on rank 0 (node 1), 9 on rank 1 (node 7); the largest is used by all',
  );
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
  expect(findings[0].message).toBe(
    'pg: AllReduce 0 (8 bytes) with halving-doubling needs a power of two, the group has 6 ranks; ' +
      'what fits: ring, tree, double-tree',
  );
});

test('SPLITS_DISAGREE', () => {
  const split = (...bytes: number[]) => [collective(1, allToAll, 8, { send_split_bytes: { int64_list: bytes } })];
  expect(validateNodes([split(3, 5), split(4, 4)], { groups })).toEqual([]);
  expect(codes(validateNodes([split(3, 5), split(4, 4, 4)], { groups }))).toEqual(['SPLITS_DISAGREE error']);
});

test('SPLITS_DISAGREE: either direction, and the lists of what is received', () => {
  const both = (id: number, sent: number[], received: number[]) =>
    collective(id, allToAll, 8, {
      send_split_bytes: { int64_list: sent },
      receive_split_bytes: { int64_list: received },
    });
  const messages = (...ranks: Parameters<typeof both>[]) =>
    validateNodes(
      ranks.map((facts) => [both(...facts)]),
      { groups },
    ).map(({ code, message }) => `${code} ${message}`);
  expect(messages([1, [3, 5], [3, 4]], [7, [4, 4], [5, 4]])).toEqual([]);
  expect(messages([1, [3, 5], [3, 4]], [7, [4, 4], [6, 4]])).toEqual([
    'SPLITS_DISAGREE pg: AllToAll 0: rank 0 (node 1) sends 5 B to rank 1 (node 7), which expects 6 B',
  ]);
  expect(messages([1, [3, 5], [3, 4]], [7, [9, 4], [5, 4]])).toEqual([
    'SPLITS_DISAGREE pg: AllToAll 0: rank 1 (node 7) sends 9 B to rank 0 (node 1), which expects 4 B',
  ]);
  expect(messages([1, [3, 5], [3, 4, 1]], [7, [4, 4], [5, 4]])).toEqual([
    'SPLITS_DISAGREE pg: AllToAll 0: the list of what rank 0 receives has 3 entries; expected 2, one a member',
  ]);
});

test('NUMBER_INVALID for a split below 0', () => {
  const split = (...bytes: number[]) => [collective(1, allToAll, 8, { send_split_bytes: { int64_list: bytes } })];
  const findings = validateNodes([split(3, -5), split(4, 4)], { groups });
  expect(codes(findings)).toEqual(['NUMBER_INVALID error', 'SPLITS_MISSING warning']);
  expect(findings[0].message).toBe('send_split_bytes holds a number that is not a whole number of 0 or more on node 1');
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

test('NUMBER_TOO_LARGE: R-082 no room for the tags of expanded collectives, as prepare says it', () => {
  // The tags begin at the next multiple of 2^16, which is 2^53, above what can be counted exactly.
  const ranks = (tag: number) => [
    [collective(1, 0, 8), send(2, 1, tag)],
    [collective(1, 0, 8), receive(2, 0, tag)],
  ];
  const groups = { pg: [0, 1] };
  expect(codes(validateNodes(ranks(2 ** 31 - 1), { groups }))).toEqual([]);
  const wide = (tag: number) =>
    validateNodes(
      ranks(0).map(([first, { attr, ...second }]) => [
        first,
        { ...second, attr: { ...attr, comm_tag: { int64_val: tag } } },
      ]),
      { groups },
    ).filter(({ severity }) => severity === 'error');
  expect(wide(2 ** 52)).toEqual([]);
  const [found, ...others] = wide(2 ** 53 - 1);
  expect(others).toEqual([]);
  expect(found.code).toBe('NUMBER_TOO_LARGE');
  // One list of the collective and one of its barrier, 2^16 tags each.
  expect(found.message).toBe(`1 collective needs tags up to ${2 ** 53 + 2 ** 17 - 1}; tags stay below 2^53`);
});

test('ROOT_NOT_MEMBER: R-126 a root above 2^32 is that rank and none below', () => {
  const wrapped = { root: { int64_val: 2 ** 32 + 1 } };
  const findings = validateNodes([[collective(1, broadcast, 8, wrapped)], [collective(1, broadcast, 8, wrapped)]], {
    groups,
  });
  expect(codes(findings)).toEqual(['ROOT_NOT_MEMBER error']);
  expect(findings[0].message).toContain('has root 4294967297 on rank 0');
});
