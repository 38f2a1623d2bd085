import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemRun } from '../../src/astra-sim/system-run.js';
import type { AnalyticalBackend } from '../../src/config/system-options.js';
import type { Topology } from '../../src/network/network-spec.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { systemFile } from '../support/system-files.js';
import { buildEt, traceOf, type NodeObject } from '../support/traces.js';

const BYTES = 64 << 20;
const BANDWIDTH_GIB = 50;
const LATENCY_NS = 500;

/** A traceset for the system layer with its network and system file, made by script. */
export interface SystemWorkload {
  readonly rankCount: number;
  /** Of the collective, all of them active at once; 1 where there is none. */
  readonly chunks: number;
  /** Messages of all ranks together; 0 where there is no collective. */
  readonly messages: number;
  /** Nodes of all ranks together. */
  readonly nodes: number;
  readonly topology: Topology;
  /** Keys of the system file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The nodes of a rank; those of rank 0 are everybody's where `areRanksAlike`. */
  nodesOf(rank: number): NodeObject[];
  readonly areRanksAlike: boolean;
}

/** One ring all-reduce of 64 MiB over a Ring. */
export function ringAllReduce(rankCount: number, chunks: number): SystemWorkload {
  return {
    ...collective(rankCount, chunks, CollectiveType.allReduce),
    messages: chunks * rankCount * 2 * (rankCount - 1),
    topology: 'Ring',
    settings: { ...settingsOf(chunks), 'all-reduce-implementation': ['ring'] },
  };
}

/** One direct all-to-all of 64 MiB over a Switch: every rank sends to all others at once. */
export function directAllToAll(rankCount: number, chunks: number): SystemWorkload {
  return {
    ...collective(rankCount, chunks, CollectiveType.allToAll),
    messages: chunks * rankCount * (rankCount - 1),
    topology: 'Switch',
    settings: { ...settingsOf(chunks), 'all-to-all-implementation': ['direct'] },
  };
}

/** Compute nodes without dependencies, all of them ready at the start: 1 to 997 µs, in another order on each rank. */
export function independentNodes(rankCount: number, nodesOfRank: number): SystemWorkload {
  return {
    rankCount,
    chunks: 1,
    messages: 0,
    nodes: rankCount * nodesOfRank,
    topology: 'Switch',
    settings: settingsOf(1),
    nodesOf: (rank) =>
      Array.from({ length: nodesOfRank }, (_, id) => ({
        id,
        name: `compute-${id}`,
        type: NodeType.compute,
        duration_micros: 1 + ((7919 * id + 31 * rank) % 997),
        attr: { is_cpu_op: { bool_val: false } },
      })),
    areRanksAlike: false,
  };
}

/** The workload as {@link simulateSystem} takes it, traces in memory; ranks that are alike share their columns. */
export function inMemory(workload: SystemWorkload, backend: AnalyticalBackend): SystemRun {
  const { rankCount } = workload;
  const traces = tracesOf(workload);
  return {
    rankCount,
    withTrace: (rank, use) => use(traces[rank]),
    withCustomTrace: () => {
      throw new Error('no collective of a workload is a custom one');
    },
    groups: new Map(),
    network: {
      kind: 'analytical',
      dimensions: [
        {
          topology: workload.topology,
          npus: rankCount,
          bandwidthGiBPerSecond: BANDWIDTH_GIB,
          latencyPs: 1000 * LATENCY_NS,
          latencyNs: LATENCY_NS,
        },
      ],
    },
    backend,
    system: systemFile(workload.settings).configuration,
    memory: { file: 'none', kind: 'NO_MEMORY_EXPANSION', latencyNs: 0, bytesPerNs: 0, ranksPerNode: 1 },
    options: { queuesPerDimension: 1, rendezvous: false, deps: 'both', stopNs: Infinity },
  };
}

/** Writes the workload as files into a new folder and gives the words of the command that runs it. */
export function asFiles(workload: SystemWorkload, backend: AnalyticalBackend, folder: string): string[] {
  mkdirSync(folder);
  const system = join(folder, 'system.json');
  writeFileSync(system, JSON.stringify(workload.settings));
  const network = join(folder, 'network.yml');
  const { rankCount, topology } = workload;
  writeFileSync(
    network,
    `topology: [ ${topology} ]\nnpus_count: [ ${rankCount} ]\nbandwidth: [ ${BANDWIDTH_GIB} ]\nlatency: [ ${LATENCY_NS} ]\n`,
  );
  const prefix = join(folder, 'workload');
  const first = buildEt(workload.nodesOf(0));
  for (let rank = 0; rank < rankCount; rank++) {
    const isFirst = rank === 0 || workload.areRanksAlike;
    writeFileSync(`${prefix}.${rank}.et`, isFirst ? first : buildEt(workload.nodesOf(rank)));
  }
  return ['simulate', prefix, '--system', system, '--network', network, '--backend', backend];
}

/** A rank with one collective of 64 MiB, the same on all ranks. */
function collective(
  rankCount: number,
  chunks: number,
  type: number,
): Pick<SystemWorkload, 'rankCount' | 'chunks' | 'nodes' | 'nodesOf' | 'areRanksAlike'> {
  const node = {
    id: 1,
    name: 'collective',
    type: NodeType.collective,
    attr: { is_cpu_op: { bool_val: false }, comm_type: { int64_val: type }, comm_size: { int64_val: BYTES } },
  };
  return { rankCount, chunks, nodes: rankCount, nodesOf: () => [node], areRanksAlike: true };
}

function settingsOf(chunks: number): Record<string, unknown> {
  return {
    'scheduling-policy': 'LIFO',
    'collective-optimization': 'localBWAware',
    'preferred-dataset-splits': chunks,
    'active-chunks-per-dimension': chunks,
    'endpoint-delay': 10,
    'local-mem-bw': 1600,
  };
}

function tracesOf({ rankCount, areRanksAlike, nodesOf }: SystemWorkload): RankTrace[] {
  const ranks = Array.from({ length: rankCount }, (_, rank) => rank);
  if (!areRanksAlike) return ranks.map((rank) => traceOf(nodesOf(rank), rank));
  const trace = traceOf(nodesOf(0));
  return ranks.map((rank) => ({ ...trace, rank, file: `bench.${rank}.et` }));
}
