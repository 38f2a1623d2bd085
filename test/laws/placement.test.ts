import fc from 'fast-check';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import { NodeType } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { everythingOf } from '../support/outcome-facts.js';
import type { Attributes, NodeObject } from '../support/traces.js';
import {
  alphaBeta,
  expanded,
  fabricOf,
  randomRun,
  ringOf,
  routed,
  scaleUpGroups,
  type RandomRun,
} from './random-run.js';

/** Where ranks run, and which of them share a fabric, on jobs that may stall and be stopped. */

const stopPs = fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 30_000_000 }));
const family = fc.constantFrom('synthesized' as const, 'collected' as const);

/** Groups in which no two ranks have a transfer between them. */
function withoutTransfersInside(groupOf: readonly number[], traces: readonly RankTrace[]): number[] {
  const partners = traces.map(({ type, peer, length }) => {
    const all = Array.from({ length }, (_, node) => node);
    const ends = all.filter((node) => type[node] === NodeType.send || type[node] === NodeType.receive);
    return new Set(ends.map((node) => peer[node]));
  });
  const chosen: number[] = [];
  for (const rank of traces.keys()) {
    const talks = (other: number): boolean => partners[rank].has(other) || partners[other].has(rank);
    const alone = chosen.every((group, other) => group !== groupOf[rank] || !talks(other));
    chosen.push(alone ? groupOf[rank] : -1);
  }
  return chosen;
}

describe('law: a mapping that joins nobody who talks changes nothing', () => {
  test('R-090 groups of one rank each', () => {
    fc.assert(
      fc.property(
        randomRun(true),
        alphaBeta,
        scaleUpGroups,
        fc.boolean(),
        stopPs,
        family,
        (run, spec, drawn, sync, stop, kind) => {
          const traces = expanded(run, sync);
          const groups = { ...drawn, groups: [0, 1, 2, 3, 4].map((id) => ({ ...drawn.groups[0], id })) };
          const options = { stopPs: stop, family: kind, recordTransfers: true };
          const alone = { ...groups, groupOf: [0, 1, 2, 3, 4] };
          const mapped = replay(traces, { ...options, network: routed(spec, alone, run.rankCount) });
          const plain = replay(traces, { ...options, network: analyticalUnaware(spec) });
          expect(everythingOf(mapped)).toEqual(everythingOf(plain));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('R-090 groups without a transfer inside', () => {
    fc.assert(
      fc.property(randomRun(true), scaleUpGroups, fc.boolean(), stopPs, (run, drawn, sync, stop) => {
        const traces = expanded(run, sync);
        const groupOf = withoutTransfersInside(drawn.groupOf.slice(0, run.rankCount), traces);
        const spec = ringOf(run.rankCount);
        const options = { stopPs: stop, recordTransfers: true };
        const mapped = replay(traces, { ...options, network: routed(spec, { ...drawn, groupOf }, run.rankCount) });
        const plain = replay(traces, { ...options, network: analyticalUnaware(spec) });
        expect(everythingOf(mapped)).toEqual(everythingOf(plain));
      }),
      { numRuns: 100 },
    );
  });
});

/** A permutation of the ranks from numbers to sort by. */
function permutation(keys: readonly number[], length: number): number[] {
  return Array.from({ length }, (_, rank) => rank).sort((a, b) => keys[a] - keys[b] || a - b);
}

const keys = fc.array(fc.nat(), { minLength: 5, maxLength: 5 });

test('law: R-031 on an α–β network it does not matter which server a rank is on', () => {
  fc.assert(
    fc.property(randomRun(true), alphaBeta, scaleUpGroups, keys, stopPs, (run, spec, drawn, order, stop) => {
      const traces = expanded(run, true);
      const servers = Int32Array.from(permutation(order, run.rankCount), (server) => 3 * server + 7);
      const fabric = fabricOf(drawn, run.rankCount);
      const on = (where?: Int32Array): ReplayOutcome =>
        replay(traces, {
          network: scaleUpRouted(analyticalUnaware(spec, { servers: where }), fabric),
          stopPs: stop,
          recordTransfers: true,
        });
      expect(everythingOf(on(servers))).toEqual(everythingOf(on()));
    }),
    { numRuns: 60 },
  );
});

/** The job with rank r called to[r]. */
function relabelled({ nodes, groups, rankCount }: RandomRun, to: readonly number[]): RandomRun {
  const renamed = (attr: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(attr).map(([name, value]) => [
        name,
        ['comm_src', 'comm_dst', 'root'].includes(name)
          ? Object.fromEntries(Object.entries(value).map(([arm, rank]) => [arm, to[Number(rank)]]))
          : value,
      ]),
    );
  const lists: NodeObject[][] = [];
  for (const [rank, list] of nodes.entries()) {
    lists[to[rank]] = list.map((node) => ({ ...node, ...(node.attr && { attr: renamed(node.attr) }) }));
  }
  const members = Object.entries(groups).map(([name, ranks]) => [name, ranks.map((rank) => to[rank])] as const);
  return {
    rankCount,
    nodes: lists,
    groups: Object.fromEntries(members),
  };
}

/** Times and counts by the names that `to` gives the ranks. */
function byRank(outcome: ReplayOutcome, to: readonly number[]): unknown {
  const facts = everythingOf(outcome) as { nodes: unknown[] };
  const inOrder = <T>(list: readonly T[]): T[] => to.map((_, rank) => list[to.indexOf(rank)]);
  return {
    status: outcome.status,
    endPs: outcome.endPs,
    ranks: inOrder(outcome.ranks).map((rank) => ({ ...rank, rank: 0 })),
    nodes: inOrder(facts.nodes),
    collectives: outcome.collectives,
  };
}

test('law: rank r on server p(r) of a ring is the job whose rank p(r) does what r did', () => {
  fc.assert(
    fc.property(randomRun(false), scaleUpGroups, keys, stopPs, (run, drawn, order, stop) => {
      const to = permutation(order, run.rankCount);
      const spec = ringOf(run.rankCount);
      const options = { stopPs: stop, recordTransfers: true };
      const placed = replay(expanded(run, true), {
        ...options,
        network: scaleUpRouted(
          analyticalUnaware(spec, { servers: Int32Array.from(to) }),
          fabricOf(drawn, run.rankCount),
        ),
      });
      const moved = <T>(list: readonly T[]): T[] => to.map((_, rank) => list[to.indexOf(rank)]);
      const groups = { ...drawn, groupOf: moved(drawn.groupOf), subgroupOf: moved(drawn.subgroupOf) };
      const renamed = replay(expanded(relabelled(run, to), true), {
        ...options,
        network: routed(spec, groups, run.rankCount),
      });
      const same = Array.from({ length: run.rankCount }, (_, rank) => rank);
      expect(byRank(placed, to)).toEqual(byRank(renamed, same));
    }),
    { numRuns: 60 },
  );
});
