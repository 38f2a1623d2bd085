import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, send } from '../support/jobs.js';
import { alone, endsOf, everyRank, MIB, networkOf, systemOf, systemRun } from '../support/system-runs.js';
import { topologyOf } from '../support/topologies.js';
import type { NodeObject } from '../support/traces.js';

const { allReduce, allGather, reduceScatter, allToAll } = CollectiveType;

/** A message of B bytes takes ⌊500 + 1000.01⌋ ns, its reduction 3 × ⌊33.555⌋. */
const B = 53_688;
const NET = 1500;
const REDUCTION = 99;

/** When the ranks end, which is the same for all, of one collective over one full mesh. */
function endOf(names: string, ranks: number, type: number, bytes: number): number {
  const ends = endsOf({
    nodes: alone(ranks, type, bytes),
    network: networkOf(`FullyConnected ${ranks}`),
    system: systemOf(names),
  });
  expect(new Set(ends).size).toBe(1);
  return ends[0];
}

describe('ring (astra-sim-semantics 8.1)', () => {
  test.each([
    ['reduce-scatter: N − 1 steps, all reduced', reduceScatter, 4 * B, 10 + 3 * (NET + 10 + REDUCTION)],
    ['all-gather: N − 1 steps of all the data', allGather, B, 10 + 3 * (NET + 10)],
    ['all-to-all: N × (N − 1) ÷ 2 steps', allToAll, 4 * B, 10 + 6 * (NET + 10)],
  ])('%s', (_name, type, bytes, expected) => {
    expect(endOf('ring', 4, type, bytes)).toBe(expected);
  });
});

describe('direct (8.2)', () => {
  test.each([
    ['without window: one round', 'direct', 10 + NET + 10],
    ['window 2: each message that comes lets one go', 'direct2', 10 + 2 * (NET + 10)],
    ['window 1', 'direct1', 10 + 4 * (NET + 10)],
    // Three go at once, the fourth when the first has come.
    ['window 3', 'direct3', 10 + 2 * (NET + 10)],
  ])('all-to-all of 5, %s', (_name, names, expected) => {
    expect(endOf(names, 5, allToAll, 5 * B)).toBe(expected);
  });

  test('all-reduce: two rounds with a barrier, the first reduced', () => {
    expect(endOf('direct', 3, allReduce, 3 * B)).toBe(10 + (NET + 10 + REDUCTION) + (NET + 10));
  });

  test('a group relays (N − 1) × P packets before fresh ones come, so that the second round is reduced too', () => {
    const member = collective(1, allReduce, 3 * B, '5');
    const nodes = [[member], [member], [member], [compute(1, 0)]];
    const parts = { nodes, network: networkOf('FullyConnected 4'), groups: { '5': [0, 1, 2] } };
    const end = 10 + 2 * (NET + 10 + REDUCTION);
    expect(endsOf({ ...parts, system: systemOf('direct') })).toEqual([end, end, end, 1]);
  });
});

test('halving-doubling all-gather: doubled sizes, half the distance (8.3)', () => {
  // B, 2 B and 4 B: ⌊500 + 1000.01⌋, ⌊500 + 2000.03⌋, ⌊500 + 4000.06⌋.
  expect(endOf('halvingDoubling', 8, allGather, B)).toBe(10 + 1500 + 10 + 2500 + 10 + 4500 + 10);
});

test('oneRing: all ranks in order, timed over the network as it is (5.5)', () => {
  // 0 → 1, 1 → 2, 2 → 3 and 3 → 0 all differ in the first coordinate, which alone is paid for: example A.
  const network = topologyOf(['Ring', 2, 50, 500], ['Ring', 2, 1, 9000]);
  const ends = endsOf({ nodes: alone(4, allReduce, MIB), network, system: systemOf('oneRing ring') });
  expect(ends).toEqual(Array(4).fill(33_829));
});

test('trees stand for reduce-scatter and all-gather, and alternate within a chunk (5.3, 8.4)', () => {
  // The first tree is example D: 86069, 66028, 86069, 44022. All-reduce of 1 MiB in pairs: 524288 B take 10265, reduction 981:
  // 10 + (10265 + 10 + 981) + (10265 + 10) = 21541 more: 107610, 87569, 107610, 65563.
  // The second has root 0, inner 2, leaves 1 and 3. Both leaves' messages are at 2 by 107610; 0 has it at
  // 107610 + 10 + 1965 + 20031 and is done 1975 later, at 131591; 2 is done at 131591 + 20031 + 1975, the leaves 20041 after that.
  const network = networkOf('FullyConnected 4', 'FullyConnected 2');
  const system = systemOf('doubleBinaryTree ring');
  const four = [131_591, 173_638, 153_597, 173_638];
  expect(endsOf({ nodes: alone(8, allReduce, MIB), network, system })).toEqual([...four, ...four]);
});

describe('queues of a dimension (section 6)', () => {
  test('reduce-scatter takes the first half, all-gather the second: chunks pass each other there', () => {
    // Two queues of one chunk each; three chunks of 1 MiB. Reduce-scatter 17653 and all-gather 16186 in the ring (example E),
    // all-reduce of 256 KiB in the pair: 131072 B take 2941, reduction 243: 10 + (2941 + 10 + 243) + (2941 + 10) = 6155.
    // Chunk 3 begins at 2 × 17653; the all-gathers never wait for it.
    const parts = {
      nodes: alone(8, allReduce, 3 * MIB),
      network: networkOf('Ring 4', 'FullyConnected 2'),
      system: systemOf('ring ring', { datasetSplits: 3, activeChunksPerDimension: 2 }),
      options: { queuesPerDimension: 2 },
    };
    expect(endsOf(parts)).toEqual(Array(8).fill(3 * 17_653 + 6155 + 16_186));
  });

  /**
   * Planes of 8 ranks beside each other; those of the first run an all-reduce over ring and pair. Rank 1, of the second plane and
   * without part in it, sends 1 MiB to the first plane: over to rank 0 and then one hop along its ring, from 23031 to 42562.
   */
  function endBeside(destination: number): number {
    const all = collective(1, allReduce, MIB, '');
    const member: NodeObject = { ...all, attr: { ...all.attr, involved_dim: { bool_list: [false, true, true] } } };
    const nodes = everyRank(16, compute(1, 0)).map((idle, rank) => (rank % 2 === 0 ? [member] : idle));
    // 3000 + ⌊500 + 19531.25⌋ = 23031.
    nodes[1] = [compute(1, 3), send(2, destination, MIB, 0, [1])];
    const network = networkOf('FullyConnected 2', 'Ring 4', 'FullyConnected 2');
    const run = systemRun({ nodes, network, system: systemOf('ring ring ring'), backend: 'aware' });
    const { collectives } = simulateSystem(run);
    return collectives[0].endNs;
  }

  test('all-gather phases run the ring anticlockwise: a message clockwise is not in their way', () => {
    // The all-gather begins at 17653 + 6155 and takes 16186.
    expect(endBeside(2)).toBe(17_653 + 6155 + 16_186);
  });

  test('… and one anticlockwise is', () => {
    // Rank 0's first message starts at 42562 and is at its neighbour at 47944; two more hops: + 10 + 5382, + 10 + 5382, + 10.
    expect(endBeside(6)).toBe(47_944 + 2 * (10 + 5382) + 10);
  });
});
