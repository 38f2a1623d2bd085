import type { SystemConfiguration } from '../../../src/astra-sim/system-configuration.js';
import { simulateSystem } from '../../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../../src/astra-sim/outcome.js';
import type { SystemRun } from '../../../src/astra-sim/system-run.js';
import type { AnalyticalSpec } from '../../../src/network/network-spec.js';
import type { PreparationOptions } from '../../../src/passes/preparation-plan.js';
import { CollectiveType } from '../../../src/trace/collective-type.js';
import { made, mendAll, type MendedJob } from '../../support/for-astra-sim.js';
import { collective, compute, receive, send } from '../../support/jobs.js';
import { groupsOf, prepareAll } from '../../support/preparation.js';
import { choiceOf } from '../../support/system-expansions.js';
import { everyRank, MIB, networkOf, NO_MEMORY, systemOf } from '../../support/system-runs.js';
import { traceOf, type NodeObject } from '../../support/traces.js';

/**
 * What ASTRA-sim makes of files written for it, worked out by hand: 50 GiB/s are B = 53.6870912 bytes a ns, a hop is 500 ns, a
 * send holds the one slot for communication of its rank until it arrives, a receive needs none (astra-sim-semantics sections 3, 11, 12).
 */

const { allReduce, allGather, allToAll } = CollectiveType;

function written(
  nodes: readonly (readonly NodeObject[])[],
  options: Partial<PreparationOptions> = {},
  groups: Record<string, number[]> = {},
): MendedJob {
  const traces = nodes.map((list, rank) => traceOf(list, rank));
  return mendAll(prepareAll(traces, { groups: groupsOf(groups), ...options }).traces, groups);
}

function ran(
  { traces, groups }: MendedJob,
  network: AnalyticalSpec,
  system?: Partial<SystemConfiguration>,
): SystemOutcome {
  const run: SystemRun = {
    rankCount: traces.length,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: () => {
      throw new Error('no custom collectives');
    },
    groups: groupsOf(groups),
    network,
    backend: 'analytical-unaware',
    system: systemOf('ring', system),
    memory: NO_MEMORY,
    options: { queuesPerDimension: 1, rendezvous: false, deps: 'both', stopNs: Infinity },
  };
  const outcome = simulateSystem(run);
  expect(outcome.status).toBe('finished');
  return outcome;
}

function endsOf(...of: Parameters<typeof ran>): number[] {
  return ran(...of).ranks.map(({ endNs }) => endNs);
}

/** A ns for each rank. */
function same(ranks: number, endNs: number): number[] {
  return Array.from({ length: ranks }, () => endNs);
}

describe('expanded collectives', () => {
  test('a ring all-reduce: each message waits for the one before, so that the slot is free when it comes', () => {
    // 262,144 B: ⌊500 + 4882.8125⌋ = 5382; six of them.
    const job = written(everyRank(4, collective(1, allReduce, MIB, '')), { expand: true });
    expect(endsOf(job, networkOf('Ring 4'))).toEqual(same(4, 6 * 5382));
  });

  test('an all-to-all: its messages are ready at once, and leave one after another', () => {
    // Three of 262,144 B; on the Ring the second goes two hops: ⌊1000 + 4882.8125⌋ = 5882.
    const job = written(everyRank(4, collective(1, allToAll, MIB, '')), { expand: true });
    expect(endsOf(job, networkOf('FullyConnected 4'))).toEqual(same(4, 3 * 5382));
    expect(endsOf(job, networkOf('Ring 4'))).toEqual(same(4, 5382 + 5882 + 5382));
  });

  test('one all-to-all behind another: between many messages a join of 1 ns stands', () => {
    const chain = [collective(1, allToAll, 20_000, ''), collective(2, allToAll, 20_000, '', [1])];
    // 20 ranks: 19 sends and 19 receives before the exit, as many behind: 38 × 38 > 16 × (38 + 38).
    const joined = written(everyRank(20, ...chain), { expand: true });
    expect(made(joined.changes)).toMatchObject({ joins: 20, exits: 20 });
    // 1000 B: ⌊500 + 18.63⌋ = 518.
    expect(endsOf(joined, networkOf('FullyConnected 20'))).toEqual(same(20, 19 * 518 + 1 + 19 * 518));
    // 4 ranks: 6 × 6 dependencies are few enough. 5000 B: ⌊500 + 93.13⌋ = 593.
    const direct = written(everyRank(4, ...chain), { expand: true });
    expect(made(direct.changes)).not.toHaveProperty('joins');
    expect(endsOf(direct, networkOf('FullyConnected 4'))).toEqual(same(4, 6 * 593));
  });

  test('by the algorithms of a system file: chunk after chunk', () => {
    // Four chunks, one at a time, of six messages of 65,536 B: ⌊500 + 1220.7⌋ = 1720.
    const network = networkOf('Ring 4');
    const choice = choiceOf(4, { network, system: systemOf('ring', { datasetSplits: 4 }) });
    const job = written(everyRank(4, collective(1, allReduce, MIB, '')), { expand: true, choice });
    expect(endsOf(job, network)).toEqual(same(4, 4 * 6 * 1720));
  });
});

test('an idle rank has 1 ns of compute, under roofline what 65,536 B of local memory take', () => {
  const job = written([[send(1, 1, 64, 3)], [receive(1, 0, 64, 3)], []]);
  // ⌊500 + 1.19⌋
  expect(endsOf(job, networkOf('FullyConnected 3'))).toEqual([501, 501, 1]);
  // ⌊65,536 / 1600⌋ = 40
  expect(endsOf(job, networkOf('FullyConnected 3'), { roofline: true, peakTflops: 900 })).toEqual([501, 501, 40]);
});

test('a barrier costs its messages, of 1 byte each', () => {
  const nodes = everyRank(2, collective(1, allReduce, MIB, ''));
  const [plain, prepared] = [false, true].map((sync) =>
    ran(written(nodes, { expand: true, sync }), networkOf('FullyConnected 2')),
  );
  // Two messages of 524,288 B: ⌊500 + 9765.625⌋ = 10,265. Rank 1 tells rank 0, which answers: ⌊500 + 0.02⌋ each.
  expect(plain.ranks.map(({ endNs }) => endNs)).toEqual([20_530, 20_530]);
  expect(prepared.ranks.map(({ endNs }) => endNs)).toEqual([21_530, 21_530]);
  expect([prepared.messages - plain.messages, prepared.bytes - plain.bytes]).toEqual([2, 2]);
});

test('tags that are alike modulo 500,000,000 stay apart', () => {
  // 64 B arrive after 501 ns. Those with the high tag leave at 0, the others after 5 µs of compute.
  const nodes = [
    [send(1, 1, 64, 500_000_007), compute(2, 5, [1]), send(3, 1, 64, 7, [2])],
    [receive(1, 0, 64, 7), receive(2, 0, 64, 500_000_007), compute(3, 1, [1])],
  ];
  const job = written(nodes);
  expect(made(job.changes)).toMatchObject({ tags: 4 });
  expect(endsOf(job, networkOf('FullyConnected 2'))).toEqual([6002, 7002]);
  // As they are, the first receive takes the first message.
  const asTheyAre = { ...job, traces: nodes.map((list, rank) => traceOf(list, rank)) };
  expect(endsOf(asTheyAre, networkOf('FullyConnected 2'))).toEqual([6002, 6002]);
});

test('an all-gather of 0 bytes ends, with one split and with 64', () => {
  const job = written(everyRank(2, collective(1, allGather, 0, '')));
  expect(made(job.changes)).toMatchObject({ emptyGathers: 2 });
  // One message of 64 B: 10 + 501 + 10.
  expect(endsOf(job, networkOf('FullyConnected 2'), { datasetSplits: 1 })).toEqual([521, 521]);
  // 64 chunks of 1 B, one at a time: 10 + 500 + 10 each.
  expect(endsOf(job, networkOf('FullyConnected 2'), { datasetSplits: 64 })).toEqual([64 * 520, 64 * 520]);
});
