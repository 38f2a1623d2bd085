import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import type { Implementation, SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import type { AnalyticalSpec, Dimension } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { groupsOf } from './preparation.js';
import { traceOf, type Attributes, type NodeObject } from './traces.js';

/** GB/s of 2^30 bytes of a link that takes a byte a ns, exactly. */
export const BYTE_A_NS = 1e9 / 2 ** 30;

export const RING: Implementation = { algorithm: 'ring', whole: false };

/** A network of rings; bandwidth in bytes a ns. */
export function rings(
  ...dimensions: readonly (readonly [npus: number, latencyNs: number, bytesPerNs: number])[]
): AnalyticalSpec {
  return {
    kind: 'analytical',
    dimensions: dimensions.map(([npus, latencyNs, bytesPerNs]): Dimension => ({
      topology: 'Ring',
      npus,
      bandwidthGiBPerSecond: bytesPerNs * BYTE_A_NS,
      latencyNs,
      latencyPs: latencyNs * 1000,
    })),
  };
}

/** Hand-overs and reductions cost nothing, one chunk a collective, ring everywhere, extensions on. */
export function extendedSystem(dimensions: number, told: Partial<SystemConfiguration> = {}): SystemConfiguration {
  const list = Array.from({ length: dimensions }, () => RING);
  return {
    file: 'system.json',
    schedulingPolicy: 'FIFO',
    collectiveOptimization: 'baseline',
    datasetSplits: 1,
    activeChunksPerDimension: 1,
    endpointDelayNs: 0,
    localMemoryGBps: 0,
    implementations: { allReduce: list, allGather: list, reduceScatter: list, allToAll: list },
    customImplementations: {},
    customByNode: new Map(),
    roofline: false,
    peakTflops: 0,
    replayOnly: false,
    extensions: extended(),
    ...told,
  };
}

export function extended(
  told: Partial<NonNullable<SystemConfiguration['extensions']>> = {},
): NonNullable<SystemConfiguration['extensions']> {
  return { interDimensionScheduling: 'ascending', hierarchicalRing: new Set(), ...told };
}

/** A run of these ranks, by id; the world where nothing is said of groups. */
export function extendedRun(
  network: AnalyticalSpec,
  system: SystemConfiguration,
  ranks: readonly (readonly NodeObject[])[],
  told: {
    readonly backend?: SystemRun['backend'];
    readonly groups?: Record<string, number[]>;
    readonly queues?: number;
  } = {},
): SystemRun {
  const traces = ranks.map((nodes, rank) => traceOf(nodes, rank));
  return {
    rankCount: ranks.length,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: () => {
      throw new Error('no custom collective in this test');
    },
    groups: groupsOf(told.groups ?? {}),
    network,
    backend: told.backend ?? 'analytical-unaware',
    system,
    memory: { file: 'memory.json', kind: 'NO_MEMORY_EXPANSION', latencyNs: 0, bytesPerNs: 0, ranksPerNode: 1 },
    options: { queuesPerDimension: told.queues ?? 1, rendezvous: false, deps: 'both', stopNs: Infinity },
  };
}

/** The run of one collective on every rank of the network. */
export function ofOneCollective(
  network: AnalyticalSpec,
  system: SystemConfiguration,
  type: number,
  bytes: number,
  backend?: SystemRun['backend'],
): SystemOutcome {
  const rankCount = network.dimensions.reduce((product, { npus }) => product * npus, 1);
  const nodes = [worldCollective(1, bytes, { type })];
  const told = backend === undefined ? {} : { backend };
  return simulateSystem(extendedRun(network, system, new Array<NodeObject[]>(rankCount).fill(nodes), told));
}

/** A collective of all ranks, or of a group; an all-reduce unless something else is told. */
export function worldCollective(
  id: number,
  bytes: number,
  told: { type?: number; priority?: number; after?: number[]; group?: string } = {},
): NodeObject {
  const attr: Attributes = {
    comm_type: { int64_val: told.type ?? CollectiveType.allReduce },
    comm_size: { int64_val: bytes },
  };
  if (told.priority !== undefined) attr.comm_priority = { int32_val: told.priority };
  if (told.group !== undefined) attr.pg_name = { string_val: told.group };
  return { id, type: 'COMM_COLL_NODE', data_deps: told.after ?? [], attr };
}

/** When each collective of the world, or of a group, ended, by its place. */
export function endsOf({ collectives }: SystemOutcome, group = 'world'): number[] {
  const ends: number[] = [];
  for (const { group: own, instance, endNs } of collectives) if (own === group) ends[instance] = endNs;
  return ends;
}
