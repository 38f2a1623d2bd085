import { groupsView, type GroupView } from '../../../src/passes/views/groups.js';
import type { NodeObject } from '../../support/traces.js';
import { collective } from '../../support/validation.js';
import { collectiveViewInput } from '../../support/views.js';

const ALL_REDUCE = 0;
const ALL_GATHER = 2;
const BROADCAST = 5;
const BARRIER = 9;

function groups(
  ranks: readonly (readonly NodeObject[])[],
  declared?: Record<string, number[]>,
  numbers?: number[],
): GroupView[] {
  return [...groupsView(...collectiveViewInput(ranks, declared, numbers)).list];
}

function named(list: readonly GroupView[], name: string): GroupView {
  return list.find((group) => group.name === name)!;
}

describe('where the members of a group are from', () => {
  test('a group file, and the rank and node of process_group:init', () => {
    const init: NodeObject = {
      id: 7,
      name: '## process_group:init ##',
      type: 'METADATA_NODE',
      inputs: { values: `['[{"pg_name": "dp", "ranks": [0, 1], "group_size": 2}]']` },
    };
    const [tp, dp] = groups([[init], [{ ...init, id: 8 }]], { tp: [1, 0] });
    expect(tp).toMatchObject({
      name: 'tp',
      origin: 'comm_group.json',
      declaredIn: [{ origin: 'comm_group.json' }],
      members: [1, 0],
      size: 2,
      users: [],
      collectivesPerRank: 0,
      types: [],
    });
    expect(dp.declaredIn).toEqual([{ origin: 'process_group:init', ranks: [0, 1], node: 7 }]);
  });

  test('its use where nobody declares any, nothing where others are declared, all ranks without a name', () => {
    const ranks = [[collective(1, ALL_REDUCE, 8)], [collective(1, ALL_REDUCE, 8)]];
    expect(groups(ranks)).toEqual([
      expect.objectContaining({
        name: 'pg',
        origin: 'use',
        reason: 'no group is declared and these ranks use it',
        declaredIn: [],
        members: [0, 1],
      }),
    ]);
    expect(named(groups(ranks, { tp: [0, 1] }), 'pg')).toMatchObject({
      origin: 'none',
      reason: 'declared are "tp"',
      members: [],
      size: 0,
      users: [0, 1],
      usersOutside: [],
      collectivesPerRank: 1,
    });
    const unnamed = [[collective(1, ALL_REDUCE, 8, { pg_name: undefined })], []];
    expect(groups(unnamed)).toEqual([
      expect.objectContaining({ name: 'world', origin: 'world', members: [0, 1], membersWithoutUse: [1] }),
    ]);
  });

  test('members without a trace are members, and nothing is claimed of them', () => {
    const ranks = [[collective(1, ALL_REDUCE, 8)], [collective(1, ALL_REDUCE, 8)]];
    expect(groups(ranks, { pg: [0, 1, 2, 5] }, [0, 5])).toEqual([
      expect.objectContaining({
        members: [0, 1, 2, 5],
        membersWithoutTrace: [1, 2],
        membersWithoutUse: [],
        collectivesPerRank: 1,
        departures: [],
      }),
    ]);
  });
});

test('declared groups in their order, then numbers by value, then other names', () => {
  const ranks = ['10', 'b', '9.0', 'a', 'z'].map((name) => [
    collective(1, ALL_REDUCE, 8, { pg_name: { string_val: name } }),
  ]);
  const list = groups(ranks, { z: [4], y: [0] });
  expect(list.map(({ name }) => name)).toEqual(['z', 'y', '9.0', '10', 'a', 'b']);
});

test('a collective counts once under its type, with the largest size stated (R-123)', () => {
  const ranks = [
    [collective(1, ALL_REDUCE, 8), collective(2, ALL_REDUCE, 100), collective(3, BARRIER, 0)],
    [collective(1, ALL_REDUCE, 8), collective(2, ALL_REDUCE, 120), collective(3, BARRIER, 0)],
  ];
  const [group] = groups(ranks, { pg: [0, 1] });
  expect(group.types).toEqual([
    { type: 'AllReduce', collectives: 2, bytes: 128, nodes: 4, expanded: 0 },
    { type: 'Barrier', collectives: 1, bytes: 0, nodes: 2, expanded: 0 },
  ]);
  expect(group.bytes).toBe(128);
});

test('users outside the group and members that never use it', () => {
  const ranks = [[collective(1, ALL_REDUCE, 8)], [], [collective(1, ALL_REDUCE, 8)]];
  expect(groups(ranks, { pg: [0, 1] })[0]).toMatchObject({
    users: [0, 2],
    usersOutside: [2],
    membersWithoutUse: [1],
    collectivesPerRank: { '0': 1, '1': 0 },
  });
});

describe('who departs first from the others', () => {
  test('a rank that leaves out a collective is told of once, where it is out of step', () => {
    const whole = (first: number): NodeObject[] => [
      collective(first, ALL_REDUCE, 8),
      collective(first + 1, ALL_GATHER, 16),
      collective(first + 2, ALL_REDUCE, 8),
      collective(first + 3, BARRIER, 0),
    ];
    const short = whole(20).filter(({ id }) => id !== 21);
    const [group] = groups([whole(1), short, whole(11)], { pg: [0, 1, 2] });
    expect(group.departures).toEqual([
      {
        rank: 1,
        index: 1,
        what: 'type',
        has: { node: 22, type: 'AllReduce', bytes: 8, root: null },
        others: { count: 2, rank: 0, has: { node: 2, type: 'AllGather', bytes: 16, root: null } },
      },
    ]);
    expect(group.collectivesPerRank).toEqual({ '0': 4, '1': 3, '2': 4 });
  });

  test('one that ends early misses the next, one that goes on alone has an extra one', () => {
    const one = [collective(1, ALL_REDUCE, 8)];
    const two = [...one, collective(2, ALL_REDUCE, 8)];
    expect(groups([two, one, two], { pg: [0, 1, 2] })[0].departures).toEqual([
      expect.objectContaining({ rank: 1, index: 1, what: 'missing', has: null }),
    ]);
    expect(groups([one, two, one], { pg: [0, 1, 2] })[0].departures).toEqual([
      {
        rank: 1,
        index: 1,
        what: 'extra',
        has: { node: 2, type: 'AllReduce', bytes: 8, root: null },
        others: { count: 2, rank: 0, has: null },
      },
    ]);
  });

  test('of two, the first member is the other; of equally many, the side of the earliest', () => {
    const [left, right] = [[collective(1, ALL_REDUCE, 8)], [collective(1, ALL_GATHER, 8)]];
    expect(groups([left, right], { pg: [1, 0] })[0].departures[0]).toMatchObject({ rank: 0, others: { rank: 1 } });
    const four = groups([right, left, left, right], { pg: [0, 1, 2, 3] })[0].departures;
    expect(four.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  test('sizes and roots: each rank once for each, and it stays in step', () => {
    const rank = (size: number, root: number | undefined): NodeObject[] =>
      [1, 2].map((id) => collective(id, BROADCAST, size, root === undefined ? {} : { root: { int64_val: root } }));
    const { departures } = groups([rank(8, 0), rank(16, 0), rank(8, 1), rank(8, undefined)], { pg: [0, 1, 2, 3] })[0];
    expect(departures.map(({ rank: who, index, what }) => [who, index, what])).toEqual([
      [1, 0, 'size'],
      [2, 0, 'root'],
    ]);
  });

  test('a size on some members only, and none of a barrier', () => {
    const { departures } = groups(
      [
        [collective(1, ALL_REDUCE, 8), collective(2, BARRIER, 0)],
        [collective(1, ALL_REDUCE, 8), collective(2, BARRIER, 4)],
        [collective(1, ALL_REDUCE, 0, { comm_size: undefined }), collective(2, BARRIER, 0)],
      ],
      { pg: [0, 1, 2] },
    )[0];
    expect(departures).toEqual([
      expect.objectContaining({ rank: 2, what: 'size', has: { node: 1, type: 'AllReduce', bytes: null, root: null } }),
    ]);
  });

  test('R-083: where the order of issue is recorded, it counts and not the ids', () => {
    const issued = (order: number) => ({ issue_order: { int64_val: order } });
    const ranks = [
      [collective(1, ALL_REDUCE, 8, issued(0)), collective(2, ALL_GATHER, 8, issued(1))],
      [collective(1, ALL_GATHER, 8, issued(1)), collective(2, ALL_REDUCE, 8, issued(0))],
    ];
    expect(groups(ranks, { pg: [0, 1] })[0].departures).toEqual([]);
  });
});
