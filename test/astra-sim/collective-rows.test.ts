import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemCollectiveOutcome, SystemOutcome } from '../../src/astra-sim/outcome.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute } from '../support/jobs.js';
import { everyRank, MIB, networkOf, systemRun, type RunParts } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';

const { allReduce, allGather } = CollectiveType;

function outcomeOf(nodes: readonly NodeObject[][], told: Partial<RunParts> = {}): SystemOutcome {
  return simulateSystem(systemRun({ nodes, network: networkOf(`Ring ${nodes.length}`), ...told }));
}

function line({ group, type, instance, groupSize, messages, startNs, endNs }: SystemCollectiveOutcome): string {
  return `${group} #${instance} type ${type}, ${groupSize} ranks, ${messages} messages, ${startNs}–${endNs}`;
}

describe('numbers of collectives, by group and order of issue (astra-sim-semantics sections 6, 9)', () => {
  test('each group counts for itself; rows by start', () => {
    const nodes = everyRank(
      4,
      collective(1, allReduce, MIB, ''),
      collective(2, allGather, 262_144, '9', [1]),
      collective(3, allReduce, MIB, '', [2]),
    );
    // Example A is 33829; all-gather 10 + 3 × (5382 + 10) = 16186.
    expect(outcomeOf(nodes, { groups: { '9': [0, 1, 2, 3] } }).collectives.map(line)).toEqual([
      'world #0 type 0, 4 ranks, 24 messages, 0–33829',
      '9 #0 type 2, 4 ranks, 12 messages, 33829–50015',
      'world #1 type 0, 4 ranks, 24 messages, 50015–83844',
    ]);
  });

  test('ranks that run collectives of groups in between still meet in those of all ranks (section 19)', () => {
    // Ranks 0 and 1 have one more collective, that of their group, before the second one of all.
    const pair = (rank: number): NodeObject[] => (rank < 2 ? [collective(2, allGather, 262_144, '5', [1])] : []);
    const nodes = [0, 1, 2, 3].map((rank) => [
      collective(1, allReduce, MIB, ''),
      ...pair(rank),
      collective(3, allReduce, MIB, '', rank < 2 ? [2] : [1]),
    ]);
    const { status, collectives } = outcomeOf(nodes, { groups: { '5': [0, 1] } });
    expect(status).toBe('finished');
    // The pair takes 10 + 5382 + 10 = 5402; ranks 2 and 3 begin the next one of all at 33829, the pair at 39231.
    expect(collectives.map(line)).toEqual([
      'world #0 type 0, 4 ranks, 24 messages, 0–33829',
      'world #1 type 0, 4 ranks, 24 messages, 33829–73060',
      '5 #0 type 2, 2 ranks, 2 messages, 33829–39231',
    ]);
  });

  test('messages for a collective that a rank has not begun wait for it, and are not those of the one before', () => {
    const nodes = [0, 1, 2, 3].map((rank) =>
      rank === 0
        ? [collective(1, allReduce, MIB, ''), compute(2, 100, [1]), collective(3, allReduce, MIB, '', [2])]
        : [collective(1, allReduce, MIB, ''), collective(3, allReduce, MIB, '', [1])],
    );
    const { status, ranks, endNs } = outcomeOf(nodes);
    expect(status).toBe('finished');
    // Rank 0 begins at 33829 + 100000; six messages later, over 1, 2, 3, 0 and 1, rank 2 is the last to end.
    expect([ranks[2].endNs, endNs]).toEqual([133_829 + 33_829, 133_829 + 33_829]);
  });
});

describe('collectives that members begin in different orders (section 18)', () => {
  test('are paired by their place, here of equal sizes', () => {
    // Ranks 0 and 1 begin A of 4096 B, then B; the others B, then A. All are all-reduces of one size.
    const order = (rank: number): [number, number] => (rank < 2 ? [1, 2] : [2, 1]);
    const nodes = [0, 1, 2, 3].map((rank) => {
      const [first, then] = order(rank);
      return [collective(first, allReduce, 4096, ''), collective(then, allReduce, 4096, '', [first])];
    });
    const { status, collectives } = outcomeOf(nodes);
    expect(status).toBe('finished');
    expect(collectives.map(({ instance, messages }) => [instance, messages])).toEqual([
      [0, 24],
      [1, 24],
    ]);
  });

  test('of different groups they never meet, though ranks and sizes are the same', () => {
    const nodes = [
      ['', '9'],
      ['9', ''],
    ].map((groups) => groups.map((group, at) => collective(at + 1, allReduce, 4096, group, at === 0 ? [] : [at])));
    const { status, ranks } = outcomeOf(nodes, { groups: { '9': [0, 1] } });
    expect(status).toBe('stalled');
    expect(ranks.map(({ nodesFinished }) => nodesFinished)).toEqual([0, 0]);
  });

  test('of different sizes they never meet', () => {
    const nodes = [0, 1, 2, 3].map((rank) => {
      const sizes = rank < 2 ? [4096, 8192] : [8192, 4096];
      return [collective(1, allReduce, sizes[0], ''), collective(2, allReduce, sizes[1], '', [1])];
    });
    const { status, ranks } = outcomeOf(nodes);
    expect(status).toBe('stalled');
    expect(ranks.map(({ state, nodesFinished }) => [state, nodesFinished])).toEqual(Array(4).fill(['stalled', 0]));
  });
});
