import type { SystemOptions, SystemRun } from '../../src/astra-sim/system-run.js';
import type {
  Implementation,
  RemoteMemoryConfiguration,
  SystemConfiguration,
} from '../../src/astra-sim/system-configuration.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { collective } from './jobs.js';
import { topologyOf, type DimensionFacts } from './topologies.js';
import { traceOf, type NodeObject } from './traces.js';

export const MIB = 1_048_576;

/** An implementation by its name in a system file: `ring`, `direct2`, `oneRing`. */
export function implementation(name: string): Implementation {
  const whole = name.startsWith('one');
  const bare = whole ? name[3].toLowerCase() + name.slice(4) : name;
  const [, algorithm, window] = /^([A-Za-z]+)(\d*)$/.exec(bare)!;
  return {
    algorithm: algorithm as Implementation['algorithm'],
    whole,
    ...(window === '' ? {} : { window: Number(window) }),
  };
}

/** A system file that names these implementations for every collective: the one of section 17, with one chunk. */
export function systemOf(names: string, told: Partial<SystemConfiguration> = {}): SystemConfiguration {
  const implementations = names.split(' ').map(implementation);
  return {
    file: 'system.json',
    schedulingPolicy: 'LIFO',
    collectiveOptimization: 'localBWAware',
    datasetSplits: 1,
    activeChunksPerDimension: 1,
    endpointDelayNs: 10,
    localMemoryGBps: 1600,
    implementations: {
      allReduce: implementations,
      allGather: implementations,
      reduceScatter: implementations,
      allToAll: implementations,
    },
    customImplementations: {},
    customByNode: new Map(),
    roofline: false,
    peakTflops: 0,
    replayOnly: false,
    ...told,
  };
}

/** Dimensions of 50 GiB/s and 500 ns, as in section 17: `Ring 4`, `Switch 2`. */
export function networkOf(...dimensions: readonly string[]): AnalyticalSpec {
  return topologyOf(
    ...dimensions.map((dimension): DimensionFacts => {
      const [topology, npus] = dimension.split(' ');
      return [topology as DimensionFacts[0], Number(npus), 50, 500];
    }),
  );
}

/** No remote memory, as without a file. */
export const NO_MEMORY: RemoteMemoryConfiguration = {
  file: 'no --memory file',
  kind: 'NO_MEMORY_EXPANSION',
  latencyNs: 0,
  bytesPerNs: 0,
  ranksPerNode: 1,
};

/** What a run is made of; `nodes` by rank. */
export interface RunParts {
  readonly nodes: readonly (readonly NodeObject[])[];
  readonly network: AnalyticalSpec;
  readonly system?: SystemConfiguration;
  readonly backend?: 'unaware' | 'aware';
  readonly groups?: Readonly<Record<string, readonly number[]>>;
  readonly memory?: RemoteMemoryConfiguration;
  readonly options?: Partial<SystemOptions>;
  /** Nodes of custom collectives by `prefix.position`. */
  readonly custom?: Readonly<Record<string, readonly NodeObject[]>>;
}

export function systemRun(parts: RunParts): SystemRun {
  const { nodes, network, system, backend = 'unaware', groups = {}, memory, options, custom = {} } = parts;
  const traces = nodes.map((ofRank, rank) => traceOf(ofRank, rank));
  return {
    rankCount: nodes.length,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: (prefix, position, use) => use(traceOf(custom[`${prefix}.${position}`], position)),
    groups: new Map(Object.entries(groups).map(([name, ranks]) => [name, { name, ranks, origin: 'groups.json' }])),
    network,
    backend: `analytical-${backend}`,
    system: system ?? systemOf('ring'),
    memory: memory ?? NO_MEMORY,
    options: { queuesPerDimension: 1, rendezvous: false, deps: 'both', stopNs: Infinity, ...options },
  };
}

/** When each rank ends, ns; the same when every rank is simulated, also where one could stand for all. */
export function endsOf(parts: RunParts): number[] {
  const { status, ranks } = simulateSystem(systemRun(parts));
  expect(status).toBe('finished');
  const ends = ranks.map(({ endNs }) => endNs);
  const whole = simulateSystem(systemRun({ ...parts, options: { ...parts.options, everyRank: true } }));
  expect(whole.ranks.map(({ endNs }) => endNs)).toEqual(ends);
  return ends;
}

/** The same nodes on every rank. */
export function everyRank(ranks: number, ...nodes: NodeObject[]): NodeObject[][] {
  return Array.from({ length: ranks }, () => nodes);
}

/** A collective of all ranks as the only node of each. */
export function alone(ranks: number, type: number, bytes: number): NodeObject[][] {
  return everyRank(ranks, collective(1, type, bytes, ''));
}
