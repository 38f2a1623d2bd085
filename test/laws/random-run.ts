import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { NetworkSpec } from '../../src/network/network-spec.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import type { ScaleUpSpec } from '../../src/network/scale-up/scale-up-spec.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { newFolder } from '../support/folders.js';
import { groupsOf, prepareAll, attributes } from '../support/preparation.js';
import { traceOf, type NodeObject } from '../support/traces.js';
import { job, type Job } from './random-traceset.js';

/** A node beside those of the random job, with an id between theirs. */
interface Loose {
  kind: 'send' | 'receive' | 'both' | 'npu' | 'cpu' | 'memory' | 'metadata';
  rank: number;
  peer: number;
  tag: number;
  size: number;
  micros: number;
  back: number;
}

const loose: fc.Arbitrary<Loose> = fc.record({
  kind: fc.constantFrom('send', 'receive', 'both', 'both', 'both', 'npu', 'npu', 'cpu', 'memory', 'metadata'),
  rank: fc.nat(4),
  peer: fc.nat(4),
  tag: fc.nat(1),
  size: fc.oneof(fc.constant(0), fc.nat(9000)),
  micros: fc.constantFrom(0, 0, 1, 2, 3, 7),
  back: fc.nat(4),
});

/**
 * Nodes of random jobs, expanded or not, with compute of every kind, transfers that share a key, transfers that nobody
 * receives and receives that nobody sends to.
 */
export interface RandomRun {
  readonly rankCount: number;
  readonly groups: Record<string, number[]>;
  /** By rank, as their files have them. */
  readonly nodes: NodeObject[][];
}

/** @param ends whether there may be transfers without a receive and receives without a transfer */
export function randomRun(ends: boolean): fc.Arbitrary<RandomRun> {
  return fc.record({ drawn: job, more: fc.array(loose, { maxLength: 14 }) }).map(({ drawn, more }) => {
    const nodes = withMore(drawn, ends ? more : more.filter(({ kind }) => kind !== 'send' && kind !== 'receive'));
    const { rankCount, groups } = drawn;
    return { rankCount, groups, nodes };
  });
}

function withMore({ nodes: ofJob, rankCount }: Job, more: readonly Loose[]): NodeObject[][] {
  const nodes = ofJob.map((list) => [...list]);
  const added = nodes.map(() => 0);
  const add = (rank: number, node: Omit<NodeObject, 'id'>, back: number): void => {
    const list = nodes[rank];
    const id = 11 + 3 * Math.floor(added[rank] / 2) + (added[rank] % 2);
    added[rank]++;
    const before = list.map((other) => Number(other.id)).filter((other) => other < id);
    const deps = back === 0 || before.length === 0 ? [] : [before.sort((a, b) => b - a)[(back - 1) % before.length]];
    list.push({ id, ...node, data_deps: deps });
  };
  for (const { kind, rank: drawnRank, peer: drawnPeer, tag, size, micros, back } of more) {
    const rank = drawnRank % rankCount;
    const peer = drawnPeer % rankCount;
    const to = { type: 'COMM_SEND_NODE', attr: attributes({ to: peer, size, tag: 900 + tag }) };
    const from = { type: 'COMM_RECV_NODE', attr: attributes({ from: rank, size, tag: 900 + tag }) };
    if (kind === 'send' || kind === 'both') add(rank, to, back);
    if (kind === 'receive' || kind === 'both') add(peer, from, back);
    if (kind === 'npu') add(rank, { type: 'COMP_NODE', duration_micros: micros }, back);
    if (kind === 'cpu') {
      add(rank, { type: 'COMP_NODE', duration_micros: micros, attr: { is_cpu_op: { bool_val: true } } }, back);
    }
    if (kind === 'memory') add(rank, { type: 'MEM_STORE_NODE', duration_micros: micros }, back);
    if (kind === 'metadata') add(rank, { type: 'METADATA_NODE', duration_micros: micros }, back);
  }
  return nodes;
}

/** What the files are read as. */
export function rawTraces({ nodes }: RandomRun): RankTrace[] {
  return nodes.map((list, rank) => traceOf(list, rank));
}

/** The traces as a replay over a network with contention needs them. */
export function expanded(run: RandomRun, sync: boolean): RankTrace[] {
  return prepareAll(rawTraces(run), { groups: groupsOf(run.groups), expand: true, sync, serialize: true }).traces;
}

const latencyPs = fc.constantFrom(0, 1, 700, 500_000, 1_000_000);

/** α–β networks; with and without a latency. */
export const alphaBeta: fc.Arbitrary<NetworkSpec> = fc.record({
  kind: fc.constant('alpha-beta' as const),
  latencyPs,
  bytesPerNs: fc.constantFrom(0.75, 1, 3, 50),
});

/** A ring of as many servers as there are ranks; α–β for one rank. */
export function ringOf(rankCount: number): NetworkSpec {
  if (rankCount < 2) return { kind: 'alpha-beta', latencyPs: 333_000, bytesPerNs: 1.3 };
  const dimension = {
    topology: 'Ring',
    npus: rankCount,
    bandwidthGiBPerSecond: 1.3,
    latencyPs: 333_000,
    latencyNs: 333,
  } as const;
  return { kind: 'analytical', dimensions: [dimension] };
}

/** Scale-up groups for up to five ranks; −1 in `groupOf` is a rank in none. */
export interface RandomGroups {
  readonly groupOf: number[];
  readonly subgroupOf: number[];
  readonly groups: ScaleUpSpec['groups'];
  readonly maxPayloadBytes: number;
  readonly headerBytes: number;
}

export const scaleUpGroups: fc.Arbitrary<RandomGroups> = fc.record({
  groupOf: fc.array(fc.constantFrom(0, 0, 1, 2, -1), { minLength: 5, maxLength: 5 }),
  subgroupOf: fc.array(fc.constantFrom(0, 0, 1, 7), { minLength: 5, maxLength: 5 }),
  groups: fc
    .array(
      fc.record({
        bandwidthGbps: fc.constantFrom(800, 900, 100, 53.333),
        switchLatencyPs: fc.constantFrom(0, 33_500, 100_000),
        cableLatencyPs: fc.constantFrom(0, 1000, 100_000),
      }),
      { minLength: 3, maxLength: 3 },
    )
    .map((groups) => groups.map((parameters, id) => ({ id: 10 * id, ...parameters }))),
  maxPayloadBytes: fc.constantFrom(256, 4096),
  headerBytes: fc.constantFrom(0, 24),
});

/** The fabric for the first `rankCount` ranks, with groups that no rank uses left in. */
export function fabricOf(drawn: RandomGroups, rankCount: number): ScaleUpSpec {
  return {
    groups: drawn.groups,
    groupOf: Int32Array.from(drawn.groupOf.slice(0, rankCount)),
    subgroupOf: Uint32Array.from(drawn.subgroupOf.slice(0, rankCount)),
    maxPayloadBytes: drawn.maxPayloadBytes,
    headerBytes: drawn.headerBytes,
  };
}

/** A network with scale-up groups in front. */
export function routed(spec: NetworkSpec, groups: RandomGroups, rankCount: number): NetworkFactory {
  return scaleUpRouted(analyticalUnaware(spec), fabricOf(groups, rankCount));
}

/** A mapping file of either form: rank r on server r. */
export function mappingFile(
  { groupOf, subgroupOf, groups }: RandomGroups,
  rankCount: number,
  form: 'text' | 'json',
): string {
  const ranks = Array.from({ length: rankCount }, (_, rank) => rank);
  const used = groups.filter((_, index) => groupOf.slice(0, rankCount).includes(index));
  const path = join(newFolder(), form === 'text' ? 'ranks.map' : 'ranks.json');
  const ns = (timePs: number): string => String(timePs / 1000);
  const text = [
    ...ranks.map((rank) =>
      groupOf[rank] < 0 ? `${rank} ${rank}` : `${rank} ${rank} ${groups[groupOf[rank]].id} ${subgroupOf[rank]}`,
    ),
    '@',
    ...used.map((group) =>
      [group.id, group.bandwidthGbps, ns(group.switchLatencyPs), ns(group.cableLatencyPs)].join(' '),
    ),
  ];
  const document = {
    ranks: ranks.map((rank) => ({
      rank,
      server: rank,
      ...(groupOf[rank] < 0 ? {} : { group: groups[groupOf[rank]].id, subgroup: subgroupOf[rank] }),
    })),
    groups: used.map((group) => ({
      id: group.id,
      bandwidthGbps: group.bandwidthGbps,
      switchLatencyNs: group.switchLatencyPs / 1000,
      cableLatencyNs: group.cableLatencyPs / 1000,
    })),
  };
  writeFileSync(path, form === 'text' ? `${text.join('\n')}\n` : JSON.stringify(document));
  return path;
}
