import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemConfiguration } from '../../src/astra-sim/system-configuration.js';
import { endsOf, extendedSystem, rings, worldCollective } from '../support/extension-runs.js';
import { compute } from '../support/jobs.js';
import { systemRun } from '../support/system-runs.js';
import type { NodeObject } from '../support/traces.js';

/** Two ranks, 10 ns and 1 B/ns: an all-reduce of M bytes is two messages of M/2, so a chunk of S takes 20 + S. */
const PAIR = rings([2, 10, 1]);

/** Ends of the collectives of a pair of ranks. */
function ends(
  told: Partial<SystemConfiguration>,
  ranks: readonly (readonly NodeObject[])[],
  backend: 'unaware' | 'aware' = 'unaware',
): number[] {
  const outcome = simulateSystem(systemRun({ nodes: ranks, network: PAIR, system: extendedSystem(1, told), backend }));
  expect(outcome.status).toBe('finished');
  return endsOf(outcome);
}

/** Both ranks do the same. */
const alike = (...nodes: NodeObject[]): NodeObject[][] => [nodes, nodes];

describe.each(['unaware', 'aware'] as const)('%s: two collectives ready at 0, two chunks each', (backend) => {
  /** Of 520 ns and 1020 ns a chunk. */
  const two = (first?: number, second?: number): NodeObject[][] =>
    alike(
      worldCollective(1, 1000, first === undefined ? {} : { priority: first }),
      worldCollective(2, 2000, second === undefined ? {} : { priority: second }),
    );
  const FIRST_FIRST = [2 * 520, 2 * 520 + 2 * 1020];
  // A chunk that runs is not overtaken, so the first chunk of the first goes before all.
  const SECOND_OVERTAKES = [520 + 2 * 1020 + 520, 520 + 2 * 1020];

  test.each([
    ['FIFO', undefined, undefined, FIRST_FIRST],
    ['LIFO', undefined, undefined, SECOND_OVERTAKES],
    ['EXPLICIT', 1, 5, SECOND_OVERTAKES],
    ['EXPLICIT', 5, 1, FIRST_FIRST],
    ['EXPLICIT', 3, 3, FIRST_FIRST],
    ['EXPLICIT', -4, -3, SECOND_OVERTAKES],
    ['EXPLICIT', undefined, 1, SECOND_OVERTAKES],
    ['EXPLICIT', undefined, -1, FIRST_FIRST],
    // Only EXPLICIT looks at it.
    ['FIFO', 1, 5, FIRST_FIRST],
    ['LIFO', 5, 1, SECOND_OVERTAKES],
  ] as const)('%s with comm_priority %p and %p', (schedulingPolicy, first, second, expected) => {
    expect(ends({ schedulingPolicy, datasetSplits: 2 }, two(first, second), backend)).toEqual(expected);
  });

  test.each(['FIFO', 'LIFO', 'EXPLICIT'] as const)(
    '%s without the extensions: one after the other',
    (schedulingPolicy) => {
      const { extensions, ...plain } = extendedSystem(1, { schedulingPolicy, datasetSplits: 2, endpointDelayNs: 1 });
      expect(extensions).toBeDefined();
      const outcome = simulateSystem(systemRun({ nodes: two(1, 5), network: PAIR, system: plain, backend }));
      // The program stops at an endpoint delay of 0: each chunk has three more ns of hand-overs.
      expect(endsOf(outcome)).toEqual([2 * 523, 2 * 523 + 2 * 1023]);
    },
  );
});

describe('several collectives, one chunk each, of 1020, 2020 and 3020 ns', () => {
  const three = (...priorities: number[]): NodeObject[][] =>
    alike(...priorities.map((priority, place) => worldCollective(place + 1, (place + 1) * 1000, { priority })));
  test.each([
    ['FIFO', [1020, 3040, 6060]],
    ['LIFO', [1020, 6060, 4040]],
    ['EXPLICIT', [1020, 6060, 4040]],
  ] as const)('%s: the first runs at once, the others by the policy', (schedulingPolicy, expected) => {
    expect(ends({ schedulingPolicy }, three(0, 7, 8))).toEqual(expected);
  });

  test('with all chunks active nothing waits, and they overlap', () => {
    expect(ends({ activeChunksPerDimension: 3 }, three(0, 0, 0))).toEqual([1020, 2020, 3020]);
  });

  test('two at a time', () => {
    expect(ends({ activeChunksPerDimension: 2, schedulingPolicy: 'LIFO' }, three(0, 0, 0))).toEqual([1020, 2020, 4040]);
  });
});

describe('collectives that become ready later', () => {
  test('overtake what waits, not what runs', () => {
    // At 1 µs the first chunk of 2020 ns of the first collective runs, and its second waits.
    const nodes = [worldCollective(1, 4000), compute(2, 1), worldCollective(3, 500, { after: [2] })];
    expect(ends({ schedulingPolicy: 'LIFO', datasetSplits: 2 }, alike(...nodes))).toEqual([
      2020 + 2 * 270 + 2020,
      2020 + 2 * 270,
    ]);
    expect(ends({ schedulingPolicy: 'FIFO', datasetSplits: 2 }, alike(...nodes))).toEqual([4040, 4040 + 2 * 270]);
  });

  test('a collective takes no place in a queue before both ranks have reached it', () => {
    // Rank 1 reaches the first at 5 µs; the second goes from 0 to 2020 meanwhile.
    const ranks = [
      [worldCollective(2, 1000), worldCollective(3, 2000)],
      [compute(1, 5), worldCollective(2, 1000, { after: [1] }), worldCollective(3, 2000)],
    ];
    expect(ends({}, ranks)).toEqual([6020, 2020]);
  });

  test('ranks that reach them in opposite orders pair them by their ids', () => {
    // Both have reached the second at 3 µs and the first at 4 µs.
    const ranks = [
      [compute(1, 3), worldCollective(2, 1000), worldCollective(3, 2000, { after: [1] })],
      [compute(1, 4), worldCollective(2, 1000, { after: [1] }), worldCollective(3, 2000)],
    ];
    expect(ends({}, ranks)).toEqual([3000 + 2020 + 1020, 3000 + 2020]);
  });
});

test('the rank that starts a chunk first decides for all', () => {
  // Ring of four, 10 ns, 1 B/ns. Ranks 0 and 1 are busy with their group until 10 + 2 × (10 + 500 + 10) = 1050. Ranks 2 and 3 start the
  // first world collective at 0. At 1 µs the second comes, with the larger priority; ranks 0 and 1 may not put it before the first, of
  // which the others wait for their messages.
  const network = rings([4, 10, 1]);
  const world = [
    worldCollective(2, 4000, { priority: 1 }),
    compute(3, 1),
    worldCollective(4, 4000, { priority: 9, after: [3] }),
  ];
  const group = [worldCollective(1, 1000, { group: '1', priority: 5 }), ...world];
  const system = extendedSystem(1, { schedulingPolicy: 'EXPLICIT' });
  const nodes = [group, group, world, world];
  const outcome = simulateSystem(systemRun({ nodes, network, system, groups: { 1: [0, 1] } }));
  expect(endsOf(outcome, '1')).toEqual([1050]);
  // A rank ends when its own six messages, each 1010 after the one before it, and those of the ranks before it have come:
  // at the largest of start of the rank m places before it + m × 1010, m = 0 to 6. Starts 1050, 1050, 0, 0 give ends 6060, 6100, 7110, 7110,
  // and these, as starts of the second, 13170, 13170, 12120, 12160.
  expect(endsOf(outcome)).toEqual([7110, 13_170]);
  expect(outcome.ranks.map(({ endNs }) => endNs)).toEqual([13_170, 13_170, 12_120, 12_160]);
});

test('a comm_priority beyond 32 bits is refused where it counts', () => {
  const nodes = worldCollective(1, 1000);
  const large = { ...nodes, attr: { ...nodes.attr, comm_priority: { int64_val: 2 ** 31 } } };
  expect(() => ends({ schedulingPolicy: 'EXPLICIT' }, alike(large))).toThrow(
    'rank 0 node 1: comm_priority 2147483648; expected -2147483647 to 2147483647',
  );
  expect(ends({ schedulingPolicy: 'FIFO' }, alike(large))).toEqual([1020]);
});

test('a collective that a rank never reaches: who waits, and for whom', () => {
  // The other collective of rank 0, of a group that the rest of its members reach, is through.
  const network = rings([4, 10, 1]);
  const waits = worldCollective(1, 4000);
  const pair = worldCollective(2, 1000, { group: '1' });
  const nodes = [[waits, pair], [waits, pair], [waits], [compute(7, 1)]];
  const run = systemRun({ nodes, network, system: extendedSystem(1), groups: { 1: [0, 1] } });
  const outcome = simulateSystem(run);
  expect([outcome.status, endsOf(outcome, '1')]).toEqual(['stalled', [1050]]);
  expect(outcome.stall?.reasons.map(({ code, count }) => [code, count])).toEqual([['missing-participant', 3]]);
  expect(outcome.stall?.ranks[0].nodes.map(({ text }) => text)).toEqual([
    'node 1 waits in AllReduce 0 over all ranks (4,000 bytes, ring); rank 3 has not begun it',
  ]);
});
