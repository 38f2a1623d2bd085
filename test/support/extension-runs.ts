import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import type { SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { alone, systemOf, systemRun, type RunParts } from './system-runs.js';
import { topologyOf, type DimensionFacts } from './topologies.js';
import type { Attributes, NodeObject } from './traces.js';

/** GB/s of 2^30 bytes of a link that takes a byte a ns, exactly. */
const BYTE_A_NS = 1e9 / 2 ** 30;

/** A network of rings; bandwidth in bytes a ns. */
export function rings(
  ...dimensions: readonly (readonly [npus: number, latencyNs: number, bytesPerNs: number])[]
): AnalyticalSpec {
  return topologyOf(
    ...dimensions.map(([npus, latencyNs, bytesPerNs]): DimensionFacts => {
      return ['Ring', npus, bytesPerNs * BYTE_A_NS, latencyNs];
    }),
  );
}

/** Hand-overs and reductions cost nothing, one chunk a collective, ring everywhere, extensions on. */
export function extendedSystem(dimensions: number, told: Partial<SystemConfiguration> = {}): SystemConfiguration {
  return systemOf(new Array<string>(dimensions).fill('ring').join(' '), {
    schedulingPolicy: 'FIFO',
    collectiveOptimization: 'baseline',
    endpointDelayNs: 0,
    localMemoryGBps: 0,
    extensions: extended(),
    ...told,
  });
}

export function extended(
  told: Partial<NonNullable<SystemConfiguration['extensions']>> = {},
): NonNullable<SystemConfiguration['extensions']> {
  return { interDimensionScheduling: 'ascending', hierarchicalRing: new Set(), ...told };
}

/** The run of one collective of all ranks. */
export function ofOneCollective(
  network: AnalyticalSpec,
  system: SystemConfiguration,
  type: number,
  bytes: number,
  backend: NonNullable<RunParts['backend']> = 'unaware',
): SystemOutcome {
  const rankCount = network.dimensions.reduce((product, { npus }) => product * npus, 1);
  return simulateSystem(systemRun({ nodes: alone(rankCount, type, bytes), network, system, backend }));
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
