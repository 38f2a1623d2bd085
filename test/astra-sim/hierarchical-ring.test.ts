import fc from 'fast-check';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import {
  endsOf,
  extended,
  extendedSystem,
  ofOneCollective,
  rings,
  worldCollective,
} from '../support/extension-runs.js';
import { implementation, systemRun } from '../support/system-runs.js';

/**
 * An all-reduce by hierarchical ring is one by ring in each dimension after the other, with all the data M: T = Σ T_d,
 * T_d = 2(N − 1)α + 2(N − 1)/N × M/β.
 */
const ONLY_HIERARCHICAL = { extensions: extended({ hierarchicalRing: new Set(['allReduce']) }), implementations: {} };

const { allReduce, allGather, reduceScatter, allToAll } = CollectiveType;

describe('one chunk', () => {
  test.each([
    ['6 × 50 + 6/4 × 4000', rings([4, 50, 1]), 4000, 6300],
    ['the same at 4 B/ns: 6 × 50 + 6/4 × 1000', rings([4, 50, 4]), 4000, 1800],
    ['(6 × 50 + 6/4 × 4000) + (2 × 300 + 8000)', rings([4, 50, 2], [2, 300, 1]), 8000, 6300 + 8600],
    [
      '(2 × 10 + 12000) + (4 × 20 + 4/3 × 6000) + (6 × 30 + 6/4 × 3000)',
      rings([2, 10, 1], [3, 20, 2], [4, 30, 4]),
      12_000,
      12_020 + 8080 + 4680,
    ],
  ])('T = %s', (_formula, network, bytes, expected) => {
    const system = extendedSystem(network.dimensions.length, ONLY_HIERARCHICAL);
    const outcome = ofOneCollective(network, system, allReduce, bytes);
    expect([outcome.status, outcome.endNs]).toEqual(['finished', expected]);
    expect(outcome.ranks.map(({ endNs }) => endNs)).toEqual(outcome.ranks.map(() => expected));
    expect(outcome.collectives[0].algorithm).toBe('hierarchicalRing');
    // One message at a time on every link: links that are waited for change nothing.
    expect(ofOneCollective(network, system, allReduce, bytes, 'aware').endNs).toBe(expected);
  });

  test('is what ring in every dimension is with baseline, whatever the optimization says', () => {
    const network = rings([4, 50, 2], [2, 300, 1]);
    for (const collectiveOptimization of ['baseline', 'localBWAware'] as const) {
      const system = extendedSystem(2, { ...ONLY_HIERARCHICAL, collectiveOptimization });
      expect(ofOneCollective(network, system, allReduce, 8000).endNs).toBe(14_900);
    }
    expect(ofOneCollective(network, extendedSystem(2), allReduce, 8000).endNs).toBe(14_900);
    // Scattered over 4 ranks of 2 B/ns, 2000 B over 2 ranks of 1 B/ns, gathered: 2 × 3 × (50 + 1000) + 2 × (300 + 1000).
    const aware = extendedSystem(2, { collectiveOptimization: 'localBWAware' });
    expect(ofOneCollective(network, aware, allReduce, 8000).endNs).toBe(8900);
  });

  test('with sizes that do not divide each message is cut to whole bytes and ns, and so at most 1 + 1/β ns shorter', () => {
    const dimension = fc.tuple(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 0, max: 90 }),
      fc.constantFrom(1, 2, 0.7, 3.3),
    );
    const dimensions = fc.array(dimension, { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(dimensions, fc.integer({ min: 100, max: 1_000_000 }), (drawn, bytes) => {
        const system = extendedSystem(drawn.length, ONLY_HIERARCHICAL);
        const { endNs } = ofOneCollective(rings(...drawn), system, allReduce, bytes);
        let formula = 0;
        let bound = 1e-6;
        for (const [n, latency, bandwidth] of drawn) {
          formula += 2 * (n - 1) * latency + ((2 * (n - 1)) / n) * (bytes / bandwidth);
          bound += 2 * (n - 1) * (1 + 1 / bandwidth);
        }
        expect(formula - endNs).toBeGreaterThanOrEqual(-1e-6);
        expect(formula - endNs).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 200 },
    );
  });
});

describe('K chunks', () => {
  const one = rings([4, 50, 1]);
  const two = rings([4, 50, 2], [2, 300, 1]);
  // A chunk of 8000 B takes 6300 in the first dimension and 8600 in the second.
  test.each([
    ['one dimension, one at a time: K × 2(N − 1)α + 2(N − 1)/N × M/β', one, 5, 1, 20_000, 5 * 300 + 30_000],
    ['one dimension, all at once: 2(N − 1)α + 2(N − 1)/N × M/(Kβ)', one, 5, 5, 20_000, 300 + 6000],
    ['two dimensions, one at a time: T_0 + T_1 + (K − 1) × the longer', two, 4, 1, 32_000, 14_900 + 3 * 8600],
    ['two dimensions, all at once: T_0 + T_1', two, 4, 4, 32_000, 14_900],
  ])('%s', (_name, network, datasetSplits, activeChunksPerDimension, bytes, expected) => {
    const system = extendedSystem(network.dimensions.length, {
      ...ONLY_HIERARCHICAL,
      datasetSplits,
      activeChunksPerDimension,
    });
    expect(ofOneCollective(network, system, allReduce, bytes).endNs).toBe(expected);
  });
});

describe('other collectives, one dimension after the other', () => {
  const network = rings([4, 50, 2], [2, 300, 1]);
  const extensions = extended({ hierarchicalRing: new Set(['allGather', 'reduceScatter', 'allToAll']) });
  test.each([
    ['reduce-scatter: 3 × (50 + 1000), then 2000 B: 300 + 1000', reduceScatter, 8000, 4450],
    ['all-gather: 300 + 1000, then 2000 B each: 3 × (50 + 1000)', allGather, 1000, 4450],
    ['all-to-all: 6 messages of 2000 B, then one of 4000 B', allToAll, 8000, 6 * 1050 + 4300],
  ])('%s', (_name, type, bytes, expected) => {
    const system = extendedSystem(2, { extensions, implementations: {} });
    expect(ofOneCollective(network, system, type, bytes).endNs).toBe(expected);
  });
});

test('in a group it is a ring, with the 10 ns of each hand-over that groups have', () => {
  const network = rings([4, 50, 2], [2, 300, 1]);
  const nodes = [worldCollective(1, 4000, { group: '1' })];
  const member = new Set([0, 1, 2, 3]);
  const ranks = Array.from({ length: 8 }, (_, rank) =>
    member.has(rank) ? nodes : [{ id: 9, type: 'COMP_NODE', duration_micros: 1 }],
  );
  const system = extendedSystem(2, ONLY_HIERARCHICAL);
  const outcome = simulateSystem(systemRun({ nodes: ranks, network, system, groups: { 1: [0, 1, 2, 3] } }));
  // 10 + 6 × (50 + 500 + 10).
  expect(endsOf(outcome, '1')).toEqual([3370]);
  expect(outcome.collectives[0].algorithm).toBe('ring');
});

test('a collective that does not name it keeps its own list', () => {
  const network = rings([4, 50, 1]);
  const system = extendedSystem(1, { ...ONLY_HIERARCHICAL, implementations: { allGather: [implementation('ring')] } });
  expect(ofOneCollective(network, system, allGather, 1000).collectives[0].algorithm).toBe('ring');
  expect(() => ofOneCollective(network, system, allToAll, 1000)).toThrow(
    'system.json has no all-to-all-implementation',
  );
});
