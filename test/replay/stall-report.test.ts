import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import type { StallReport } from '../../src/replay/stall-report.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { collective, memory, receive, run, send, traces } from '../support/jobs.js';
import { groupsOf, prepareAll } from '../support/preparation.js';

function stallOf(job: RankTrace[], options: Parameters<typeof run>[1] = {}): StallReport {
  const outcome = run(job, options);
  expect(outcome.status).toBe('stalled');
  return outcome.stall!;
}

describe('stall report', () => {
  test('a run that finishes has none', () => {
    expect(run(traces([memory(1, 1)])).stall).toBeNull();
  });

  test('a receive nobody sends to names its key and what became of the sender', () => {
    const report = stallOf(traces([memory(1, 5)], [receive(7, 0, 100, 3), memory(8, 1, [7])]));
    expect(report).toMatchObject({ unfinished: 2, stalledRanks: 1, cycle: null });
    expect(report.ranks).toEqual([
      {
        rank: 1,
        unfinished: 2,
        nodes: [
          {
            node: 7,
            name: 'receive 7',
            type: 'COMM_RECV_NODE',
            state: 'running',
            waitsFor: 'transfer',
            transfer: { tag: 3, sender: 0, receiver: 1 },
            text: 'node 7 "receive 7" waits for a transfer from rank 0 (tag 3); rank 0 has no such send and has ended',
          },
        ],
      },
    ]);
    expect(report.lines).toEqual([
      'stalled: 2 nodes on 1 rank cannot finish',
      '  1 receive nobody sends to',
      'rank 1: 2 of 2 nodes not finished',
      '  node 7 "receive 7" waits for a transfer from rank 0 (tag 3); rank 0 has no such send and has ended',
    ]);
  });

  test('more receives than sends of one key', () => {
    const report = stallOf(
      traces(
        [send(1, 1, 8, 7), send(2, 1, 8, 7)],
        [1, 2, 3].map((id) => receive(id, 0, 8, 7)),
      ),
    );
    expect(report.ranks[0].nodes).toMatchObject([
      {
        node: 3,
        text: 'node 3 "receive 3" waits for a transfer from rank 0 (tag 7); rank 0 has no such send and has ended',
      },
    ]);
  });

  test('a ring of receives that each wait for the send behind the next one', () => {
    const rank = (next: number, previous: number) => [receive(1, previous, 8, 5), send(2, next, 8, 5, [1])];
    const report = stallOf(traces(rank(1, 2), rank(2, 0), rank(0, 1)));
    expect(report.cycle).toEqual([
      { rank: 0, node: 1, name: 'receive 1', waitsFor: 'transfer' },
      { rank: 2, node: 2, name: 'send 2', waitsFor: 'dependency' },
      { rank: 2, node: 1, name: 'receive 1', waitsFor: 'transfer' },
      { rank: 1, node: 2, name: 'send 2', waitsFor: 'dependency' },
      { rank: 1, node: 1, name: 'receive 1', waitsFor: 'transfer' },
      { rank: 0, node: 2, name: 'send 2', waitsFor: 'dependency' },
    ]);
    expect(report.lines.slice(-7)).toEqual([
      '3 ranks wait for each other in a circle:',
      '  rank 0 node 1 "receive 1" waits for the transfer (tag 5) of rank 2 node 2 "send 2"',
      '  rank 2 node 2 "send 2" waits for rank 2 node 1 "receive 1"',
      '  rank 2 node 1 "receive 1" waits for the transfer (tag 5) of rank 1 node 2 "send 2"',
      '  rank 1 node 2 "send 2" waits for rank 1 node 1 "receive 1"',
      '  rank 1 node 1 "receive 1" waits for the transfer (tag 5) of rank 0 node 2 "send 2"',
      '  rank 0 node 2 "send 2" waits for rank 0 node 1 "receive 1"',
    ]);
    expect(report.ranks[0].nodes[0].text).toBe(
      'node 1 "receive 1" waits for a transfer from rank 2 (tag 5); rank 2 node 2 "send 2" has not started, it waits for node 1 "receive 1"',
    );
  });

  test('the same circle through keys that several transfers have', () => {
    const rank = (peer: number) => [
      receive(1, peer, 8, 5),
      receive(2, peer, 8, 5, [1]),
      send(3, peer, 8, 5, [2]),
      send(4, peer, 8, 5, [3]),
    ];
    const report = stallOf(traces(rank(1), rank(0)));
    expect(report.cycle?.map(({ rank: of, node }) => [of, node])).toEqual([
      [0, 1],
      [1, 3],
      [1, 2],
      [1, 1],
      [0, 3],
      [0, 2],
    ]);
    expect(report.lines).toContain(
      '  rank 1 node 3 "send 3" waits, through 1 more node, for rank 1 node 1 "receive 1"',
    );
  });

  test('a dependency cycle inside a rank', () => {
    const report = stallOf(traces([memory(1, 4), memory(2, 1, [3]), memory(3, 1, [2])]));
    expect(report.ranks).toMatchObject([
      {
        rank: 0,
        unfinished: 2,
        nodes: [
          {
            node: 2,
            state: 'waiting',
            waitsFor: 'dependency',
            dependencies: [3],
            text: 'node 2 "memory 2" waits for node 3 "memory 3"',
          },
          { node: 3, state: 'waiting', waitsFor: 'dependency', dependencies: [2] },
        ],
      },
    ]);
    expect(report.cycle?.map(({ node }) => node)).toEqual([2, 3]);
    expect(report.lines).toContain('nodes wait for each other in a circle:');
  });

  test('a node that depends on itself', () => {
    expect(stallOf(traces([{ ...memory(2, 1), ctrl_deps: [2] }])).cycle).toMatchObject([{ rank: 0, node: 2 }]);
  });

  const oppositeOrder = () =>
    traces(
      [collective(1, 0, 100, 'a'), collective(2, 0, 100, 'b', [1])],
      [collective(1, 0, 100, 'b'), collective(2, 0, 100, 'a', [1])],
    );
  const groups = groupsOf({ a: [0, 1], b: [0, 1] });

  test('two groups in opposite order on two ranks', () => {
    const job = oppositeOrder();
    const report = stallOf(job, { plan: planCollectives(job.map(surveyRank), groups, {}) });
    expect(report.ranks[0].nodes).toMatchObject([
      {
        node: 1,
        state: 'running',
        waitsFor: 'collective',
        collective: { group: 'a', type: 'AllReduce', instance: 0, missing: [1] },
        text: 'node 1 "collective 1" waits in AllReduce 0 of group a for rank 1; rank 1 node 2 "collective 2" has not started, it waits for node 1 "collective 1"',
      },
    ]);
    expect(report.cycle?.map(({ rank, node }) => [rank, node])).toEqual([
      [0, 1],
      [1, 2],
      [1, 1],
      [0, 2],
    ]);
    expect(report.lines).toContain(
      '  rank 0 node 1 "collective 1" waits for AllReduce 0 of group a, which rank 1 node 2 "collective 2" has not reached',
    );
  });

  test('the same after expansion', () => {
    const job = prepareAll(oppositeOrder(), { groups, expand: true }).traces;
    const report = stallOf(job);
    expect(new Set(report.cycle?.map(({ rank }) => rank))).toEqual(new Set([0, 1]));
    expect(report.cycle?.some(({ waitsFor }) => waitsFor === 'transfer')).toBe(true);
  });

  test('a member that never reaches its collective', () => {
    const job = traces(
      [collective(1, 0, 100, 'g')],
      [receive(1, 2, 8, 9), collective(2, 0, 100, 'g', [1])],
      [collective(1, 0, 100, 'g')],
    );
    const report = stallOf(job, { plan: planCollectives(job.map(surveyRank), groupsOf({ g: [0, 1, 2] }), {}) });
    expect(report.ranks.map(({ rank }) => rank)).toEqual([0, 1, 2]);
    expect(report.ranks[2].nodes[0].text).toBe(
      'node 1 "collective 1" waits in AllReduce 0 of group g for rank 1; rank 1 node 2 "collective 2" has not started, it waits for node 1 "receive 1"',
    );
    expect(report.cycle).toBeNull();
  });

  test('a member whose trace has no node for the collective', () => {
    const job = traces([collective(1, 0, 100, 'g')], [memory(1, 1)]);
    const full = traces([collective(1, 0, 100, 'g')], [collective(1, 0, 100, 'g')]);
    const plan = planCollectives(full.map(surveyRank), groupsOf({ g: [0, 1] }), {});
    const none = { node: new Int32Array(0), instance: new Int32Array(0), position: new Int32Array(0) };
    const report = stallOf(job, { plan: { ...plan, ranks: [plan.ranks[0], none] } });
    expect(report.lines).toContain(
      '  node 1 "collective 1" waits in AllReduce 0 of group g for rank 1; no node of it there',
    );
  });

  test('what is printed stays short whatever the size of the job', () => {
    const job = traces(
      ...Array.from({ length: 200 }, () => Array.from({ length: 50 }, (_, at) => receive(at, 0, 8, 100 + at))),
    );
    const report = stallOf(job);
    expect(report).toMatchObject({ unfinished: 10_000, stalledRanks: 200 });
    expect(report.lines.length).toBeLessThan(120);
    expect(report.lines).toContain('… and 184 more ranks');
    expect(report.lines).toContain('  … and 46 more');
  });
});
