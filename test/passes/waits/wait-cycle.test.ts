import fc from 'fast-check';
import { pairCollectives } from '../../../src/collectives/build-plan.js';
import { surveyCollectives } from '../../../src/collectives/survey.js';
import { findWaitCycle, type WaitCycle } from '../../../src/passes/waits/wait-cycle.js';
import { surveyWaits } from '../../../src/passes/waits/wait-survey.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import type { ProcessGroup } from '../../../src/trace/process-group.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

const compute = (id: number, ...after: number[]): NodeObject => ({ id, type: 'COMP_NODE', data_deps: after });

const collective = (id: number, type: keyof typeof CollectiveType, group: string, ...after: number[]): NodeObject => ({
  id,
  type: 'COMM_COLL_NODE',
  data_deps: after,
  attr: {
    comm_type: { int64_val: CollectiveType[type] },
    comm_size: { int64_val: 8 },
    pg_name: { string_val: group },
  },
});

const send = (id: number, peer: number, tag: number, ...after: number[]): NodeObject => ({
  id,
  type: 'COMM_SEND_NODE',
  data_deps: after,
  attr: { comm_dst: { int32_val: peer }, comm_tag: { int32_val: tag }, comm_size: { int64_val: 8 } },
});

const receive = (id: number, peer: number, tag: number, ...after: number[]): NodeObject => ({
  id,
  type: 'COMM_RECV_NODE',
  data_deps: after,
  attr: { comm_src: { int32_val: peer }, comm_tag: { int32_val: tag }, comm_size: { int64_val: 8 } },
});

interface Options {
  synchronized?: boolean;
  /** Per rank, (from, to) node indices. */
  chain?: [number, number][][];
}

function search(ranks: NodeObject[][], groups: Record<string, number[]> = {}, options: Options = {}) {
  const traces = ranks.map((nodes, rank) => traceOf(nodes, rank));
  return searchTraces(traces, groups, options);
}

function searchTraces(traces: RankTrace[], groups: Record<string, number[]>, options: Options): WaitCycle | undefined {
  const declared = new Map<string, ProcessGroup>(
    Object.entries(groups).map(([name, members]) => [name, { name, ranks: members, origin: 'test' }]),
  );
  const plan = pairCollectives(traces.map(surveyCollectives), declared, {});
  const chain = options.chain?.map((edges) => ({
    from: Int32Array.from(edges, ([from]) => from),
    to: Int32Array.from(edges, ([, to]) => to),
  }));
  return findWaitCycle(
    traces.map((trace) => surveyWaits(trace, 'both')),
    plan,
    { sync: options.synchronized ?? false, ...(chain && { chain }) },
  );
}

/** `rank.id` of each link. */
const links = (cycle: WaitCycle | undefined) =>
  cycle?.steps.map(({ rank, id, waitsFor }) => `${rank}.${id} ${waitsFor}`);

const GH = { G: [0, 1], H: [0, 1] };

describe('two groups issued in opposite orders', () => {
  const ranks = [
    [collective(7, 'allReduce', 'G'), compute(8, 7), collective(9, 'allReduce', 'H', 8)],
    [collective(4, 'allReduce', 'H'), collective(5, 'allReduce', 'G', 4)],
  ];

  test('are a circle, and the text names both ranks, nodes and collectives', () => {
    const cycle = search(ranks, GH);
    expect(links(cycle)).toEqual(['0.7 members', '1.5 dependency', '1.4 members', '0.9 dependency']);
    expect(cycle!.text).toBe(
      'groups "G" and "H" are issued in opposite orders on rank 0 and rank 1: ' +
        'rank 0 node 7 (AllReduce 0 of G) waits for rank 1 (node 5), which first has to finish ' +
        'node 4 (AllReduce 0 of H), which waits for rank 0 (node 9), which first has to finish node 7',
    );
  });

  test('are none without the dependency on one of the ranks', () => {
    expect(search([ranks[0], [collective(4, 'allReduce', 'H'), collective(5, 'allReduce', 'G')]], GH)).toBeUndefined();
  });

  test('a chain that serialization would add can close the circle', () => {
    const free = [collective(4, 'allReduce', 'H'), collective(5, 'allReduce', 'G')];
    const cycle = search([ranks[0], free], GH, { chain: [[], [[0, 1]]] });
    expect(links(cycle)).toEqual(['0.7 members', '1.5 order', '1.4 members', '0.9 dependency']);
    expect(cycle!.text).toContain('which by the order of issue first has to finish node 4');
  });
});

describe('point to point', () => {
  const ring = (order: 'receive first' | 'send first') =>
    [0, 1, 2].map((rank) =>
      order === 'receive first'
        ? [receive(1, (rank + 2) % 3, 5), send(2, (rank + 1) % 3, 5, 1)]
        : [send(1, (rank + 1) % 3, 5), receive(2, (rank + 2) % 3, 5, 1)],
    );

  test('a receive before the send all round a ring is a circle', () => {
    expect(links(search(ring('receive first')))).toEqual([
      '0.1 send',
      '2.2 dependency',
      '2.1 send',
      '1.2 dependency',
      '1.1 send',
      '0.2 dependency',
    ]);
  });

  test('a send before the receive all round a ring is none', () => {
    expect(search(ring('send first'))).toBeUndefined();
  });

  test('a receive nobody sends to is no circle', () => {
    expect(search([[receive(1, 1, 5), send(2, 1, 6, 1)], [receive(1, 0, 6)]])).toBeUndefined();
  });

  test('the k-th receive of a key takes the k-th send', () => {
    const sender = [send(1, 1, 5), receive(2, 1, 9, 1), send(3, 1, 5, 2)];
    const receiver = [receive(1, 0, 5), receive(2, 0, 5, 1), send(3, 0, 9, 2)];
    expect(links(search([sender, receiver]))).toEqual(['0.2 send', '1.3 dependency', '1.2 send', '0.3 dependency']);
    expect(search([sender, [receive(1, 0, 5), send(3, 0, 9, 1), receive(2, 0, 5, 3)]])).toBeUndefined();
  });

  test('two receives of one key that compete for a send claim nothing', () => {
    const sender = [send(1, 1, 5), receive(2, 1, 9), send(3, 1, 5, 2)];
    const receiver = [receive(1, 0, 5), compute(4), receive(2, 0, 5, 4), send(3, 0, 9, 2)];
    expect(search([sender, receiver])).toBeUndefined();
  });

  test('R-007 two receives of one key that are ready in one instant get their messages in ascending id', () => {
    const sender = [send(1, 1, 5), receive(2, 1, 9), send(3, 1, 5, 2)];
    const answeredBy = (id: number) => [receive(1, 0, 5), receive(2, 0, 5), send(3, 0, 9, id)];
    expect(search([sender, answeredBy(1)])).toBeUndefined();
    expect(links(search([sender, answeredBy(2)]))).toEqual([
      '0.2 send',
      '1.3 dependency',
      '1.2 send',
      '0.3 dependency',
    ]);
  });
});

describe('what a member of a collective waits for', () => {
  // Rank 1 enters its second collective first on G, then on H; rank 0 the other way round.
  const opposite = (type: keyof typeof CollectiveType, root?: number): NodeObject[][] => {
    const rooted = (node: NodeObject): NodeObject =>
      root === undefined ? node : { ...node, attr: { ...node.attr, root: { int64_val: root } } };
    return [
      [rooted(collective(1, type, 'G')), rooted(collective(2, type, 'H', 1))],
      [rooted(collective(1, type, 'H')), rooted(collective(2, type, 'G', 1))],
    ];
  };

  test.each(['allReduce', 'allGather', 'reduceScatter', 'reduceScatterBlock', 'allToAll', 'barrier'] as const)(
    '%s: all members need all',
    (type) => expect(search(opposite(type), GH)).toBeDefined(),
  );

  test.each(['broadcast', 'scatter', 'gather', 'reduce'] as const)(
    '%s with one root for both: the root or the others pass, so nothing is stuck',
    (type) => expect(search(opposite(type, 0), GH)).toBeUndefined(),
  );

  test.each(['broadcast', 'scatter', 'gather', 'reduce'] as const)(
    '%s with a barrier before it: all need all',
    (type) => expect(search(opposite(type, 0), GH, { synchronized: true })).toBeDefined(),
  );

  test('a broadcast member that enters before what its root waits for is in a circle with the root', () => {
    const rooted = (node: NodeObject): NodeObject => ({ ...node, attr: { ...node.attr, root: { int64_val: 0 } } });
    const ranks = [
      [receive(1, 1, 5), rooted(collective(2, 'broadcast', 'G', 1))],
      [rooted(collective(1, 'broadcast', 'G')), send(2, 0, 5, 1)],
    ];
    expect(links(search(ranks, GH))).toEqual(['0.1 send', '1.2 dependency', '1.1 members', '0.2 dependency']);
  });

  test('the root of a gather that waits for a member behind it is in a circle with it', () => {
    const rooted = (node: NodeObject): NodeObject => ({ ...node, attr: { ...node.attr, root: { int64_val: 0 } } });
    const ranks = [
      [rooted(collective(1, 'gather', 'G')), send(2, 1, 5, 1)],
      [receive(1, 0, 5), rooted(collective(2, 'gather', 'G', 1))],
    ];
    expect(links(search(ranks, GH))).toEqual(['0.1 members', '1.2 dependency', '1.1 send', '0.2 dependency']);
  });

  test('a missing participant is no circle', () => {
    expect(search([[collective(1, 'allReduce', 'G'), send(2, 1, 5, 1)], [receive(1, 0, 5)]], GH)).toBeUndefined();
  });

  test('left-overs behind a cycle inside one rank are no circle', () => {
    const ranks = [
      [compute(1, 2), compute(2, 1), collective(3, 'allReduce', 'G', 1)],
      [collective(1, 'allReduce', 'G')],
    ];
    expect(search(ranks, GH)).toBeUndefined();
  });
});

test('a ring of 20,000 ranks waits in one circle and is found without recursion', () => {
  const length = 20_000;
  const surveys = Array.from({ length }, (_, rank) =>
    surveyWaits(
      traceOf([receive(1, (rank + length - 1) % length, 0), send(2, (rank + 1) % length, 0, 1)], rank),
      'both',
    ),
  );
  const cycle = findWaitCycle(surveys, pairCollectives([], new Map(), {}, length))!;
  expect(cycle.steps.length).toBe(2 * length);
  expect(cycle.text.endsWith(' waits …, 19,992 more waits round to rank 0')).toBe(true);
});

test('with every end matched, a circle is found exactly where an untimed execution stops', () => {
  // Nodes of three ranks in random order on each, every one depending on up to two earlier ones of its rank.
  const action = fc.oneof(
    fc.record({ kind: fc.constant('world' as const) }),
    fc.record({ kind: fc.constant('pair' as const), from: fc.nat(2), to: fc.nat(2) }),
  );
  const shuffle = fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 });
  const scenario = fc.tuple(
    fc.array(action, { minLength: 1, maxLength: 6 }),
    fc.tuple(shuffle, shuffle, shuffle),
    fc.array(fc.array(fc.nat(7), { maxLength: 2 }), { minLength: 24, maxLength: 24 }),
  );
  fc.assert(
    fc.property(scenario, ([actions, keys, wishes]) => {
      const ranks = placed(actions, keys, wishes);
      const groups = Object.fromEntries(actions.map((_, at) => [`g${at}`, [0, 1, 2]]));
      expect(search(ranks, groups) !== undefined).toBe(!runsThrough(ranks, 3));
    }),
    { numRuns: 300 },
  );
});

type Action = { kind: 'world' } | { kind: 'pair'; from: number; to: number };

/** Deals the actions to the ranks; each rank issues its part in the order of its own keys. */
function placed(actions: readonly Action[], keys: readonly number[][], wishes: readonly number[][]): NodeObject[][] {
  return [0, 1, 2].map((rank) => {
    const mine = actions
      .map((action, at) => ({ action, at, key: keys[rank][at] }))
      .filter(({ action }) => action.kind === 'world' || (action.from === rank) !== (action.to === rank))
      .sort((left, right) => left.key - right.key || left.at - right.at);
    return mine.map(({ action, at }, id): NodeObject => {
      const after = [...new Set(wishes[rank * 8 + id].filter((wish) => wish < id))];
      if (action.kind === 'world') return collective(id, 'allReduce', `g${at}`, ...after);
      return action.from === rank ? send(id, action.to, at, ...after) : receive(id, action.from, at, ...after);
    });
  });
}

/** Starts whatever can start, over and over, and tells whether everything finished. */
function runsThrough(ranks: readonly NodeObject[][], members: number): boolean {
  const finished = new Set<string>();
  const started = new Set<string>();
  const entered = new Map<string, number>();
  const sent = new Set<number>();
  for (let before = -1; before !== finished.size + started.size;) {
    before = finished.size + started.size;
    ranks.forEach((nodes, rank) => {
      for (const node of nodes) {
        const name = `${rank}.${node.id}`;
        if (!node.data_deps!.every((id) => finished.has(`${rank}.${id}`))) continue;
        const group = node.attr!.pg_name?.string_val as string;
        const tag = node.attr!.comm_tag?.int32_val as number;
        if (!started.has(name)) {
          started.add(name);
          if (group !== undefined) entered.set(group, (entered.get(group) ?? 0) + 1);
          if (node.type === 'COMM_SEND_NODE') sent.add(tag);
        }
        if (group !== undefined ? entered.get(group) === members : sent.has(tag)) finished.add(name);
      }
    });
  }
  return finished.size === ranks.flat().length;
}
