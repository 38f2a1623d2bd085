import { readFileSync } from 'node:fs';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { openTraceSource } from '../../src/formats/open-source.js';
import { readTrace } from '../../src/formats/read-trace.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { parseNetwork } from '../../src/network/parse-network.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { replay } from '../../src/replay/replay.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf, prepareAll } from '../support/preparation.js';
import { describeShared, shared, sharedFiles } from '../support/shared.js';

/** All ranks of a folder of the shared traces. */
function readRanks(folder: string): RankTrace[] {
  return sharedFiles(`traces/${folder}`, /\.\d+\.et(\.gz)?$/)
    .map((file) => {
      const rank = Number(/\.(\d+)\.et/.exec(file)![1]);
      return readTrace(openTraceSource(shared(file)), { rank, file }).trace;
    })
    .sort((a, b) => a.rank - b.rank);
}

const ALPHA_BETA = analyticalUnaware(parseNetwork('alpha-beta:latency=1us,bandwidth=50GB/s'));

describeShared('replay of the shared traces', () => {
  test('R-117 1 MiB ring AllReduce of 4 ranks: 6 steps of 1 µs + 262,144 B / 50 B/ns', () => {
    const ranks = readRanks('astra-sim-examples/all_reduce_4npus_1MB');
    const plan = planCollectives(ranks.map(surveyRank), groupsOf({ world: [0, 1, 2, 3] }), {});
    const outcome = replay(ranks, { network: ALPHA_BETA, plan });
    // 262,144 / 50 = 5,242.88 ns.
    for (const rank of [0, 1, 2, 3]) expect(outcome.nodeTimes(rank).finish[0]).toBe(6 * 6_242_880);
    expect(outcome.endPs).toBe(6 * 6_242_880 + 1_000_000);
  });

  test('the same on a 4-ring of 50 × 2^30 B/s and 500 ns hops', () => {
    const ranks = readRanks('astra-sim-examples/all_reduce_4npus_1MB');
    const plan = planCollectives(ranks.map(surveyRank), groupsOf({ world: [0, 1, 2, 3] }), {});
    const file = 'topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n';
    const outcome = replay(ranks, { network: analyticalUnaware(parseNetwork(file, 'ring4.yml')), plan });
    // 4,882.8125 ns rounded up to whole ps, as astra-sim-semantics example A without its endpoint delays.
    expect(outcome.nodeTimes(0).finish[0]).toBe(6 * (4_882_813 + 500_000));
  });

  test.each([true, false])('a hybrid-parallel job with pipeline transfers: lazy is expanded, barriers %s', (sync) => {
    const folder = 'stage/llama_dp2tp2pp2';
    const ranks = readRanks(folder);
    const file = readFileSync(shared(`traces/${folder}/workload.json`), 'utf8');
    const groups = groupsOf(JSON.parse(file) as Record<string, number[]>);
    const plan = planCollectives(ranks.map(surveyRank), groups, {});
    const lazy = replay(ranks, { network: ALPHA_BETA, plan, sync });
    const expanded = replay(prepareAll(ranks, { groups, expand: true, sync }).traces, { network: ALPHA_BETA });
    expect(lazy.status).toBe('finished');
    expect(lazy.collectives).toEqual(expanded.collectives);
    const numbers = (outcome: typeof lazy) => outcome.ranks.map((rank) => ({ ...rank, nodes: 0, nodesFinished: 0 }));
    expect(numbers(lazy)).toEqual(numbers(expanded));
    // trace-facts.json: four groups with 9 collectives and four with 81.
    expect(lazy.collectives).toHaveLength(4 * 9 + 4 * 81);
  });
});
