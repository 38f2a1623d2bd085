import type { NodePlace } from '../../src/astra-sim/node-place.js';
import { PlanCatalogue } from '../../src/astra-sim/plan-catalogue.js';
import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, receive, send } from '../support/jobs.js';
import { alone, endsOf, everyRank, MIB, networkOf, systemOf, systemRun } from '../support/system-runs.js';
import { topologyOf } from '../support/topologies.js';

/** What must not grow with the square of a cluster, and numbers that are larger than anything real. */

const { allReduce } = CollectiveType;

function whereFirst(): NodePlace {
  return { rank: 0, id: 1, name: '', type: 'COMM_COLL_NODE', short: '1', label: 'rank 0 node 1' };
}

test('collectives of a group share its members, whatever their sizes', () => {
  const sizes = [MIB, 2 * MIB, 3 * MIB];
  const nodes = sizes.map((bytes, place) => collective(place + 1, allReduce, bytes, '1'));
  const run = systemRun({ nodes: [nodes, nodes, [], []], network: networkOf('Ring 4'), groups: { '1': [0, 1] } });
  const catalogue = new PlanCatalogue(run);
  for (const [place, bytes] of sizes.entries()) {
    const what = { type: allReduce, bytes, group: '1', involved: undefined, id: BigInt(place + 1) };
    catalogue.numberOf({ ...what, place: whereFirst }, 0);
  }
  expect(catalogue.plans).toHaveLength(3);
  expect(new Set(catalogue.plans.map(({ orders: [[phase]] }) => phase.members)).size).toBe(1);
});

test('as many queues as may be asked for, most of which no chunk comes to', () => {
  // Example A of section 17 with four chunks at once: each has a queue of its own, clockwise.
  const options = { queuesPerDimension: 1024 };
  const system = systemOf('ring', { datasetSplits: 4, activeChunksPerDimension: 4 });
  const parts = { nodes: alone(4, allReduce, MIB), network: networkOf('Ring 4'), system, options };
  expect(endsOf(parts)).toEqual(Array(4).fill(10_750));
});

describe('times beyond 2^53 ns, from which on they are not exact, end the run there', () => {
  const crawling = topologyOf(['Ring', 4, Number.MIN_VALUE, 500]);

  test.each(['unaware', 'aware'] as const)('a message that takes for ever, %s', (backend) => {
    for (const everyRank of [true, false]) {
      const parts = { nodes: alone(4, allReduce, MIB), network: crawling, backend, options: { everyRank } };
      const { status, endNs, stall } = simulateSystem(systemRun(parts));
      expect([status, endNs]).toEqual(['limit', 0]);
      expect(stall!.reasons.map(({ code }) => code)).toEqual(['stop-reached']);
    }
  });

  test('a reduction, and a compute node by roofline', () => {
    const system = systemOf('ring', { localMemoryGBps: 1e-305, roofline: true, peakTflops: 1 });
    const operations = { num_ops: { int64_val: 1 }, tensor_size: { int64_val: MIB } };
    const node = { id: 1, name: 'compute', type: 'COMP_NODE', attr: operations };
    for (const nodes of [alone(4, allReduce, MIB), everyRank(4, node)]) {
      const { status, ranks } = simulateSystem(systemRun({ nodes, network: networkOf('Ring 4'), system }));
      expect(status).toBe('limit');
      for (const { exposedCommunicationNs } of ranks) expect(Number.isFinite(exposedCommunicationNs)).toBe(true);
    }
  });

  test('compute nodes one after the other, the second of which would end beyond', () => {
    const long = Math.ceil(2 ** 52 / 1000);
    const nodes = everyRank(2, compute(1, long), compute(2, long, [1]), compute(3, 1, [2]));
    const { status, ranks } = simulateSystem(systemRun({ nodes, network: networkOf('Switch 2') }));
    expect(status).toBe('limit');
    expect(ranks.map(({ nodesFinished }) => nodesFinished)).toEqual([1, 1]);
  });
});

test('a receive is told of the message that came instead among many: of its tag first, else the first from the rank', () => {
  const sends = Array.from({ length: 100 }, (_, place) => send(place + 1, 0, 32, 10 + place));
  const others = Array.from({ length: 100 }, (_, place) => send(place + 1, 0, 16, 10 + place));
  const nodes = [[receive(1, 1, 64, 57), receive(2, 2, 64, 7)], sends, others];
  const { stall } = simulateSystem(systemRun({ nodes, network: networkOf('Switch 3') }));
  expect(stall!.reasons.map(({ code, count }) => `${code} ${count}`)).toEqual([
    'unmatched-receive 1',
    'size-mismatch 1',
  ]);
  expect(stall!.ranks[0].nodes.map(({ text }) => text.split('; ')[1])).toEqual([
    'it sent 32 bytes with that tag, which nobody received',
    'it sent 16 bytes with tag 10, which nobody received',
  ]);
});

test('many collectives in flight under extensions: each message finds its own', () => {
  // Section 17 A: alone each takes 33,829 ns, and without congestion all do.
  const nodes = Array.from({ length: 40 }, (_, place) => collective(place + 1, allReduce, MIB, ''));
  const system = systemOf('ring', {
    activeChunksPerDimension: 40,
    extensions: { interDimensionScheduling: 'ascending', hierarchicalRing: new Set() },
  });
  expect(endsOf({ nodes: everyRank(4, ...nodes), network: networkOf('Ring 4'), system })).toEqual(
    Array(4).fill(33_829),
  );
});

test('chunks that wait take no receives of `direct` with them, and get theirs when they run', () => {
  // Section 17 B, unaware: 12,283 ns a chunk of 1 MiB, one after the other.
  const system = systemOf('direct', { datasetSplits: 20 });
  const parts = { nodes: alone(4, allReduce, 20 * MIB), network: networkOf('Switch 4'), system };
  expect(endsOf(parts)).toEqual(Array(4).fill(20 * 12_283));
});
