import fc from 'fast-check';
import { algorithmNames, ALGORITHMS, type AlgorithmChoices } from '../../src/collectives/catalogue.js';
import { pairCollectives, planCollectives } from '../../src/collectives/build-plan.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import { surveyRank } from '../../src/passes/preparation-plan.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { collective, groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf, type NodeObject } from '../support/traces.js';
import { job } from './random-traceset.js';

const ALPHA_BETA = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 0.75 });

/** A ring whose pairs differ in distance. */
function ring(ranks: number): NetworkFactory {
  if (ranks < 2) return ALPHA_BETA;
  const dimension = {
    topology: 'Ring',
    npus: ranks,
    bandwidthGiBPerSecond: 1.3,
    latencyPs: 333_000,
    latencyNs: 333,
  } as const;
  return analyticalUnaware({ kind: 'analytical', dimensions: [dimension] });
}

interface Variant {
  readonly algorithms: AlgorithmChoices;
  readonly sync: boolean;
  readonly serialize: boolean;
  readonly options: Omit<ReplayOptions, 'plan' | 'sync'>;
}

/** The same job replayed lazily, and after expansion. */
function both(traces: readonly RankTrace[], groups: Record<string, number[]>, variant: Variant): ReplayOutcome[] {
  const { algorithms, sync, serialize, options } = variant;
  const named = groupsOf(groups);
  const raw = prepareAll(traces, { groups: named, serialize }).traces;
  const plan = planCollectives(raw.map(surveyRank), named, algorithms);
  const lazy = replay(raw, { ...options, plan, sync });
  const expanded = prepareAll(traces, { groups: named, algorithms, serialize, sync, expand: true }).traces;
  return [lazy, replay(expanded, options)];
}

/** What the ranks did, apart from their numbers of nodes. */
function numbersOf(outcome: ReplayOutcome): unknown {
  return outcome.ranks.map((rank) => ({ ...rank, nodes: 0, nodesFinished: 0 }));
}

/** Everything about a run that does not depend on how many nodes its collectives have. */
function facts(outcome: ReplayOutcome): unknown {
  const log = outcome.transferLog!;
  return {
    status: outcome.status,
    endPs: outcome.endPs,
    transfers: outcome.transfers,
    bytes: outcome.bytes,
    ranks: numbersOf(outcome),
    collectives: outcome.collectives,
    rowsInAll: log.length,
    rows: Array.from(log.acknowledgedRows(outcome.stopPs), (row) => [
      log.sender[row],
      log.receiver[row],
      outcome.idOfPlace(log.sender[row], log.sendPlace[row]),
      log.bytes[row],
      log.tag[row],
      log.start[row],
      log.sent[row],
      log.received[row],
      log.acknowledged[row],
      log.collective[row],
      log.addedSync[row],
    ]),
  };
}

const choices: fc.Arbitrary<AlgorithmChoices> = fc.record(
  Object.fromEntries(
    COLLECTIVE_NAMES.map(({ option }, type) => [
      option,
      // Groups of the random jobs have any size; algorithms for powers of two have cases of their own below.
      fc.constantFrom(...algorithmNames(type).filter((name) => !name.includes('halving'))),
    ]),
  ),
);

describe('law: lazy replay is expansion and then replay', () => {
  test('on random jobs, with and without barriers, chains and a limit', () => {
    const variant = fc.record({
      algorithms: choices,
      sync: fc.boolean(),
      serialize: fc.boolean(),
      stopPs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 30_000_000 })),
      useMaxAsStart: fc.boolean(),
      alphaBeta: fc.boolean(),
    });
    fc.assert(
      fc.property(
        job,
        variant,
        ({ traces, groups, rankCount }, { algorithms, sync, serialize, alphaBeta, ...rest }) => {
          const network = alphaBeta ? ALPHA_BETA : ring(rankCount);
          const options = { network, recordTransfers: true, ...rest };
          const [lazy, expanded] = both(traces, groups, { algorithms, sync, serialize, options });
          expect(facts(lazy)).toEqual(facts(expanded));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a raw job whose barriers are in its traces already', () => {
    fc.assert(
      fc.property(job, choices, ({ traces, groups }, algorithms) => {
        const named = groupsOf(groups);
        const options = { network: ALPHA_BETA, recordTransfers: true };
        const synced = prepareAll(traces, { groups: named, sync: true }).traces;
        const plan = planCollectives(synced.map(surveyRank), named, algorithms);
        const lazy = replay(synced, { ...options, plan });
        const expanded = replay(prepareAll(synced, { groups: named, algorithms, expand: true }).traces, options);
        expect(facts(lazy)).toEqual(facts(expanded));
        // Tags and ids follow the order of the passes; times and counts do not.
        const [atOnce] = both(traces, groups, { algorithms, sync: true, serialize: false, options });
        expect(lazy.collectives).toEqual(atOnce.collectives);
        expect(numbersOf(lazy)).toEqual(numbersOf(atOnce));
      }),
      { numRuns: 60 },
    );
  });

  test('a plan that also holds expanded collectives changes nothing for them', () => {
    fc.assert(
      fc.property(job, fc.boolean(), ({ traces, groups }, sync) => {
        const named = groupsOf(groups);
        const expanded = prepareAll(traces, { groups: named, sync, expand: true }).traces;
        const plan = pairCollectives(expanded.map(surveyRank), named, {});
        const options = { network: ALPHA_BETA, recordTransfers: true };
        expect(facts(replay(expanded, { ...options, plan, sync }))).toEqual(facts(replay(expanded, options)));
      }),
      { numRuns: 30 },
    );
  });

  const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const cases = ALGORITHMS.flatMap((algorithms, type) =>
    algorithms.map((algorithm) => [COLLECTIVE_NAMES[type].option, algorithm.name, type, algorithm.powerOfTwo] as const),
  );

  test.each(cases)('%s %s, groups of 1 to 9 that enter at different times', (option, name, type, powerOfTwo) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sizes.filter((size) => !powerOfTwo || (size & (size - 1)) === 0)),
        fc.array(fc.nat(12), { minLength: 9, maxLength: 9 }),
        fc.nat(5000),
        fc.nat(8),
        fc.boolean(),
        fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 40_000_000 })),
        fc.boolean(),
        (size, delays, bytes, root, sync, stopPs, alsoWithoutRows) => {
          const ranks = Array.from({ length: size }, (_, rank) => rank);
          const traces = ranks.map((rank) =>
            traceOf(
              [
                { id: 1, type: 'COMP_NODE', duration_micros: delays[rank] },
                collective(2, { type, size: bytes, group: 'g', root: root % size }, { data_deps: [1] }),
                { id: 3, type: 'COMP_NODE', duration_micros: 2, data_deps: [2] },
              ],
              rank,
            ),
          );
          const variant = { algorithms: { [option]: name }, sync, serialize: false };
          const options = { network: ring(size), stopPs, recordTransfers: true };
          const [lazy, expanded] = both(traces, { g: ranks }, { ...variant, options });
          expect(facts(lazy)).toEqual(facts(expanded));
          if (!alsoWithoutRows) return;
          // Without rows, a lockstep exchange is counted as a whole.
          const plan = planCollectives(traces.map(surveyRank), groupsOf({ g: ranks }), variant.algorithms);
          const counted = replay(traces, { ...options, recordTransfers: false, plan, sync });
          expect(facts({ ...counted, transferLog: lazy.transferLog })).toEqual(facts(lazy));
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each(cases)('%s %s, a member that never comes', (option, name, type, powerOfTwo) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...[2, 3, 4, 7, 8].filter((size) => !powerOfTwo || (size & (size - 1)) === 0)),
        fc.nat(7),
        fc.array(fc.nat(12), { minLength: 8, maxLength: 8 }),
        fc.nat(7),
        fc.boolean(),
        (size, absent, delays, root, sync) => {
          const ranks = Array.from({ length: size }, (_, rank) => rank);
          const traces = ranks.map((rank) => {
            const nodes: NodeObject[] = [
              { id: 1, type: 'COMP_NODE', duration_micros: delays[rank] },
              collective(2, { type, size: 1000, group: 'g', root: root % size }, { data_deps: [1] }),
            ];
            // Nodes 1 and 3 wait for each other.
            if (rank === absent % size) {
              nodes[0].data_deps = [3];
              nodes.push({ id: 3, type: 'COMP_NODE', data_deps: [1] });
            }
            return traceOf(nodes, rank);
          });
          const options = { network: ring(size), recordTransfers: true };
          const variant = { algorithms: { [option]: name }, sync, serialize: false, options };
          const [lazy, expanded] = both(traces, { g: ranks }, variant);
          expect(lazy.status).toBe('stalled');
          expect(facts(lazy)).toEqual(facts(expanded));
        },
      ),
      { numRuns: 20 },
    );
  });
});
