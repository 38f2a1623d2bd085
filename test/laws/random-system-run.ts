import fc from 'fast-check';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import {
  MEMORY_KINDS,
  SYSTEM_COLLECTIVES,
  type Implementation,
  type SystemCollective,
  type SystemConfiguration,
} from '../../src/astra-sim/system-configuration.js';
import { TOPOLOGIES, type Dimension } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { groupsOf } from '../support/preparation.js';
import { traceOf, type Attributes, type NodeObject } from '../support/traces.js';

/**
 * A random run on the system layer, as values that print. All ranks of it finish: what the ranks do to each other stands
 * in one order, in which every rank does its part; nodes that complete without a scan have no children; algorithms get
 * the numbers of ranks and the sizes that they are for. With several queues a dimension, groups run in pairs that cover
 * all ranks: the counters that choose queue and direction are those of a rank, and after a collective of only some ranks
 * two neighbours would send a world collective in opposite directions.
 */
export interface RandomSystemRun {
  readonly dimensions: readonly Dimension[];
  readonly backend: SystemRun['backend'];
  readonly system: Omit<SystemConfiguration, 'customByNode'> & { readonly customByNode: readonly [bigint, string][] };
  readonly memory: SystemRun['memory'];
  readonly options: SystemRun['options'];
  readonly groups: Readonly<Record<string, readonly number[]>>;
  /** By rank, in the order of the file. */
  readonly nodes: readonly (readonly NodeObject[])[];
  /** Nodes of a custom collective by prefix and position. */
  readonly custom: Readonly<Record<string, readonly (readonly NodeObject[])[]>>;
}

/** The run as an engine takes it, its traces in memory. */
export function systemRunOf(drawn: RandomSystemRun): SystemRun {
  const { dimensions, backend, memory, options, groups, nodes, custom } = drawn;
  const traces = nodes.map((list, rank) => traceOf(list, rank));
  const customTraces = new Map<string, RankTrace>();
  for (const [prefix, positions] of Object.entries(custom)) {
    positions.forEach((list, position) => customTraces.set(`${prefix}.${position}`, traceOf(list, position)));
  }
  return {
    rankCount: nodes.length,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: (prefix, position, use) => use(customTraces.get(`${prefix}.${position}`)!),
    groups: groupsOf(Object.fromEntries(Object.entries(groups).map(([name, ranks]) => [name, [...ranks]]))),
    network: { kind: 'analytical', dimensions },
    backend,
    system: { ...drawn.system, customByNode: new Map(drawn.system.customByNode) },
    memory,
    options,
  };
}

const MOST_RANKS = 16;

const dimensions: fc.Arbitrary<Dimension[]> = fc
  .array(
    fc.record({
      topology: fc.constantFrom(...TOPOLOGIES),
      npus: fc.integer({ min: 2, max: 4 }),
      bandwidthGiBPerSecond: fc.constantFrom(50, 100, 25.6, 3.125, 400, 0.7),
      latencyNs: fc.constantFrom(0, 1, 3.39, 250, 500, 936.25, 1000.5),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .chain((drawn) => (drawn.length > 1 ? fc.constant(drawn) : oneLonger(drawn)))
  .map((drawn) => {
    let ranks = 1;
    return drawn.flatMap((dimension) => {
      if (ranks * dimension.npus > MOST_RANKS) return [];
      ranks *= dimension.npus;
      return [{ ...dimension, latencyPs: Math.round(dimension.latencyNs * 1000) }];
    });
  });

function oneLonger<Drawn extends { npus: number }>([only]: Drawn[]): fc.Arbitrary<Drawn[]> {
  return fc.constantFrom(only.npus, 5, 6, 8).map((npus) => [{ ...only, npus }]);
}

interface DrawnSystem {
  readonly policy: SystemConfiguration['schedulingPolicy'];
  readonly optimization: SystemConfiguration['collectiveOptimization'];
  readonly splits: number;
  readonly activeChunks: number;
  readonly queues: number;
  readonly endpointDelayNs: number;
  readonly localMemoryGBps: number;
  readonly roofline: boolean;
  readonly replayOnly: boolean;
  readonly rendezvous: boolean;
  readonly bus: boolean;
  readonly busNumbers: readonly number[];
  readonly memoryKind: (typeof MEMORY_KINDS)[number];
  readonly memoryNumbers: readonly number[];
  readonly backend: SystemRun['backend'];
  readonly deps: 'both' | 'data';
}

const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 7);

const system: fc.Arbitrary<DrawnSystem> = fc.record({
  policy: fc.constantFrom('LIFO' as const, 'FIFO' as const, 'EXPLICIT' as const),
  optimization: fc.constantFrom('localBWAware' as const, 'baseline' as const),
  splits: fc.integer({ min: 1, max: 5 }),
  activeChunks: fc.integer({ min: 1, max: 4 }),
  queues: fc.constantFrom(1, 1, 2, 3, 4),
  endpointDelayNs: fc.constantFrom(10, 10, 0, 1, 37, 100),
  localMemoryGBps: fc.constantFrom(1600, 50, 0, 3.7),
  roofline: rarely,
  replayOnly: fc.integer({ min: 0, max: 30 }).map((number) => number === 30),
  rendezvous: rarely,
  bus: rarely,
  busNumbers: fc.tuple(
    fc.nat(10),
    fc.nat(5),
    fc.constantFrom(0, 1, 5, 200),
    fc.constantFrom(0, 0.01, 0.0031),
    fc.integer({ min: 1, max: 3 }),
  ),
  memoryKind: fc.constantFrom(...MEMORY_KINDS),
  memoryNumbers: fc.tuple(fc.nat(300), fc.constantFrom(50, 37, 0.3), fc.integer({ min: 1, max: 3 })),
  backend: fc.constantFrom('analytical-unaware' as const, 'analytical-aware' as const),
  deps: fc.constantFrom('both' as const, 'both' as const, 'both' as const, 'data' as const),
});

interface DrawnImplementation {
  readonly algorithm: Implementation['algorithm'];
  readonly window: number;
}

const implementation: fc.Arbitrary<DrawnImplementation> = fc.record({
  algorithm: fc.constantFrom(
    'ring' as const,
    'direct' as const,
    'halvingDoubling' as const,
    'doubleBinaryTree' as const,
  ),
  window: fc.nat(4),
});

interface DrawnImplementations {
  readonly list: readonly DrawnImplementation[];
  /** Whether the first entry is a `one…`. */
  readonly whole: boolean;
  /** Leading dimensions that the list is for, from the end. */
  readonly shorter: number;
  readonly custom: boolean;
}

const implementations: fc.Arbitrary<DrawnImplementations> = fc.record({
  list: fc.array(implementation, { minLength: 3, maxLength: 3 }),
  whole: rarely,
  shorter: fc.constantFrom(0, 0, 0, 1, 2),
  custom: rarely,
});

interface Happening {
  readonly kind: 'collective' | 'broadcast' | 'transfer' | 'compute' | 'cpu' | 'memory' | 'leaf';
  readonly collective: SystemCollective;
  readonly size: number;
  readonly priority: number;
  /** −1: the world; else a group. */
  readonly group: number;
  readonly involved: readonly boolean[] | undefined;
  readonly from: number;
  readonly distance: number;
  readonly tag: number;
  /** By rank, µs; also what a rank computes before, and whether it computes at all. */
  readonly micros: readonly number[];
  readonly operations: number;
  readonly tensorSize: number;
  /** Whether it may start together with the communication before it. */
  readonly batched: boolean;
  readonly after: readonly { readonly back: number; readonly data: boolean }[];
  readonly perNode: boolean;
}

const size = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 300_000 }), fc.constant(65_536));

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom(
    ...(['collective', 'collective', 'collective', 'broadcast', 'transfer', 'transfer'] as const),
    ...(['compute', 'compute', 'cpu', 'memory', 'leaf'] as const),
  ),
  collective: fc.constantFrom(...SYSTEM_COLLECTIVES),
  size,
  priority: fc.nat(3),
  group: fc.constantFrom(-1, -1, -1, 0, 1, 2),
  involved: fc.option(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { nil: undefined, freq: 2 }),
  from: fc.nat(MOST_RANKS - 1),
  distance: fc.nat(MOST_RANKS - 1),
  tag: fc.nat(1),
  micros: fc.array(fc.constantFrom(0, 0, 1, 2, 3, 7, 30), { minLength: MOST_RANKS, maxLength: MOST_RANKS }),
  operations: fc.integer({ min: 1, max: 100_000_000 }),
  tensorSize: fc.oneof(size, fc.constant(0)),
  batched: fc.boolean(),
  after: fc.array(fc.record({ back: fc.integer({ min: 1, max: 4 }), data: fc.boolean() }), { maxLength: 3 }),
  perNode: rarely,
});

const drawn = fc.record({
  dimensions,
  system,
  implementations: fc.record({
    allReduce: implementations,
    allGather: implementations,
    reduceScatter: implementations,
    allToAll: implementations,
  }),
  happenings: fc.array(happening, { minLength: 1, maxLength: 10 }),
  /** Order of the ranks in each group, and how many of them are in it. */
  groupOrders: fc.array(fc.array(fc.nat(1000), { minLength: MOST_RANKS, maxLength: MOST_RANKS }), {
    minLength: 3,
    maxLength: 3,
  }),
  groupSizes: fc.array(fc.nat(MOST_RANKS), { minLength: 3, maxLength: 3 }),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Random runs of 2 to 16 ranks on networks of 1 to 3 dimensions, both backends. */
export const randomSystemRun: fc.Arbitrary<RandomSystemRun> = drawn.map(runOf);

function runOf(values: Drawn): RandomSystemRun {
  const rankCount = values.dimensions.reduce((product, { npus }) => product * npus, 1);
  const { system: chosen } = values;
  const custom: Record<string, NodeObject[][]> = {};
  // The shared bus is described for one chunk at a time.
  const queues = chosen.bus ? 1 : chosen.queues;
  const perCollective = Object.entries(values.implementations) as [SystemCollective, DrawnImplementations][];
  const isCustom = perCollective.some(([, { custom: own }]) => own) || values.happenings.some(({ perNode }) => perNode);
  const groups: Record<string, number[]> = {};
  values.groupOrders.forEach((order, group) => {
    const shuffled = shuffledRanks(rankCount, order);
    const count = 2 + (values.groupSizes[group] % (rankCount - 1));
    groups[group + 1] = shuffled.slice(0, count);
    if (rankCount - count >= 2) groups[COMPLEMENT + group + 1] = shuffled.slice(count);
  });
  const configuration = {
    file: 'system.json',
    schedulingPolicy: chosen.policy,
    collectiveOptimization: chosen.optimization,
    // A custom collective is one chunk.
    datasetSplits: isCustom ? 1 : chosen.splits,
    activeChunksPerDimension: chosen.bus ? 1 : chosen.activeChunks,
    endpointDelayNs: chosen.endpointDelayNs,
    // Roofline divides by it.
    localMemoryGBps: chosen.localMemoryGBps === 0 && chosen.roofline ? 50 : chosen.localMemoryGBps,
    implementations: Object.fromEntries(
      perCollective.map(([kind, list]) => [kind, implementationList(kind, list, values.dimensions)]),
    ),
    customImplementations: Object.fromEntries(
      perCollective.filter(([, { custom: own }]) => own).map(([kind]) => [kind, `custom/${kind}`]),
    ),
    roofline: chosen.roofline,
    peakTflops: 1.5,
    replayOnly: chosen.replayOnly,
    ...(chosen.bus && { sharedBus: busOf(chosen.busNumbers) }),
  };
  const prefixes = [...Object.values(configuration.customImplementations), 'custom/node'];
  if (isCustom)
    prefixes.forEach((prefix, number) => (custom[prefix] = star(rankCount, 1 + number, 1000 + 77 * number)));
  const customByNode: [bigint, string][] = [];
  const nodes = nodesOfRanks(values, rankCount, groups, { ...configuration, queues }, customByNode);
  return {
    dimensions: values.dimensions,
    backend: chosen.backend,
    system: { ...configuration, customByNode },
    memory: {
      file: 'memory.json',
      kind: chosen.memoryKind,
      latencyNs: chosen.memoryNumbers[0],
      bytesPerNs: chosen.memoryNumbers[1],
      ranksPerNode: chosen.memoryKind === 'PER_NODE_MEMORY_EXPANSION' ? chosen.memoryNumbers[2] : 1,
    },
    options: {
      queuesPerDimension: queues,
      rendezvous: chosen.rendezvous,
      deps: chosen.deps,
      stopNs: Infinity,
    },
    groups,
    nodes,
    custom,
  };
}

/** Added to the number of a group: the group of all other ranks. */
const COMPLEMENT = 10;

function shuffledRanks(rankCount: number, order: readonly number[]): number[] {
  return Array.from({ length: rankCount }, (_, rank) => rank).sort((a, b) => order[a] - order[b] || a - b);
}

function busOf([latencyNs, overheadNs, gapNs, gap, reductionDelayNs]: readonly number[]) {
  return { latencyNs, overheadNs, gapNs, gapPerByteNs: Math.fround(gap), reductionDelayNs };
}

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

function implementationList(
  kind: SystemCollective,
  { list, whole, shorter }: DrawnImplementations,
  sizes: readonly Dimension[],
): Implementation[] {
  const rankCount = sizes.reduce((product, { npus }) => product * npus, 1);
  const suited = (algorithm: Implementation['algorithm'], ranks: number): Implementation['algorithm'] => {
    if (algorithm === 'ring' || algorithm === 'direct') return algorithm;
    return isPowerOfTwo(ranks) && kind !== 'allToAll' ? algorithm : 'ring';
  };
  const one = ({ algorithm, window }: DrawnImplementation, ranks: number, all: boolean): Implementation => {
    const named = suited(all && algorithm === 'doubleBinaryTree' ? 'direct' : algorithm, ranks);
    return { algorithm: named, whole: all, ...(named === 'direct' && window > 0 && { window }) };
  };
  if (whole) return [one(list[0], rankCount, true)];
  const length = Math.max(1, sizes.length - shorter);
  return sizes.slice(0, length).map(({ npus }, index) => one(list[index], npus, false));
}

/** A custom collective: all send to position 0, which computes and sends to all. */
export function star(rankCount: number, micros: number, bytes: number): NodeObject[][] {
  const transfer = (id: number, type: string, peer: number, deps: number[]): NodeObject => ({
    id,
    type,
    data_deps: deps,
    attr: {
      [type === 'COMM_SEND_NODE' ? 'comm_dst' : 'comm_src']: { int32_val: peer },
      comm_size: { int64_val: bytes + peer },
      comm_tag: { int32_val: 7000 },
    },
  });
  return Array.from({ length: rankCount }, (_, position) => {
    const others = Array.from({ length: rankCount - 1 }, (_unused, other) => other + 1);
    if (position === 0) {
      return [
        ...others.map((peer) => transfer(peer, 'COMM_RECV_NODE', peer, [])),
        { id: 100, type: 'COMP_NODE', duration_micros: micros, data_deps: others },
        ...others.map((peer) => transfer(200 + peer, 'COMM_SEND_NODE', peer, [100])),
      ];
    }
    const own = { comm_size: { int64_val: bytes + position } };
    const up = transfer(1, 'COMM_SEND_NODE', 0, []);
    const down = transfer(2, 'COMM_RECV_NODE', 0, []);
    return [up, down].map((node) => ({ ...node, attr: { ...node.attr, ...own } }));
  });
}

const COMM_TYPE: Record<SystemCollective, number> = {
  allReduce: CollectiveType.allReduce,
  allGather: CollectiveType.allGather,
  reduceScatter: CollectiveType.reduceScatter,
  allToAll: CollectiveType.allToAll,
};

function nodesOfRanks(
  { happenings, system: chosen, implementations: lists, dimensions: sizes }: Drawn,
  rankCount: number,
  groups: Record<string, number[]>,
  configuration: {
    readonly queues: number;
    readonly datasetSplits: number;
    readonly implementations: Partial<Record<SystemCollective, Implementation[]>>;
    readonly customImplementations: Partial<Record<SystemCollective, string>>;
  },
  customByNode: [bigint, string][],
): NodeObject[][] {
  const everyone = Array.from({ length: rankCount }, (_, rank) => rank);
  const nodes: NodeObject[][] = everyone.map(() => []);
  /** Ids that others may wait for. */
  const parents: number[][] = everyone.map(() => []);
  /** The last nodes of a rank that hold its communication slot, and what they waited for. */
  const chains = everyone.map(() => ({
    last: [] as number[],
    waitedFor: undefined as Partial<NodeObject> | undefined,
  }));

  const dependencies = (rank: number, { after }: Happening): { data: number[]; control: number[] } => {
    const ids = parents[rank];
    const at = (data: boolean): number[] =>
      [...new Set(after.filter((edge) => edge.data === data).map(({ back }) => ids[ids.length - back]))].filter(
        (id) => id !== undefined,
      );
    return { data: at(true), control: at(false) };
  };
  const add = (rank: number, node: NodeObject, event: Happening, leaf = false): void => {
    const { data, control } = dependencies(rank, event);
    nodes[rank].push({ data_deps: data, ctrl_deps: control, ...node });
    if (!leaf) parents[rank].push(Number(node.id));
  };
  /** A node that holds the communication slot: the ranks must come to them in one order. */
  const addInOrder = (rank: number, node: NodeObject, event: Happening): void => {
    const chain = chains[rank];
    if (event.batched && chain.waitedFor !== undefined) {
      // Ready together with the one before, which has the lower id.
      chain.last.push(Number(node.id));
      add(rank, { ...node, ...chain.waitedFor }, event);
      return;
    }
    const { data, control } = dependencies(rank, event);
    const waitedFor = { data_deps: [...new Set([...data, ...chain.last])], ctrl_deps: control };
    chain.waitedFor = waitedFor;
    chain.last = [Number(node.id)];
    add(rank, { ...node, ...waitedFor }, event);
  };

  happenings.forEach((event, place) => {
    const id = 10 + 3 * place;
    const from = event.from % rankCount;
    const work: Attributes = {
      num_ops: { int64_val: event.operations },
      tensor_size: { uint64_val: event.tensorSize },
    };
    const idle = (rank: number): boolean => event.micros[rank] === 0 && rank !== from;
    switch (event.kind) {
      case 'compute':
        for (const rank of everyone) {
          if (idle(rank)) continue;
          const skipped = chosen.roofline && event.tensorSize === 0;
          add(rank, { id, type: 'COMP_NODE', duration_micros: event.micros[rank], attr: work }, event, skipped);
        }
        break;
      case 'cpu':
        for (const rank of everyone) {
          if (idle(rank)) continue;
          const attr = { is_cpu_op: { bool_val: true } };
          add(rank, { id, type: 'COMP_NODE', duration_micros: event.micros[rank], attr }, event);
        }
        break;
      case 'memory': {
        const type = event.tag === 0 ? 'MEM_LOAD_NODE' : 'MEM_STORE_NODE';
        if (chosen.memoryKind === 'NO_MEMORY_EXPANSION' && !chosen.replayOnly) break;
        for (const rank of everyone) if (!idle(rank)) addInOrder(rank, { id, type, attr: work }, event);
        break;
      }
      case 'leaf': {
        const type = event.tag === 0 ? 'INVALID_NODE' : 'METADATA_NODE';
        add(from, { id, type }, event, true);
        break;
      }
      case 'broadcast': {
        const attr = { comm_type: { int64_val: CollectiveType.broadcast }, comm_size: { int64_val: event.size } };
        for (const rank of everyone) {
          addInOrder(rank, { id, type: 'COMM_COLL_NODE', duration_micros: event.micros[rank], attr }, event);
        }
        break;
      }
      case 'transfer': {
        const to = (from + 1 + (event.distance % (rankCount - 1))) % rankCount;
        const attr = { comm_size: { int64_val: event.size }, comm_tag: { int32_val: 500_000_000 + event.tag } };
        addInOrder(from, { id, type: 'COMM_SEND_NODE', attr: { ...attr, comm_dst: { int32_val: to } } }, event);
        add(to, { id, type: 'COMM_RECV_NODE', attr: { ...attr, comm_src: { int32_val: from } } }, event);
        break;
      }
      case 'collective': {
        const kind = event.collective;
        const list = configuration.implementations[kind]!;
        const custom = event.perNode || lists[kind].custom;
        const names = custom ? undefined : groupsFor(event, list, groups, rankCount, configuration.queues);
        if (event.perNode) customByNode.push([BigInt(id), 'custom/node']);
        const attr: Attributes = {
          comm_type: { int64_val: COMM_TYPE[kind] },
          comm_size: { int64_val: sizeFor(event, list, configuration.datasetSplits, rankCount, custom) },
          comm_priority: { int32_val: event.priority },
          ...(event.involved && { involved_dim: { bool_list: involvedIn(event, list, sizes) } }),
        };
        const node = { id, type: 'COMM_COLL_NODE', attr };
        if (names === undefined) for (const rank of everyone) addInOrder(rank, node, event);
        for (const name of names ?? []) {
          const named = { ...node, attr: { ...attr, pg_name: { string_val: name } } };
          for (const rank of groups[name]) addInOrder(rank, named, event);
        }
        break;
      }
    }
  });
  // Every trace has a node to start with.
  for (const rank of everyone) {
    if (parents[rank].length === 0)
      nodes[rank].push({ id: 1, type: 'COMP_NODE', duration_micros: 1, attr: ONE_OPERATION });
  }
  return nodes;
}

const ONE_OPERATION: Attributes = { num_ops: { int64_val: 1000 }, tensor_size: { uint64_val: 1 } };

/** The groups that run it at once; undefined for the world, which it is where a group is not for the implementation. */
function groupsFor(
  { group, distance }: Happening,
  list: readonly Implementation[],
  groups: Readonly<Record<string, readonly number[]>>,
  rankCount: number,
  queues: number,
): string[] | undefined {
  if (group < 0) return undefined;
  const name = String(group + 1);
  const others = String(COMPLEMENT + group + 1);
  if (groups[name].length === rankCount) return [name];
  const covers = others in groups;
  if (queues > 1 && !covers) return undefined;
  const names = covers && (queues > 1 || distance % 2 === 0) ? [name, others] : [name];
  const [{ algorithm }] = list;
  const suits = (count: number): boolean => {
    if (list.length > 1) return true;
    return algorithm === 'halvingDoubling' ? isPowerOfTwo(count) : algorithm !== 'doubleBinaryTree';
  };
  return names.every((each) => suits(groups[each].length)) ? names : undefined;
}

/** A size with which no message is empty; one chunk for a custom collective. */
function sizeFor(
  { collective, size: drawnSize }: Happening,
  list: readonly Implementation[],
  splits: number,
  rankCount: number,
  custom: boolean,
): number {
  if (collective === 'allGather') return Math.max(drawnSize, splits);
  const halving = !custom && list.some(({ algorithm }) => algorithm === 'halvingDoubling');
  return halving ? Math.max(drawnSize, 2 * splits * rankCount) : drawnSize;
}

/** The list of the node, with one dimension of the implementations in it. */
function involvedIn({ involved }: Happening, list: readonly Implementation[], sizes: readonly Dimension[]): boolean[] {
  const flags = sizes.map((_, dimension) => involved![dimension]);
  if (!flags.slice(0, list.length).includes(true)) flags[0] = true;
  return flags;
}
