import fc from 'fast-check';
import { RemoteMemory } from '../../src/astra-sim/remote-memory.js';
import type { RemoteMemoryConfiguration } from '../../src/astra-sim/system-configuration.js';
import { SortedEvents } from '../support/sorted-events.js';

/** What a rank does, one after another: an access of so many bytes, or a wait of so many ns. */
type Step = { readonly access: number } | { readonly computeNs: number };

const access = (bytes: number): Step => ({ access: bytes });

/** When each step of each rank ends, ns: [rank][step]. */
function stepEnds(configuration: RemoteMemoryConfiguration, ranks: readonly (readonly Step[])[]): number[][] {
  const events = new SortedEvents();
  const ends: number[][] = ranks.map(() => []);
  const memory = new RemoteMemory(
    configuration,
    ranks.length,
    { register: (rank, delayNs, reference) => events.timer(rank, delayNs, () => memory.fire(rank, reference)) },
    (rank) => ended(rank),
  );

  function ended(rank: number): void {
    ends[rank].push(events.nowNs);
    next(rank);
  }

  function next(rank: number): void {
    const step = ranks[rank][ends[rank].length];
    if (step === undefined) return;
    if ('access' in step) memory.issue(rank, step.access, rank);
    else events.timer(rank, step.computeNs, () => ended(rank));
  }

  ranks.forEach((_, rank) => next(rank));
  events.run();
  return ends;
}

function memoryOf(kind: RemoteMemoryConfiguration['kind'], latencyNs: number, bytesPerNs: number, ranksPerNode = 1) {
  return { file: 'memory.json', kind, latencyNs, bytesPerNs, ranksPerNode };
}

const PER_NPU = memoryOf('PER_NPU_MEMORY_EXPANSION', 100, 50);
const PER_NODE = memoryOf('PER_NODE_MEMORY_EXPANSION', 100, 50, 2);
const POOL = memoryOf('MEMORY_POOL', 250, 37);

const fourTimes = (steps: Step[]) => [steps, steps, steps, steps];

describe('rows of the reference table (section 4)', () => {
  const twoLoads = fourTimes([access(1_000_000), access(3_000_001)]);
  const oneLoad = fourTimes([access(10_000_000)]);

  test.each([
    ['r456: two loads, every rank by itself', PER_NPU, twoLoads, [80_200, 80_200, 80_200, 80_200]],
    ['r462: two loads, two ranks a node', PER_NODE, twoLoads, [100_300, 160_400, 100_300, 160_400]],
    ['r468: two loads, a pool', POOL, twoLoads, [190_439, 271_770, 353_101, 434_432]],
    ['r459: the load before an all-reduce, every rank by itself', PER_NPU, oneLoad, Array(4).fill(200_100)],
    ['r465: the load, two ranks a node', PER_NODE, oneLoad, [200_100, 400_200, 200_100, 400_200]],
    ['r471: the load, a pool', POOL, oneLoad, [270_520, 541_040, 811_560, 1_082_080]],
  ])('%s', (_row, configuration, ranks, expected) => {
    expect(stepEnds(configuration, ranks).map((ends) => ends.at(-1))).toEqual(expected);
  });

  test('r466, example G of section 17: load, compute 50 µs, store, in a pool', () => {
    const steps = [access(10_000_000), { computeNs: 50_000 }, access(5_000_001)];
    expect(stepEnds(POOL, fourTimes(steps))).toEqual([
      [270_520, 320_520, 1_217_465],
      [541_040, 591_040, 1_352_850],
      [811_560, 861_560, 1_488_235],
      [1_082_080, 1_132_080, 1_623_620],
    ]);
  });

  test('r472: NO_MEMORY_EXPANSION has none', () => {
    const memory = new RemoteMemory(memoryOf('NO_MEMORY_EXPANSION', 0, 0), 4, { register: () => {} }, () => {});
    expect(memory.available).toBe(false);
    expect(() => memory.issue(0, 1, 0)).toThrow(RangeError);
    expect(new RemoteMemory(POOL, 4, { register: () => {} }, () => {}).available).toBe(true);
  });
});

describe('ports', () => {
  test('ranks r ÷ num-npus-per-node share one, the last node may have fewer', () => {
    // 100 + 1 ns an access.
    expect(stepEnds({ ...PER_NODE, ranksPerNode: 3 }, Array(8).fill([access(50)]))).toEqual([
      ...[[101], [202], [303]],
      ...[[101], [202], [303]],
      ...[[101], [202]],
    ]);
  });

  test('accesses of one rank in its own memory do not wait for each other', () => {
    const registered: number[] = [];
    const memory = new RemoteMemory(PER_NPU, 1, { register: (_, delayNs) => registered.push(delayNs) }, () => {});
    memory.issue(0, 50, 0);
    memory.issue(0, 149, 1);
    expect(registered).toEqual([101, 102]);
  });

  test('an access that ends completes its node before the next one starts, with a timer of the rank that issued it', () => {
    const told: string[] = [];
    const memory = new RemoteMemory(
      POOL,
      4,
      { register: (rank, delayNs, reference) => told.push(`rank ${rank} access ${reference} +${delayNs}`) },
      (reference) => {
        told.push(`ended ${reference}`);
        // The node behind it accesses at once: it queues behind those that wait.
        if (reference === 7) memory.issue(2, 37, 70);
      },
    );
    memory.issue(2, 37, 7);
    memory.issue(3, 74, 8);
    memory.fire(2, 7);
    memory.fire(3, 8);
    memory.fire(2, 70);
    memory.issue(0, 0, 9);
    expect(told).toEqual([
      'rank 2 access 7 +251',
      ...['ended 7', 'rank 3 access 8 +252'],
      ...['ended 8', 'rank 2 access 70 +251'],
      ...['ended 70', 'rank 0 access 9 +250'],
    ]);
  });

  test('law: a pool is busy from the first access to the last, without a pause, in the order of issue', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 300 }), (sizes) => {
        let endNs = 0;
        const expected = sizes.map((bytes) => [(endNs += 250 + Math.floor(bytes / 37))]);
        expect(
          stepEnds(
            POOL,
            sizes.map((bytes) => [access(bytes)]),
          ),
        ).toEqual(expected);
      }),
    );
  });
});
