import { scriptAlgorithm } from '../../src/astra-sim/expansion/script-algorithm.js';
import type { Finding } from '../../src/base/finding.js';
import { planCollectives } from '../../src/collectives/build-plan.js';
import type { AlgorithmChoices } from '../../src/collectives/catalogue.js';
import { planForWorker, planFromWorker } from '../../src/collectives/plan-message.js';
import { surveyCollectives } from '../../src/collectives/survey.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import type { attributes } from '../support/preparation.js';
import { collective, groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf, type NodeObject } from '../support/traces.js';

const { allReduce, allGather, broadcast, barrier, allToAll, scatter } = CollectiveType;

function plan(ranks: NodeObject[][], groups: Record<string, number[]>, algorithms: AlgorithmChoices = {}) {
  const surveys = ranks.map((nodes, rank) => structuredClone(surveyCollectives(traceOf(nodes, rank))));
  return planCollectives(surveys, groupsOf(groups), algorithms);
}

const brief = ({ code, severity, message }: Finding): string => `${severity} ${code}: ${message}`;

const reduceNode = (id: number, more: Parameters<typeof attributes>[0] = {}): NodeObject =>
  collective(id, { type: allReduce, size: 100, group: 'G', ...more });
const gatherNode = (id: number, more: Parameters<typeof attributes>[0] = {}): NodeObject =>
  collective(id, { type: allGather, size: 100, group: 'G', ...more });

describe('R-083 instances', () => {
  test('without a recorded order the j-th of ascending ids pairs with the j-th', () => {
    const { instances, ranks, findings } = plan(
      [
        [gatherNode(9), reduceNode(5)],
        [reduceNode(100), gatherNode(200)],
      ],
      { G: [1, 0] },
    );
    expect(findings).toEqual([]);
    expect(instances.map(({ type, instance, place }) => [type, instance, place])).toEqual([
      [allReduce, 0, 0],
      [allGather, 1, 1],
    ]);
    // By ascending id: node 1 of rank 0 (id 5) first. Rank 0 is position 1 of the group.
    expect([...ranks[0].node]).toEqual([1, 0]);
    expect([...ranks[0].instance]).toEqual([0, 1]);
    expect([...ranks[0].position]).toEqual([1, 1]);
    expect([...ranks[1].node]).toEqual([0, 1]);
    expect([...ranks[1].position]).toEqual([0, 0]);
  });

  test('the recorded order of issue goes before ids', () => {
    const { instances, ranks, findings } = plan(
      [
        [gatherNode(9, { order: 0 }), reduceNode(5, { order: 3 })],
        [reduceNode(100, { order: 7 }), gatherNode(200, { order: 2 })],
      ],
      { G: [0, 1] },
    );
    expect(findings).toEqual([]);
    // k goes by rank 0's ascending id: the AllReduce of id 5 is place 0 although it is the second of its group.
    expect(instances.map(({ type, instance, place }) => [type, instance, place])).toEqual([
      [allReduce, 1, 0],
      [allGather, 0, 1],
    ]);
    expect([...ranks[1].instance]).toEqual([0, 1]);
  });

  test('an order recorded on some members only: ids, with a warning', () => {
    const { instances, findings } = plan(
      [
        [gatherNode(9, { order: 0 }), reduceNode(5, { order: 3 })],
        [reduceNode(100), gatherNode(200)],
      ],
      { G: [0, 1] },
    );
    expect(instances.map(({ type }) => type)).toEqual([allReduce, allGather]);
    expect(findings.map(brief)).toEqual([
      'warning ORDER_PARTIAL: process group "G": 2 of 4 collectives have an issue order; none is used',
    ]);
  });

  test('count', () => {
    const { findings } = plan([[reduceNode(1), gatherNode(2)], [reduceNode(1)]], { G: [0, 1] });
    expect(findings.map(brief)).toEqual([
      "error COLLECTIVE_COUNT: G: 2 collectives on rank 0, 1 on rank 1; rank 1 lacks AllGather 1 of 100 B (rank 0's 2nd, node 2)",
    ]);
  });

  test('type', () => {
    const { findings } = plan(
      [
        [reduceNode(1), gatherNode(2)],
        [reduceNode(3), reduceNode(4)],
      ],
      { G: [0, 1] },
    );
    expect(findings).toMatchObject([
      {
        code: 'COLLECTIVE_TYPE',
        severity: 'error',
        message: 'G: collective 1 is AllGather on rank 0 (node 2), AllReduce on rank 1 (node 4)',
        rank: 1,
        nodes: [4],
        group: 'G',
      },
    ]);
  });

  test('size: the largest is used by all', () => {
    const { instances, findings } = plan([[reduceNode(1, { size: 90 })], [reduceNode(3, { size: 100 })]], {
      G: [0, 1],
    });
    expect(instances[0].size).toBe(100);
    expect(findings.map(brief)).toEqual([
      'warning COLLECTIVE_SIZE: G: AllReduce 0 has 90 bytes on rank 0 (node 1), 100 on rank 1 (node 3); the largest is used by all',
    ]);
  });

  test('root', () => {
    const root = (id: number, rank: number): NodeObject => gatherNode(id, { type: broadcast, root: rank });
    const { findings } = plan([[root(1, 0)], [root(1, 1)]], { G: [0, 1] });
    expect(findings.map(brief)).toEqual([
      'error COLLECTIVE_ROOT: G: Broadcast 0 has root 0 on rank 0 (node 1), root 1 on rank 1 (node 1)',
    ]);
  });

  test('a root named by one member counts for all; named by none, the first of the group; both are noted', () => {
    const { instances, findings } = plan(
      [
        [gatherNode(1, { type: broadcast }), gatherNode(2, { type: scatter })],
        [gatherNode(1, { type: broadcast, root: 1 }), gatherNode(2, { type: scatter })],
      ],
      { G: [0, 1] },
    );
    expect(instances.map(({ root }) => root)).toEqual([1, 0]);
    expect(findings).toMatchObject([{ code: 'ROOT_ASSUMED', severity: 'note', count: 2 }]);
  });
});

test('place: rank 0’s in ascending id, then those of rank 1 that rank 0 is not in', () => {
  const other = (id: number): NodeObject => reduceNode(id, { group: 'H' });
  const { instances } = plan([[reduceNode(7)], [other(1), reduceNode(2), other(3)], [other(5), other(6)]], {
    G: [0, 1],
    H: [1, 2],
  });
  expect(instances.map(({ group, instance, place }) => `${group.name}${instance} at ${place}`)).toEqual([
    'G0 at 0',
    'H0 at 1',
    'H1 at 2',
  ]);
});

describe('section 8.3 degenerate cases', () => {
  test('R-121 size 0 is a size', () => {
    const { instances, findings } = plan([[reduceNode(1, { size: 0 })]], { G: [0] });
    expect(findings).toEqual([]);
    expect(instances[0].size).toBe(0);
  });

  test('R-122 type missing on one member: not expanded on any, later ones still pair', () => {
    const untyped = collective(1, { size: 100, group: 'G' });
    const { instances, findings } = plan(
      [
        [reduceNode(1), gatherNode(2)],
        [untyped, gatherNode(2)],
      ],
      { G: [0, 1] },
    );
    expect(instances.map(({ type, instance }) => [type, instance])).toEqual([[allGather, 1]]);
    expect(findings).toMatchObject([
      { code: 'COMM_TYPE_MISSING', severity: 'warning', rank: 1, nodes: [1], group: 'G' },
    ]);
  });

  test('R-122 an unknown type is not expanded either', () => {
    const { instances, findings } = plan([[reduceNode(1, { type: 77 })]], { G: [0] });
    expect(instances).toEqual([]);
    expect(findings).toMatchObject([{ code: 'COMM_TYPE_UNKNOWN', severity: 'warning', rank: 0, nodes: [1] }]);
  });

  test('R-123 size missing on all members: not expanded; on some: the largest stated', () => {
    const sizeless = collective(1, { type: allReduce, group: 'G' });
    const none = plan([[sizeless], [sizeless]], { G: [0, 1] });
    expect(none.instances).toEqual([]);
    expect(none.findings.map(({ code, rank }) => [code, rank])).toEqual([
      ['COMM_SIZE_MISSING', 0],
      ['COMM_SIZE_MISSING', 1],
    ]);
    const some = plan([[sizeless], [reduceNode(1, { size: 60 })], [reduceNode(1, { size: 60 })]], { G: [0, 1, 2] });
    expect(some.instances[0].size).toBe(60);
    expect(some.findings.map(brief)).toEqual([
      'warning COMM_SIZE_MISSING: G: AllReduce 0 has no comm_size on rank 0; the 60 bytes of rank 1 are used',
    ]);
  });

  test('R-123 a barrier needs no size', () => {
    const { instances, findings } = plan([[collective(1, { type: barrier, group: 'G' })]], { G: [0] });
    expect(findings).toEqual([]);
    expect(instances[0].size).toBe(0);
  });

  test('R-124 undeclared and empty groups', () => {
    const { findings } = plan([[reduceNode(1), reduceNode(2), reduceNode(3, { group: 'E' })]], { E: [] });
    expect(findings.map((found) => [found.code, found.severity, found.group, found.rank, found.nodes])).toEqual([
      ['GROUP_UNDECLARED', 'error', 'G', 0, [1, 2]],
      ['GROUP_EMPTY', 'error', 'E', undefined, undefined],
    ]);
  });

  test('a collective that names no group runs over all ranks, which is noted', () => {
    const nameless = collective(1, { type: allReduce, size: 4 });
    const { instances, findings } = plan([[nameless], [nameless], [nameless]], {});
    expect(instances[0].group.ranks).toEqual([0, 1, 2]);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['GROUP_WORLD', 'note']]);
    expect(plan([[nameless]], { world: [0] }).findings).toEqual([]);
  });

  test.each(['halving-doubling'])('R-125 N = 6 with %s names collective, group and size', (name) => {
    const ranks = Array.from({ length: 6 }, () => [reduceNode(1)]);
    const { findings } = plan(ranks, { G: [0, 1, 2, 3, 4, 5] }, { allreduce: name });
    expect(findings.map(brief)).toEqual([
      `error ALGORITHM_GROUP_SIZE: G: AllReduce 0 (100 bytes) with ${name} needs a power of two, the group has 6 ranks; what fits: ring, tree, double-tree`,
    ]);
  });

  test('R-125 the same with ring: 60 transfers', () => {
    const traces = Array.from({ length: 6 }, (_, rank) => traceOf([reduceNode(1)], rank));
    const { balance } = prepareAll(traces, { expand: true, groups: groupsOf({ G: [0, 1, 2, 3, 4, 5] }) });
    expect(balance.expanded['AllReduce ring'].transfers).toBe(60);
  });

  test('R-126 the root is no member', () => {
    const { findings } = plan([[gatherNode(1, { type: broadcast, root: 1 })], []], { G: [0] });
    expect(findings.map(brief)).toEqual([
      'error ROOT_NOT_MEMBER: G: Broadcast 0 has root 1 on rank 0 (node 1), which is no member of the group: rank 0',
    ]);
  });

  test('R-127 a rank twice, a rank beyond the job', () => {
    expect(plan([[reduceNode(1)]], { G: [0, 0] }).findings.map(brief)).toEqual([
      'error GROUP_MEMBER_TWICE: process group "G" (test) lists rank 0 twice',
    ]);
    expect(plan([[reduceNode(1)]], { G: [0, 1] }).findings.map(brief)).toEqual([
      'error GROUP_MEMBER_OUT_OF_RANGE: process group "G" (test) lists rank 1; ranks are 0 to 0',
    ]);
  });

  test('R-128 a rank outside the group is left alone, the members are unaffected', () => {
    const { instances, ranks, findings } = plan([[reduceNode(1)], [reduceNode(1)], [reduceNode(8)]], { G: [0, 1] });
    expect(instances.length).toBe(1);
    expect([...ranks[2].node]).toEqual([]);
    expect(findings).toMatchObject([
      { code: 'RANK_OUTSIDE_GROUP', severity: 'warning', rank: 2, nodes: [8], group: 'G' },
    ]);
  });
});

test('ranks are 0 … R−1, each once', () => {
  const survey = (rank: number) => surveyCollectives(traceOf([], rank));
  const { findings } = planCollectives([survey(2), survey(0), survey(0)], new Map(), {}, 2);
  expect(findings.map(brief)).toEqual([
    'error RANK_DOUBLED: rank 0 is there twice',
    'error RANK_MISSING: there is a rank 2; 2 ranks are numbered from 0 without gaps',
  ]);
});

test('split lists: of a wrong length an error, missing on some members a warning', () => {
  const node = (splits?: number[]): NodeObject =>
    collective(1, { type: allToAll, size: 9, group: 'G', ...(splits && { splits }) });
  const ranks = [[node([1, 2, 3])], [node([1, 2])], [node()]];
  const { instances, findings } = plan(ranks, { G: [0, 1, 2] });
  expect(findings.map(brief)).toEqual([
    'error SPLITS_DISAGREE: G: AllToAll 0: the split list of rank 1 has 2 entries; expected 3 byte counts of 0 or more',
    'warning SPLITS_MISSING: G: AllToAll 0 has no split list on rank 2; it sends the same to every position',
  ]);
  expect(instances[0].splits?.[2]).toEqual([3, 3, 3]);
});

test('split lists: what one rank sends is held against what the other expects', () => {
  const node = (splits: number[] | undefined, receiveSplits: number[]): NodeObject =>
    collective(1, { type: allToAll, size: 10, group: 'G', ...(splits && { splits }), receiveSplits });
  const agreeing = [[node([1, 9], [1, 4])], [node([4, 6], [9, 6])]];
  expect(plan(agreeing, { G: [0, 1] }).findings).toEqual([]);
  // Rank 1 expects 8 B of the 9 B that rank 0 sends; what a rank keeps for itself is not transferred.
  const differing = [[node([1, 9], [7, 4])], [node([4, 6], [8, 6])]];
  expect(plan(differing, { G: [0, 1] }).findings.map(brief)).toEqual([
    'error SPLITS_DISAGREE: G: AllToAll 0: rank 0 (node 1) sends 9 B to rank 1 (node 1), which expects 8 B',
  ]);
  // Without a list of its own a rank sends C = 5 B to every position.
  const even = [[node(undefined, [5, 4])], [node([4, 6], [5, 6])]];
  expect(plan(even, { G: [0, 1] }).findings.map(brief)).toEqual([
    'warning SPLITS_MISSING: G: AllToAll 0 has no split list on rank 0; it sends the same to every position',
  ]);
});

test('the plan crosses a thread with its algorithms named', () => {
  const made = plan([[reduceNode(1)], [reduceNode(1)]], { G: [0, 1] }, { allreduce: 'tree' });
  expect(planFromWorker(structuredClone(planForWorker(made)), scriptAlgorithm)).toEqual(made);
});

test('collectives that were expanded are in no plan', () => {
  const groups = groupsOf({ G: [0, 1] });
  const traces = [0, 1].map((rank) => traceOf([reduceNode(1)], rank));
  const expanded = prepareAll(traces, { expand: true, groups }).traces;
  const { instances, ranks } = planCollectives(expanded.map(surveyCollectives), groups, {});
  expect(instances).toEqual([]);
  expect(ranks.map(({ node }) => node.length)).toEqual([0, 0]);
});
