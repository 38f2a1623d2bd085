import type { NetworkFactory } from '../../src/network/network.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { traceOf, type NodeObject } from './traces.js';

/** α = 1 µs one way, 1 B/ns: the network of the rule documents' examples. */
export const EXAMPLE_NETWORK: NetworkFactory = analyticalUnaware({
  kind: 'alpha-beta',
  latencyPs: 1_000_000,
  bytesPerNs: 1,
});

export function compute(id: number, micros: number, dataDeps: number[] = [], cpu = false): NodeObject {
  return {
    id,
    name: `compute ${id}`,
    type: 'COMP_NODE',
    duration_micros: micros,
    data_deps: dataDeps,
    attr: cpu ? { is_cpu_op: { bool_val: true } } : {},
  };
}

export function memory(id: number, micros: number, dataDeps: number[] = []): NodeObject {
  return { id, name: `memory ${id}`, type: 'MEM_LOAD_NODE', duration_micros: micros, data_deps: dataDeps };
}

export function send(id: number, to: number, bytes: number, tag: number, dataDeps: number[] = []): NodeObject {
  return {
    id,
    name: `send ${id}`,
    type: 'COMM_SEND_NODE',
    data_deps: dataDeps,
    attr: { comm_dst: { int32_val: to }, comm_size: { int64_val: bytes }, comm_tag: { int32_val: tag } },
  };
}

export function receive(id: number, from: number, bytes: number, tag: number, dataDeps: number[] = []): NodeObject {
  return {
    id,
    name: `receive ${id}`,
    type: 'COMM_RECV_NODE',
    data_deps: dataDeps,
    attr: { comm_src: { int32_val: from }, comm_size: { int64_val: bytes }, comm_tag: { int32_val: tag } },
  };
}

export function collective(
  id: number,
  type: number,
  bytes: number,
  group: string,
  dataDeps: number[] = [],
): NodeObject {
  return {
    id,
    name: `collective ${id}`,
    type: 'COMM_COLL_NODE',
    data_deps: dataDeps,
    attr: { comm_type: { int64_val: type }, comm_size: { int64_val: bytes }, pg_name: { string_val: group } },
  };
}

export function traces(...ranks: NodeObject[][]): RankTrace[] {
  return ranks.map((nodes, rank) => traceOf(nodes, rank));
}

/** Replays jobs of a few nodes on the example network. */
export function run(ranks: RankTrace[], options: Partial<ReplayOptions> = {}): ReplayOutcome {
  return replay(ranks, { network: EXAMPLE_NETWORK, ...options });
}

/** Start and finish of every node of a rank in µs, by id: `{ 1: [0, 3] }`. */
export function micros(
  outcome: ReplayOutcome,
  ranks: readonly RankTrace[],
  rank = 0,
): Record<number, [number, number]> {
  const { start, finish } = outcome.nodeTimes(rank);
  const { idLow } = ranks[rank];
  return Object.fromEntries(Array.from(idLow, (id, index) => [id, [start[index] / 1e6, finish[index] / 1e6]]));
}
