import { SYNC_BARRIER, type AlgorithmChoices } from '../../src/collectives/catalogue.js';
import { planCollectives } from '../../src/collectives/build-plan.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import { LazyAccount } from '../../src/replay/lazy/lazy-account.js';
import { ChainedEvaluation } from '../../src/replay/lazy/chained-evaluation.js';
import { CollectiveTotals } from '../../src/replay/collective-totals.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { RankTotals } from '../../src/replay/rank-totals.js';
import { replay } from '../../src/replay/replay.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { EXAMPLE_NETWORK, collective, memory, micros, traces } from '../support/jobs.js';
import { groupsOf } from '../support/preparation.js';

interface Case {
  readonly type: number;
  readonly bytes: number;
  readonly entries: readonly number[];
  readonly algorithms?: AlgorithmChoices;
  readonly options?: Partial<ReplayOptions>;
}

/** One collective over all ranks, entered by rank r at entries[r] µs. Gives the outcome and the exits in µs. */
function runOne({ type, bytes, entries, algorithms = {}, options = {} }: Case): {
  outcome: ReplayOutcome;
  exits: number[];
} {
  const job = traces(...entries.map((entry) => [memory(1, entry), collective(2, type, bytes, 'g', [1])]));
  const plan = planCollectives(job.map(surveyRank), groupsOf({ g: entries.map((_, rank) => rank) }), algorithms);
  const outcome = replay(job, { network: EXAMPLE_NETWORK, plan, ...options });
  return { outcome, exits: entries.map((_, rank) => micros(outcome, job, rank)[2][1]) };
}

const at0 = (size: number): number[] => new Array<number>(size).fill(0);
const { allReduce, reduce, broadcast, gather, scatter, barrier, allToAll } = CollectiveType;

describe('lazy collectives', () => {
  test('the table of section 7: entries at 5 and 8 µs, exits at 11 and 12 µs (R-081), last acknowledgment at 13', () => {
    const { outcome, exits } = runOne({ type: allReduce, bytes: 2000, entries: [5, 8] });
    expect(exits).toEqual([11, 12]);
    expect(outcome.ranks.map((rank) => rank.endPs)).toEqual([13e6, 13e6]);
    expect(outcome.ranks[0]).toMatchObject({
      sends: 2,
      receives: 2,
      acknowledged: 2,
      bytesSent: 2000,
      bytesReceived: 2000,
    });
  });

  test.each([
    ['latest', true, 8e6],
    ['earliest', false, 5e6],
  ])('R-156 table of section 7: start is the %s, end 13 µs', (_name, useMaxAsStart, startPs) => {
    const { outcome } = runOne({ type: allReduce, bytes: 2000, entries: [5, 8], options: { useMaxAsStart } });
    expect(outcome.collectives).toEqual([
      {
        group: 'g',
        type: allReduce,
        instance: 0,
        algorithm: 'ring',
        size: 2000,
        groupSize: 2,
        startPs,
        endPs: 13e6,
        transfers: 4,
        bytes: 4000,
        membersFinished: 2,
      },
    ]);
  });

  // Exits wait for the own sends too; a send of C bytes finishes before the receive of the same step, so the last receive counts.
  test.each([
    ['R-117 ring AllReduce N=4, S=4,000: 6 × 2 = 12 µs', allReduce, 4000, 4, {}, at0(4).fill(12)],
    ['R-117 ring AllReduce N=8, S=1,000: 14 × 1.125 = 15.75 µs', allReduce, 1000, 8, {}, at0(8).fill(15.75)],
    [
      'R-117 halving-doubling N=8, S=1,000: 6 + 1.75 = 7.75 µs',
      allReduce,
      1000,
      8,
      { allreduce: 'halving-doubling' },
      at0(8).fill(7.75),
    ],
    // Root 0 has everything after 3 levels of 2 µs and sends down for 1 µs more; leaves wait for 2 × 3 levels.
    [
      'R-117 tree N=8, S=1,000: 6 × 2 = 12 µs, root 7 µs',
      allReduce,
      1000,
      8,
      { allreduce: 'tree' },
      [7, 12, 11, 12, 9, 12, 11, 12],
    ],
    // Position 1 starts the chain; every member is done with its send a microsecond after its receive.
    ['R-117 Reduce ring N=4, S=1,000: 3 × 2 = 6 µs at the root', reduce, 1000, 4, {}, [6, 1, 3, 5]],
    ['Broadcast interleaved N=4, S=1,000', broadcast, 1000, 4, {}, [1, 2, 2, 2]],
    ['Broadcast sequential N=4, S=1,000', broadcast, 1000, 4, { broadcast: 'sequential' }, [3, 2, 3, 4]],
    ['Gather N=4, S=1,000', gather, 1000, 4, {}, [2, 1, 1, 1]],
    ['Scatter N=4, S=1,000: C = 250', scatter, 1000, 4, {}, [0.25, 1.25, 1.25, 1.25]],
    ['AllToAll interleaved N=4, S=1,000', allToAll, 1000, 4, {}, at0(4).fill(1.25)],
    [
      'AllToAll sequential N=4, S=1,000: 3 sends of 0.25 µs',
      allToAll,
      1000,
      4,
      { alltoall: 'sequential' },
      at0(4).fill(1.75),
    ],
    ['R-115 Barrier ring N=4: 6 × 1 µs', barrier, 0, 4, {}, at0(4).fill(6)],
    ['R-120 a group of one takes no time', allReduce, 1000, 1, {}, [0]],
    ['R-121 S = 0: all transfers happen with 0 bytes', allReduce, 0, 4, {}, at0(4).fill(6)],
  ])('%s', (_name, type, bytes, size, algorithms, exits) => {
    expect(runOne({ type, bytes, entries: at0(size), algorithms }).exits).toEqual(exits);
  });

  test('R-102 double-tree N=2, S=1,000: each tree carries 500 B up and down', () => {
    // Both trees at once: each rank sends up in one at 0 and down in the other after the receive at 1.5 µs.
    const { exits } = runOne({
      type: allReduce,
      bytes: 1000,
      entries: [0, 0],
      algorithms: { allreduce: 'double-tree' },
    });
    expect(exits).toEqual([3, 3]);
  });

  test('a Broadcast member leaves when the root has sent, whoever else is missing', () => {
    expect(runOne({ type: broadcast, bytes: 1000, entries: [4, 0, 9, 100] }).exits).toEqual([5, 6, 9, 100]);
  });

  test('a Reduce member leaves before the root has entered', () => {
    expect(runOne({ type: reduce, bytes: 1000, entries: [50, 0, 10, 0] }).exits).toEqual([50, 1, 11, 13]);
  });

  test.each([
    [2, [1, 2]],
    [3, [2, 4, 3]],
    [4, [2, 4, 3, 4]],
    [5, [3, 6, 5, 4, 5]],
    [8, [3, 6, 5, 6, 4, 6, 5, 6]],
  ])('R-093 the barrier of %i ranks is passed at %j µs', (size, passed) => {
    const left: number[] = [];
    const ranks = Array.from({ length: size }, (_, rank) => rank);
    const run = {
      totals: new RankTotals(size),
      collectives: new CollectiveTotals(),
      log: undefined,
      stopPs: Infinity,
    };
    const evaluation = new ChainedEvaluation(SYNC_BARRIER, {
      shape: { groupSize: size, bytes: 0, root: 0 },
      ranks,
      times: { sendPs: () => 0, latencyPs: () => 1e6 },
      account: new LazyAccount(run, ranks, 0, true, 0, undefined),
      leave: (position, timePs) => (left[position] = timePs / 1e6),
    });
    for (const position of ranks) evaluation.enter(position, 0);
    expect(left).toEqual(passed);
  });

  test('R-093 and R-094 with synchronization: starts follow the barrier, whose transfers count nowhere but in the rows', () => {
    const { outcome, exits } = runOne({
      type: allReduce,
      bytes: 4000,
      entries: at0(4),
      options: { sync: true, recordTransfers: true },
    });
    // The barrier is passed at 2, 4, 3, 4 µs; the ring of 2 µs a step then ends 12 µs after the last start.
    expect(Math.max(...exits)).toBe(16);
    expect(outcome.collectives[0]).toMatchObject({ startPs: 4e6, transfers: 24, bytes: 24_000 });
    expect(outcome.transfers).toBe(24);
    const log = outcome.transferLog!;
    expect([log.length, log.addedSync.subarray(0, log.length).reduce((sum, flag) => sum + flag, 0)]).toEqual([30, 6]);
  });

  test('R-129 collectives without a plan take no time and are reported', () => {
    const job = traces([memory(1, 3), collective(2, allReduce, 1000, 'g', [1]), memory(3, 1, [2])]);
    const outcome = replay(job, { network: EXAMPLE_NETWORK });
    expect(micros(outcome, job)[3]).toEqual([3, 4]);
    expect(outcome.findings).toMatchObject([{ code: 'COLLECTIVE_UNEXPANDED', severity: 'warning', count: 1 }]);
    expect(outcome.collectives).toEqual([]);
  });

  test('a network with contention must be given expanded traces', () => {
    const job = traces([collective(2, allReduce, 1000, 'g')], [collective(2, allReduce, 1000, 'g')]);
    const plan = planCollectives(job.map(surveyRank), groupsOf({ g: [0, 1] }), {});
    const network = () => ({ name: 'packet', post: () => {} });
    expect(() => replay(job, { network, plan })).toThrow(
      'network packet: transfers influence each other, so collectives must be expanded before the replay',
    );
  });

  test('two runs of one job give the same outcome', () => {
    const run = (): unknown => {
      const { outcome } = runOne({
        type: allReduce,
        bytes: 12_345,
        entries: [3, 1, 4, 1, 5, 9, 2, 6],
        options: { sync: true, recordTransfers: true },
      });
      return JSON.stringify({ ...outcome, nodeTimes: outcome.nodeTimes(3) });
    };
    expect(run()).toBe(run());
  });
});
