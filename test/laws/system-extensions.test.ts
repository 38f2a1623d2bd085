import fc from 'fast-check';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import type {
  Implementation,
  SystemConfiguration,
  SystemExtensions,
} from '../../src/astra-sim/system-configuration.js';
import { TOPOLOGIES, type AnalyticalSpec } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { extended, extendedSystem, worldCollective } from '../support/extension-runs.js';
import { compute, receive, send } from '../support/jobs.js';
import { systemRun, type RunParts } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';
import { star } from './random-system-run.js';

/** Several collectives of a rank in flight (`--system-extensions`): whatever the ranks reach first, all finish. */

const MOST_RANKS = 12;
const POLICIES = ['FIFO', 'LIFO', 'EXPLICIT'] as const;
const CUSTOM = 'custom/star';

interface Happening {
  readonly kind: 'collective' | 'transfer';
  readonly type: number;
  readonly bytes: number;
  /** 0 for all ranks, else a group. */
  readonly group: number;
  readonly involved: number;
  /** By rank. */
  readonly priorities: readonly number[];
  readonly micros: readonly number[];
  /** By rank: a bit for each happening before it that the rank waits for. */
  readonly after: readonly number[];
}

const eachRank = (values: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.array(values, { minLength: MOST_RANKS, maxLength: MOST_RANKS });

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom('collective', 'collective', 'collective', 'transfer'),
  type: fc.constantFrom(
    CollectiveType.allReduce,
    CollectiveType.allGather,
    CollectiveType.reduceScatter,
    CollectiveType.allToAll,
  ),
  bytes: fc.integer({ min: 1, max: 100_000 }),
  group: fc.constantFrom(0, 0, 1, 2, 3),
  involved: fc.constantFrom(-1, -1, 1, 2),
  priorities: eachRank(fc.integer({ min: -2, max: 2 })),
  micros: eachRank(fc.constantFrom(0, 0, 0, 1, 5, 30)),
  after: eachRank(fc.nat(255)),
});

const algorithm = fc.constantFrom<Implementation['algorithm']>('ring', 'direct', 'halvingDoubling', 'doubleBinaryTree');

const drawn = fc.record({
  counts: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 1, maxLength: 3 }),
  topologies: fc.array(fc.constantFrom(...TOPOLOGIES), { minLength: 3, maxLength: 3 }),
  bandwidths: fc.array(fc.constantFrom(1, 7, 50), { minLength: 3, maxLength: 3 }),
  algorithms: fc.array(algorithm, { minLength: 3, maxLength: 3 }),
  backend: fc.constantFrom<NonNullable<RunParts['backend']>>('unaware', 'aware'),
  optimization: fc.constantFrom<SystemConfiguration['collectiveOptimization']>('baseline', 'localBWAware'),
  scheduling: fc.constantFrom<SystemExtensions['interDimensionScheduling']>('ascending', 'roundRobin', 'offlineGreedy'),
  hierarchical: fc.boolean(),
  custom: fc.boolean(),
  splits: fc.integer({ min: 1, max: 4 }),
  active: fc.integer({ min: 1, max: 3 }),
  queues: fc.constantFrom(1, 1, 2, 3),
  endpointDelayNs: fc.constantFrom(0, 10),
  rendezvous: fc.boolean(),
  groups: fc.array(fc.array(fc.boolean(), { minLength: MOST_RANKS, maxLength: MOST_RANKS }), {
    minLength: 3,
    maxLength: 3,
  }),
  happenings: fc.array(happening, { minLength: 2, maxLength: 8 }),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

function networkOf({ counts, topologies, bandwidths }: Drawn): AnalyticalSpec {
  let ranks = 1;
  const dimensions = counts.flatMap((npus, place) => {
    if (ranks * npus > MOST_RANKS) return [];
    ranks *= npus;
    const bandwidthGiBPerSecond = bandwidths[place];
    return [{ topology: topologies[place], npus, bandwidthGiBPerSecond, latencyNs: 100, latencyPs: 100_000 }];
  });
  return { kind: 'analytical', dimensions };
}

function runOf(values: Drawn, schedulingPolicy: SystemConfiguration['schedulingPolicy'], isExtended = true): SystemRun {
  const network = networkOf(values);
  const rankCount = network.dimensions.reduce((product, { npus }) => product * npus, 1);
  const groups: Record<string, number[]> = {};
  values.groups.forEach((members, place) => {
    const ranks = members.flatMap((isMember, rank) => (isMember && rank < rankCount ? [rank] : []));
    groups[place + 1] = ranks.length < 2 ? [0, 1] : ranks;
  });
  const suited = (ofAllToAll: boolean): Implementation[] =>
    network.dimensions.map(({ npus }, place) => {
      const named = values.algorithms[place];
      const isFree = named === 'ring' || named === 'direct' || (isPowerOfTwo(npus) && !ofAllToAll);
      return { algorithm: isFree ? named : 'ring', whole: false };
    });
  // A list of one entry counts in groups too, whose size may be any.
  const safe = suited(true).length === 1 ? [{ algorithm: 'direct', whole: false } as const] : suited(false);
  const { extensions, ...plain } = extendedSystem(network.dimensions.length, {
    schedulingPolicy,
    collectiveOptimization: values.optimization,
    datasetSplits: values.splits,
    activeChunksPerDimension: values.active,
    endpointDelayNs: values.endpointDelayNs,
    implementations: { allReduce: safe, allGather: safe, reduceScatter: safe, allToAll: suited(true).map(windowless) },
    customImplementations: values.custom ? { allGather: CUSTOM } : {},
    extensions: extended({
      interDimensionScheduling: values.scheduling,
      hierarchicalRing: new Set(values.hierarchical ? ['allReduce'] : []),
    }),
  });
  const system = isExtended ? { ...plain, extensions: extensions! } : plain;
  const nodes = Array.from({ length: rankCount }, (_, rank) => nodesOf(values, rank, rankCount, groups));
  return systemRun({
    nodes,
    network,
    system,
    backend: values.backend,
    groups,
    custom: Object.fromEntries(star(rankCount, 3, 5000).map((list, position) => [`${CUSTOM}.${position}`, list])),
    options: {
      queuesPerDimension: values.queues,
      // A send that waits for its receiver keeps the next one of its rank from starting, with or without collectives.
      rendezvous: values.rendezvous && !values.happenings.some(({ kind }) => kind === 'transfer'),
    },
  });
}

const windowless = (implementation: Implementation): Implementation =>
  implementation.algorithm === 'direct' || implementation.algorithm === 'ring'
    ? implementation
    : { algorithm: 'ring', whole: false };

/** Ids are 10 × place for what happens, 1 more for what the rank computes before it: the same on every rank. */
function nodesOf(
  { happenings, custom, counts }: Drawn,
  rank: number,
  rankCount: number,
  groups: Readonly<Record<string, readonly number[]>>,
): NodeObject[] {
  const nodes: NodeObject[] = [];
  const done = new Set<number>();
  for (const [place, { kind, type, bytes, group, involved, priorities, micros, after }] of happenings.entries()) {
    const id = 10 * (place + 1);
    const waits = [...done].filter((other) => (after[rank] >> (other / 10 - 1)) & 1);
    const isBefore = micros[rank] > 0;
    const before = isBefore ? [id - 1] : waits;
    const own: NodeObject[] = [];
    if (kind === 'transfer') {
      const from = bytes % rankCount;
      const to = (from + 1 + (type % (rankCount - 1))) % rankCount;
      if (rank === from) own.push(send(id, to, bytes, place, before));
      else if (rank === to) own.push(receive(id, from, bytes, place, before));
    } else {
      // The algorithm of the custom collective is one of all ranks.
      const isWorld = group === 0 || (custom && type === CollectiveType.allGather);
      if (isWorld || groups[group].includes(rank)) {
        const told = { type, priority: priorities[rank], after: before, ...(isWorld ? {} : { group: String(group) }) };
        const node = worldCollective(id, bytes, told);
        const some = { bool_list: counts.map((_, dimension) => involved < 0 || dimension === involved - 1) };
        own.push(isWorld && involved > 0 ? { ...node, attr: { ...node.attr, involved_dim: some } } : node);
      }
    }
    if (own.length === 0) continue;
    if (isBefore) nodes.push(compute(id - 1, micros[rank], waits));
    nodes.push(...own);
    done.add(id);
  }
  return nodes.length > 0 ? nodes : [compute(1, 1)];
}

test('every rank finishes, with the same messages whatever the policy', () => {
  fc.assert(
    fc.property(drawn, (values) => {
      const outcomes = POLICIES.map((policy) => simulateSystem(runOf(values, policy)));
      expect(outcomes.map(({ status }) => status)).toEqual(['finished', 'finished', 'finished']);
      expect(new Set(outcomes.map(({ messages, bytes }) => `${messages} ${bytes}`)).size).toBe(1);
    }),
    { numRuns: 250 },
  );
});

/** One collective after the other, each reached by all ranks at one instant: by algorithms that end everywhere at once. */
function chained(values: Drawn): Drawn {
  const same = values.happenings.filter(({ kind, group }) => kind === 'collective' && group === 0);
  return {
    ...values,
    custom: false,
    hierarchical: false,
    backend: 'unaware',
    scheduling: 'ascending',
    endpointDelayNs: 10,
    algorithms: values.algorithms.map((name) => (name === 'direct' ? name : 'ring')),
    happenings: same.map((happening) => ({
      ...happening,
      micros: happening.micros.map(() => happening.micros[0]),
      after: happening.after.map(() => 255),
    })),
  };
}

test('where collectives follow each other and nothing of older versions is asked for, times are those without the extensions', () => {
  let compared = 0;
  fc.assert(
    fc.property(drawn, fc.constantFrom(...POLICIES), (values, policy) => {
      const one = chained(values);
      fc.pre(one.happenings.length > 0);
      const [with_, without] = [true, false].map((isExtended) => simulateSystem(runOf(one, policy, isExtended)));
      compared++;
      expect(with_.ranks).toEqual(without.ranks);
      expect(with_.collectives).toEqual(without.collectives);
    }),
    { numRuns: 200 },
  );
  expect(compared).toBeGreaterThan(100);
});
