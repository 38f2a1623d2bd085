import { collectivesView } from '../../../src/passes/views/collectives.js';
import type { NodeObject } from '../../support/traces.js';
import { collective } from '../../support/validation.js';
import { collectiveViewInput } from '../../support/views.js';

const ALL_REDUCE = 0;
const ALL_GATHER = 2;
const BROADCAST = 5;

function view(ranks: readonly (readonly NodeObject[])[], groups: Record<string, number[]>, numbers?: number[]) {
  return collectivesView(...collectiveViewInput(ranks, groups, numbers));
}

function lasting(node: NodeObject, micros: number): NodeObject {
  return { ...node, duration_micros: micros };
}

test('members, nodes, root and durations in the order of the group', () => {
  const root = { root: { int64_val: 1 } };
  const ranks = [
    [lasting(collective(10, BROADCAST, 64, root), 5)],
    [lasting(collective(11, BROADCAST, 64, root), 9)],
    [collective(12, BROADCAST, 64)],
  ];
  expect(view(ranks, { pg: [2, 0, 1] })).toEqual({
    count: 1,
    nodesOutside: 0,
    summary: [{ group: 'pg', type: 'Broadcast', collectives: 1, bytes: 64, smallest: 64, largest: 64, disagreeing: 0 }],
    list: [
      {
        group: 'pg',
        index: 0,
        type: 'Broadcast',
        bytes: 64,
        members: [2, 0, 1],
        nodes: [12, 10, 11],
        root: 1,
        agreement: 'agree',
        durationMicros: { min: 5, max: 9 },
      },
    ],
  });
});

describe('what members disagree on, the gravest of it', () => {
  const agreement = (...ranks: NodeObject[][]) => view(ranks, { pg: ranks.map((_, rank) => rank) }).list[0];

  test('types', () => {
    expect(agreement([collective(1, ALL_REDUCE, 8)], [collective(1, ALL_GATHER, 16)])).toMatchObject({
      agreement: 'types differ',
      type: 'AllReduce',
      types: ['AllReduce', 'AllGather'],
      sizes: [8, 16],
      bytes: 16,
    });
  });

  test('sizes', () => {
    expect(agreement([collective(1, ALL_REDUCE, 8)], [collective(1, ALL_REDUCE, 16)])).toMatchObject({
      agreement: 'sizes differ',
      sizes: [8, 16],
    });
    const sizeless = collective(1, ALL_REDUCE, 0, { comm_size: undefined });
    expect(agreement([collective(1, ALL_REDUCE, 8)], [sizeless])).toMatchObject({
      agreement: 'size missing',
      sizes: [8, null],
    });
    expect(agreement([sizeless], [sizeless])).toMatchObject({ agreement: 'agree', bytes: null });
  });

  test('roots, of those that name one', () => {
    const rooted = (root?: number) =>
      collective(1, BROADCAST, 8, root === undefined ? {} : { root: { int64_val: root } });
    expect(agreement([rooted(0)], [rooted(1)], [rooted()])).toMatchObject({
      agreement: 'roots differ',
      root: 0,
      roots: [0, 1, null],
    });
  });

  test('a member without it', () => {
    const found = view([[collective(1, ALL_REDUCE, 8), collective(2, ALL_REDUCE, 8)], [collective(1, ALL_REDUCE, 8)]], {
      pg: [0, 1],
    });
    expect(found.list[1]).toMatchObject({ agreement: 'missing', missing: [1], nodes: [2, null] });
    expect(found.summary).toMatchObject([{ collectives: 2, bytes: 16, disagreeing: 1 }]);
  });

  test('a member without a trace is not said to miss it', () => {
    const { list } = view([[collective(1, ALL_REDUCE, 8)]], { pg: [0, 3] });
    expect(list).toEqual([expect.objectContaining({ agreement: 'agree', members: [0, 3], nodes: [1, null] })]);
    expect(list[0]).not.toHaveProperty('missing');
  });
});

test('what is expanded names its algorithm, on all members or some', () => {
  const exit: NodeObject = {
    id: 5,
    type: 'METADATA_NODE',
    attr: {
      comm_type: { int64_val: ALL_REDUCE },
      comm_size: { int64_val: 8 },
      pg_name: { string_val: 'pg' },
      collective_instance: { int64_val: 0 },
      collective_size: { int64_val: 8 },
      collective_algorithm: { string_val: 'tree' },
    },
  };
  expect(view([[exit], [exit]], { pg: [0, 1] }).list[0]).toMatchObject({
    agreement: 'agree',
    expanded: 'all',
    algorithm: 'tree',
    nodes: [5, 5],
  });
  expect(view([[exit], [collective(1, ALL_REDUCE, 8)]], { pg: [0, 1] }).list[0]).toMatchObject({ expanded: 'some' });
});

test('R-128: nodes of ranks outside the group are counted and in no collective', () => {
  const one = [collective(1, ALL_REDUCE, 8)];
  expect(view([one, one, [...one, collective(2, ALL_REDUCE, 8)]], { pg: [0, 1] })).toMatchObject({
    count: 1,
    nodesOutside: 2,
  });
});
