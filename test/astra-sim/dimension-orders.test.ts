import fc from 'fast-check';
import { planCollective, type CollectivePlan } from '../../src/astra-sim/collective-plan.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type {
  SystemCollective,
  SystemConfiguration,
  SystemExtensions,
} from '../../src/astra-sim/system-configuration.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { extended, extendedSystem, ofOneCollective, rings } from '../support/extension-runs.js';
import { alone, implementation, systemRun } from '../support/system-runs.js';

type Scheduling = SystemExtensions['interDimensionScheduling'];

const { allReduce, allGather, reduceScatter } = CollectiveType;

function scheduled(
  interDimensionScheduling: Scheduling,
  dimensions: number,
  told: Partial<SystemConfiguration> = {},
): SystemConfiguration {
  return extendedSystem(dimensions, { extensions: extended({ interDimensionScheduling }), ...told });
}

/** The plan of a collective of the world by ring. */
function planOf(
  network: AnalyticalSpec,
  system: SystemConfiguration,
  collective: SystemCollective,
  bytes: number,
): CollectivePlan {
  const rankCount = network.dimensions.reduce((product, { npus }) => product * npus, 1);
  return planCollective({ ...systemRun({ nodes: [], network, system }), rankCount }, collective, {
    type: allReduce,
    bytes,
    group: -1,
    part: undefined,
    involved: undefined,
    implementations: network.dimensions.map(() => implementation('ring')),
  });
}

/** The dimensions of each chunk's phases. */
function dimensionsOf({ orders, orderOf, chunks }: CollectivePlan): string[] {
  return Array.from({ length: chunks }, (_, chunk) =>
    orders[orderOf?.[chunk] ?? 0].map(({ dimension }) => dimension).join(''),
  );
}

describe('the order of a chunk', () => {
  const network = rings([2, 0, 1], [2, 0, 1], [2, 0, 1]);
  const order = (scheduling: Scheduling, collective: SystemCollective, optimization: 'baseline' | 'localBWAware') =>
    dimensionsOf(
      planOf(
        network,
        scheduled(scheduling, 3, { datasetSplits: 4, collectiveOptimization: optimization }),
        collective,
        4096,
      ),
    );

  test('ascending', () => {
    expect(order('ascending', 'reduceScatter', 'baseline')).toEqual(['012', '012', '012', '012']);
  });

  test('round robin: chunk c begins with dimension c modulo D; an all-gather goes the other way round', () => {
    expect(order('roundRobin', 'reduceScatter', 'baseline')).toEqual(['012', '120', '201', '012']);
    expect(order('roundRobin', 'allToAll', 'baseline')).toEqual(['012', '120', '201', '012']);
    expect(order('roundRobin', 'allReduce', 'baseline')).toEqual(['012', '120', '201', '012']);
    expect(order('roundRobin', 'allGather', 'baseline')).toEqual(['210', '021', '102', '210']);
    expect(order('roundRobin', 'allReduce', 'localBWAware')).toEqual(['01210', '12021', '20102', '01210']);
  });

  test('dimensions that take no part are not counted', () => {
    const system = scheduled('roundRobin', 3, { datasetSplits: 2 });
    const plan = planCollective({ ...systemRun({ nodes: [], network, system }), rankCount: 8 }, 'reduceScatter', {
      type: reduceScatter,
      bytes: 4096,
      group: -1,
      part: undefined,
      involved: [true, false, true],
      implementations: ['ring', 'ring', 'ring'].map(implementation),
    });
    expect(dimensionsOf(plan)).toEqual(['02', '20']);
  });
});

describe('offline greedy: the dimension with the least load first', () => {
  const greedy = (collective: SystemCollective, ...bytesPerNs: readonly [number, number]) =>
    dimensionsOf(
      planOf(
        rings([2, 0, bytesPerNs[0]], [2, 0, bytesPerNs[1]]),
        scheduled('offlineGreedy', 2, { datasetSplits: 4 }),
        collective,
        32_000,
      ),
    );

  test.each([
    // Loads of a chunk, first dimension and second: (1/2, 1/4) one way and (1/4, 1/2) the other. Equal after every second chunk.
    ['equal bandwidths take turns', 1, 1, ['01', '10', '01', '10']],
    // (1/2, 1/16) and (1/4, 1/8): the second stays the less loaded.
    ['a second dimension four times as fast goes first as soon as loads differ', 1, 4, ['01', '10', '10', '10']],
    // (1/2, 1/2): equal after every chunk, and equal loads go in ascending order.
    ['a second dimension half as fast keeps the balance by itself', 1, 0.5, ['01', '01', '01', '01']],
    // (1/2, 1/3) and (1/4, 2/3): 1/2 1/3, 3/4 1, 5/4 4/3, 7/4 5/3.
    ['three quarters as fast', 1, 0.75, ['01', '10', '01', '01']],
  ] as const)('%s', (_name, first, second, expected) => {
    expect(greedy('reduceScatter', first, second)).toEqual(expected);
  });

  test('an all-gather goes the other way round', () => {
    expect(greedy('allGather', 1, 4)).toEqual(['10', '01', '01', '01']);
  });

  test('where it had more for the busiest dimension to do than ascending, all go in ascending order', () => {
    // Two chunks at 1 and 3/5 B/ns: ascending 1 and 5/6, greedy 3/4 and 5/12 + 5/6 = 5/4.
    const plan = planOf(
      rings([2, 0, 1], [2, 0, 0.6]),
      scheduled('offlineGreedy', 2, { datasetSplits: 2 }),
      'reduceScatter',
      32_000,
    );
    expect(dimensionsOf(plan)).toEqual(['01', '01']);
  });
});

/** Time that its messages keep each dimension busy on a rank, in bytes over bandwidth. */
function loadsOf(plan: CollectivePlan, { dimensions }: AnalyticalSpec): number[] {
  const loads = dimensions.map(() => 0);
  for (let chunk = 0; chunk < plan.chunks; chunk++) {
    for (const { dimension, shape } of plan.orders[plan.orderOf?.[chunk] ?? 0]) {
      loads[dimension] += (shape.sends * shape.bytes[0]) / dimensions[dimension].bandwidthGiBPerSecond;
    }
  }
  return loads;
}

test('the busiest dimension never has more to do under offline greedy than in ascending order', () => {
  const dimension = fc.tuple(fc.integer({ min: 2, max: 8 }), fc.constant(0), fc.constantFrom(0.5, 1, 1.7, 3, 10, 64));
  const collectives = fc.constantFrom<SystemCollective>('allReduce', 'allGather', 'reduceScatter', 'allToAll');
  let better = 0;
  fc.assert(
    fc.property(
      fc.array(dimension, { minLength: 2, maxLength: 4 }),
      collectives,
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom<SystemConfiguration['collectiveOptimization']>('baseline', 'localBWAware'),
      (drawn, collective, datasetSplits, collectiveOptimization) => {
        const network = rings(...drawn);
        const ranks = drawn.reduce((product, [npus]) => product * npus, 1);
        const [greedy, ascending] = (['offlineGreedy', 'ascending'] as const).map((scheduling) => {
          const told = { datasetSplits, collectiveOptimization };
          const plan = planOf(network, scheduled(scheduling, drawn.length, told), collective, ranks * datasetSplits);
          return Math.max(...loadsOf(plan, network));
        });
        if (greedy < ascending * 0.999) better++;
        expect(greedy).toBeLessThanOrEqual(ascending * (1 + 1e-6));
      },
    ),
    { numRuns: 400 },
  );
  // Otherwise all may have gone in ascending order.
  expect(better).toBeGreaterThan(40);
});

describe('times, one chunk active on each dimension', () => {
  const ended = (
    network: AnalyticalSpec,
    scheduling: Scheduling,
    type: number,
    bytes: number,
    told: Partial<SystemConfiguration>,
  ): number => ofOneCollective(network, scheduled(scheduling, network.dimensions.length, told), type, bytes).endNs;

  test('round robin has both dimensions busy from the start: 19,800 ns where ascending takes 36,900', () => {
    // Reduce-scatter of 4 chunks of 10,000 B: 9 messages of 1000 B in the dimension a chunk begins with, then 9 of 100 B.
    const network = rings([10, 0, 1], [10, 0, 1]);
    expect(ended(network, 'ascending', reduceScatter, 40_000, { datasetSplits: 4 })).toBe(4 * 9000 + 900);
    // In each dimension two chunks of 9000, then two of 900.
    expect(ended(network, 'roundRobin', reduceScatter, 40_000, { datasetSplits: 4 })).toBe(2 * 9000 + 2 * 900);
  });

  test('round robin of an all-gather', () => {
    // Shards of 1000 B over 2 and 4 ranks. Chunks 0 and 2: 3000 in dimension 1, then 4000 in dimension 0; chunk 1: 1000 in
    // dimension 0, then 6000 in dimension 1. Dimension 1: chunk 0 to 3000, chunk 2 to 6000, chunk 1 to 12,000.
    const network = rings([2, 0, 1], [4, 0, 1]);
    expect(ended(network, 'roundRobin', allGather, 3000, { datasetSplits: 3 })).toBe(12_000);
    // Ascending, that is dimension 1 first for all: 3000, then 4000 for each.
    expect(ended(network, 'ascending', allGather, 3000, { datasetSplits: 3 })).toBe(3000 + 3 * 4000);
  });

  test('round robin of an all-reduce by localBWAware', () => {
    // 8000 B over 2 and 4 ranks. Chunk 0: 4000 in dimension 0, 6000 in 1, 4000 in 0. Chunk 1: 6000 in dimension 1, 2000 in 0, 6000 in 1.
    // Dimension 1: chunk 1 to 6000, chunk 0 to 12,000, chunk 1 to 18,000; chunk 0 then gathers in dimension 0, to 16,000.
    const network = rings([2, 0, 1], [4, 0, 1]);
    const told = { datasetSplits: 2, collectiveOptimization: 'localBWAware' } as const;
    expect(ended(network, 'roundRobin', allReduce, 16_000, told)).toBe(18_000);
    // Ascending: dimension 0 to 4000 and 8000; dimension 1 from 4000 to 10,000 and 16,000; dimension 0 to 14,000 and 20,000.
    expect(ended(network, 'ascending', allReduce, 16_000, told)).toBe(20_000);
  });

  test('offline greedy: 10,000 ns where ascending takes 16,500', () => {
    // Reduce-scatter of 4 chunks of 8000 B over 2 and 2 ranks, the second dimension four times as fast. Chunk 0: 4000 in dimension 0, then
    // 500 in 1; the others: 1000 in dimension 1, then 2000 in 0.
    const network = rings([2, 0, 1], [2, 0, 4]);
    expect(ended(network, 'ascending', reduceScatter, 32_000, { datasetSplits: 4 })).toBe(4 * 4000 + 500);
    expect(ended(network, 'offlineGreedy', reduceScatter, 32_000, { datasetSplits: 4 })).toBe(4000 + 3 * 2000);
  });
});

test('with two queues a dimension they take its chunks in turn, whichever phase that is', () => {
  // Each queue runs one chunk. Reduce-scatter of 4 chunks of 8000 B over 2 and 2 ranks: 4000 in the dimension a chunk begins with, then 2000.
  // Either dimension gives its queues chunks 0 and 2, and 1 and 3. Queue 0 of dimension 0 runs chunk 0 to 4000 and 2 to 8000, queue 1 chunk 1
  // from 4000 to 6000 and 3 from 8000 to 10,000; dimension 1 does the same with the chunks of the other queue.
  const network = rings([2, 0, 1], [2, 0, 1]);
  const system = scheduled('roundRobin', 2, { datasetSplits: 4, activeChunksPerDimension: 2 });
  const run = systemRun({
    nodes: alone(4, reduceScatter, 32_000),
    network,
    system,
    options: { queuesPerDimension: 2 },
  });
  expect(simulateSystem(run).endNs).toBe(10_000);
});
