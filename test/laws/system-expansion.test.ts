import fc from 'fast-check';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import type { SystemCollective, SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { TOPOLOGIES, type Dimension } from '../../src/network/network-spec.js';
import { replay } from '../../src/replay/replay.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf } from '../support/preparation.js';
import { expandWith, systemWith } from '../support/system-expansions.js';
import { traceOf, type NodeObject } from '../support/traces.js';
import { randomSystemRun, systemRunOf } from './random-system-run.js';

const isNative = ({ attr }: NodeObject): boolean => Number(attr?.comm_type?.int64_val) !== CollectiveType.broadcast;

describe('law: an expansion has the messages of the engine', () => {
  test('as many with as many bytes, for every collective of random runs', () => {
    fc.assert(
      fc.property(randomSystemRun, (drawn) => {
        if (drawn.system.replayOnly) return;
        // Collectives alone, one after another, so that all ranks begin them in the order of their ids.
        const nodes = drawn.nodes.map((list) => {
          const collectives = list.filter((node) => node.type === 'COMM_COLL_NODE' && isNative(node));
          if (collectives.length === 0) return [{ id: 1, type: 'COMP_NODE', duration_micros: 1 }];
          return collectives.map((node, place) => ({
            ...node,
            ctrl_deps: [],
            data_deps: place === 0 ? [] : [collectives[place - 1].id!],
          }));
        });
        const run = systemRunOf({
          ...drawn,
          nodes,
          system: { ...drawn.system, roofline: false },
          options: { ...drawn.options, rendezvous: false, deps: 'both' },
        });
        const outcome = simulateSystem(run);
        const { traces } = expand(run, nodes);
        expect(collectivesOf(traces)).toEqual(
          [...outcome.collectives]
            .map(({ group, type, instance, messages, bytes }) => [group, type, instance, messages, bytes].join(' '))
            .sort(),
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** `group type instance messages bytes` of each collective that was expanded, sorted. */
function collectivesOf(traces: readonly RankTrace[]): string[] {
  const sums = new Map<string, { messages: number; bytes: number }>();
  for (const { length, type, collective, collectives, commSize } of traces) {
    for (let node = 0; node < length; node++) {
      if (collective[node] < 0) continue;
      const { group, type: commType, instance } = collectives[collective[node]];
      const key = `${group} ${commType} ${instance}`;
      const sum = sums.get(key) ?? { messages: 0, bytes: 0 };
      sums.set(key, sum);
      if (type[node] !== NodeType.send) continue;
      sum.messages++;
      sum.bytes += commSize[node];
    }
  }
  return [...sums].map(([key, { messages, bytes }]) => `${key} ${messages} ${bytes}`).sort();
}

function expand(run: SystemRun, nodes: readonly (readonly NodeObject[])[]): ReturnType<typeof expandWith> {
  const { network, system, options } = run;
  return expandWith(
    nodes.map((list, rank) => traceOf(list, rank)),
    {
      network,
      system,
      queuesPerDimension: options.queuesPerDimension,
      groups: Object.fromEntries([...run.groups].map(([name, { ranks }]) => [name, [...ranks]])),
      withCustomTrace: (prefix, position, use) => run.withCustomTrace(prefix, position, use),
    },
  );
}

/** A run of one collective. */
interface OneCollective {
  readonly dimensions: readonly {
    readonly topology: Dimension['topology'];
    readonly npus: number;
    readonly latencyNs: number;
  }[];
  readonly collective: SystemCollective;
  readonly bytes: number;
  readonly list: readonly string[];
  readonly system: Partial<SystemConfiguration>;
  readonly queues: number;
}

/** Units of 2^30 bytes a second that are this many bytes a ns, exactly. */
const EXACT_BANDWIDTH = 1_953_125;
const BYTES_PER_NS = 2 ** 21;

/** Longer than an acknowledgment, which a replay waits for, is on its way. */
const AFTERWARDS_US = 100;

/** Ends of all ranks of the engine and of the replay, ns. */
function both(
  one: OneCollective,
  bandwidth = EXACT_BANDWIDTH,
): { engine: number[]; replayed: number[]; messages: number } {
  const network = {
    kind: 'analytical' as const,
    dimensions: one.dimensions.map(({ topology, npus, latencyNs }) => ({
      ...{ topology, npus, latencyNs, bandwidthGiBPerSecond: bandwidth },
      latencyPs: latencyNs * 1000,
    })),
  };
  const rankCount = one.dimensions.reduce((product, { npus }) => product * npus, 1);
  const node = {
    id: 1,
    type: 'COMM_COLL_NODE',
    attr: { comm_type: { int64_val: CollectiveType[one.collective] }, comm_size: { int64_val: one.bytes } },
  };
  const afterwards = { id: 2, type: 'COMP_NODE', data_deps: [1], duration_micros: AFTERWARDS_US };
  const nodes = Array.from({ length: rankCount }, () => [node, afterwards]);
  const traces = nodes.map((list, rank) => traceOf(list, rank));
  const run: SystemRun = {
    rankCount,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: () => {
      throw new Error('no custom collectives');
    },
    groups: groupsOf({}),
    network,
    backend: 'analytical-unaware',
    system: systemWith(one.list, one.system),
    memory: { file: 'none', kind: 'NO_MEMORY_EXPANSION', latencyNs: 0, bytesPerNs: 0, ranksPerNode: 1 },
    options: { queuesPerDimension: one.queues, rendezvous: false, deps: 'both', stopNs: Infinity },
  };
  const expanded = expand(run, nodes).traces;
  const { ranks, messages } = simulateSystem(run);
  const replayed = replay(expanded, { network: analyticalUnaware(network) });
  return {
    engine: ranks.map(({ endNs }) => endNs),
    replayed: replayed.ranks.map(({ endPs }) => endPs / 1000),
    messages: messages / rankCount,
  };
}

const COLLECTIVES = ['allReduce', 'allGather', 'reduceScatter', 'allToAll'] as const;

/**
 * Algorithms in which all ranks and chunks of a dimension take equally long, so that the order in which chunks find room is that of
 * their numbers: windows where all peers are equally far away.
 */
const algorithmFor = (topology: Dimension['topology'], npus: number, kind: SystemCollective): string[] => [
  'ring',
  'direct',
  ...(topology === 'Ring' ? [] : ['direct1', 'direct2']),
  ...(Number.isInteger(Math.log2(npus)) && kind !== 'allToAll' ? ['halvingDoubling'] : []),
];

const evenRun: fc.Arbitrary<OneCollective> = fc
  .record({
    dimensions: fc.array(
      fc.record({
        topology: fc.constantFrom(...TOPOLOGIES),
        npus: fc.constantFrom(2, 3, 4),
        latencyNs: fc.integer({ min: 1, max: 2000 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    choices: fc.array(fc.nat(11), { minLength: 3, maxLength: 3 }),
    collective: fc.constantFrom(...COLLECTIVES),
    size: fc.integer({ min: 1, max: 1000 }),
    isAware: fc.boolean(),
    scheduling: fc.constantFrom(undefined, undefined, 'roundRobin' as const, 'offlineGreedy' as const),
    datasetSplits: fc.integer({ min: 1, max: 6 }),
    activeChunksPerDimension: fc.integer({ min: 1, max: 5 }),
    queues: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ dimensions, choices, collective, size, isAware, scheduling, queues, ...system }) => ({
    dimensions,
    collective,
    // Every part of a chunk is a multiple of the bytes of a ns.
    bytes: size * system.datasetSplits * BYTES_PER_NS * dimensions.reduce((product, { npus }) => product * npus, 1),
    list: dimensions.map(({ topology, npus }, dimension) => {
      const names = algorithmFor(topology, npus, collective);
      return names[choices[dimension] % names.length];
    }),
    system: {
      ...system,
      collectiveOptimization: isAware ? ('localBWAware' as const) : ('baseline' as const),
      ...(scheduling && { extensions: { interDimensionScheduling: scheduling, hierarchicalRing: new Set<never>() } }),
    },
    queues,
  }));

describe('law: without delays of its own the engine takes as long as a replay of the expansion', () => {
  test('to the nanosecond where bytes take whole nanoseconds, on every rank', () => {
    fc.assert(
      fc.property(evenRun, (one) => {
        const { engine, replayed } = both(one);
        expect(replayed).toEqual(engine);
      }),
      { numRuns: 150 },
    );
  });

  test('within the nanosecond that the engine cuts off each message elsewhere', () => {
    fc.assert(
      fc.property(
        evenRun,
        fc.integer({ min: 1000, max: 200_000 }),
        fc.constantFrom(50, 3.1, 0.7),
        (one, bytes, bandwidth) => {
          const { engine, replayed, messages } = both({ ...one, bytes }, bandwidth);
          for (const [rank, endNs] of engine.entries()) {
            expect(replayed[rank]).toBeGreaterThanOrEqual(endNs);
            // A message takes a fraction less than 1 ns longer, and whole ps.
            expect(replayed[rank]).toBeLessThan(endNs + messages * 1.001);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('double binary trees, one chunk at a time or all at once', () => {
    fc.assert(
      fc.property(
        fc.record({
          npus: fc.constantFrom(2, 4, 8, 16),
          topology: fc.constantFrom('FullyConnected' as const, 'Switch' as const),
          splits: fc.integer({ min: 1, max: 5 }),
          atOnce: fc.boolean(),
          size: fc.integer({ min: 1, max: 1000 }),
        }),
        ({ npus, topology, splits, atOnce, size }) => {
          const { engine, replayed } = both({
            dimensions: [{ topology, npus, latencyNs: 500 }],
            collective: 'allReduce',
            bytes: size * splits * BYTES_PER_NS,
            list: ['doubleBinaryTree'],
            system: { datasetSplits: splits, activeChunksPerDimension: atOnce ? splits + 1 : 1 },
            queues: 1,
          });
          expect(Math.max(...replayed)).toBe(Math.max(...engine));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('oneRing and oneDirect over two dimensions', () => {
    for (const name of ['oneRing', 'oneDirect']) {
      const { engine, replayed } = both({
        dimensions: [
          { topology: 'FullyConnected', npus: 4, latencyNs: 100 },
          { topology: 'Switch', npus: 2, latencyNs: 700 },
        ],
        collective: 'allReduce',
        bytes: 80 * 3 * 8 * BYTES_PER_NS,
        list: [name],
        system: { datasetSplits: 3 },
        queues: 1,
      });
      expect(replayed).toEqual(engine);
    }
  });
});
