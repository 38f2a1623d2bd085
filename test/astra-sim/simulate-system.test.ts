import { simulateSystem } from '../../src/astra-sim/simulate-system.js';
import type { SystemOutcome } from '../../src/astra-sim/outcome.js';
import { CollectiveType } from '../../src/trace/collective-type.js';
import { collective, compute, memory, receive, send } from '../support/jobs.js';
import {
  alone,
  endsOf,
  everyRank,
  MIB,
  networkOf,
  systemOf,
  systemRun,
  type RunParts,
} from '../support/system-runs.js';
import { topologyOf } from '../support/topologies.js';
import type { NodeObject } from '../support/traces.js';

const { allReduce } = CollectiveType;

/** 50 GiB/s are 53.6870912 B/ns; latency 500 ns, endpoint delay 10 ns, local memory 1600 B/ns. */
const RING_4 = networkOf('Ring 4');
const BACKENDS = [['unaware'], ['aware']] as const;

const outcomeOf = (parts: RunParts): SystemOutcome => simulateSystem(systemRun(parts));

/** The end of all ranks, which is the same. */
function endOf(parts: RunParts): number {
  const ends = new Set(endsOf(parts));
  expect(ends.size).toBe(1);
  return [...ends][0];
}

describe('A: ring all-reduce of 1 MiB, 4 ranks (astra-sim-semantics section 17)', () => {
  const parts = { nodes: alone(4, allReduce, MIB), network: RING_4 };
  const fourChunks = (activeChunksPerDimension: number): RunParts => ({
    ...parts,
    system: systemOf('ring', { datasetSplits: 4, activeChunksPerDimension }),
  });

  test.each(BACKENDS)('one chunk, %s', (backend) => {
    // 262144 B: ⌊500 + 4882.8125⌋ = 5382; 3 × ⌊163.84⌋ = 489. 10 + 6 × (5382 + 10) + 3 × 489.
    expect(endOf({ ...parts, backend })).toBe(33_829);
  });

  test.each(BACKENDS)('four chunks, one at a time, %s', (backend) => {
    // 65536 B: 1720; 3 × ⌊40.96⌋ = 120. 4 × (10 + 6 × 1730 + 3 × 120).
    expect(endOf({ ...fourChunks(1), backend })).toBe(43_000);
  });

  test('four chunks at once', () => {
    expect(endOf(fourChunks(4))).toBe(10_750);
    // Every link carries 24 messages of ⌊1220.70⌋ ns, one after another: 10 + 24 × 1220 + 500 + 10.
    expect(endOf({ ...fourChunks(4), backend: 'aware' })).toBe(29_800);
  });
});

test('B: direct all-reduce of 1 MiB, 4 ranks, a switch', () => {
  const parts = { nodes: alone(4, allReduce, MIB), network: networkOf('Switch 4'), system: systemOf('direct') };
  // ⌊2 × 500 + 4882.8125⌋ = 5882: 10 + (5882 + 10 + 489) + (5882 + 10).
  expect(endOf(parts)).toBe(12_283);
  // Three messages leave at 10, 4892, 9774 and arrive at 10774, 15656, 20538; the second round starts at 20538 + 10 + 489 and takes
  // 20528 + 10.
  expect(endOf({ ...parts, backend: 'aware' })).toBe(41_575);
});

test.each(BACKENDS)('C: halving-doubling all-reduce of 1 MiB, 8 ranks, full mesh, %s', (backend) => {
  // 524288, 262144, 131072 B and back: 10265, 5382, 2941 ns; reductions of 262144 and 131072 B, 489 and 243, none for the third.
  const expected = 10 + (10265 + 10 + 489) + (5382 + 10 + 243) + 2 * (2941 + 10) + (5382 + 10) + (10265 + 10);
  expect(expected).toBe(37_978);
  const nodes = alone(8, allReduce, MIB);
  expect(endOf({ nodes, network: networkOf('FullyConnected 8'), system: systemOf('halvingDoubling'), backend })).toBe(
    expected,
  );
});

test.each(BACKENDS)('D: double binary tree, 1 MiB, 4 ranks, full mesh, %s', (backend) => {
  // Root 3, inner 1, leaves 0 and 2. 1 MiB: 20031; reduction 1965. Leaves at 10, arrive 20041, inner ready 22016, root has it
  // 42047, is done 44022; inner has it back 64053, is done at 64053 + 10 + 1965; leaves get it 86059, done at 86069.
  const network = networkOf('FullyConnected 4');
  expect(endsOf({ nodes: alone(4, allReduce, MIB), network, system: systemOf('doubleBinaryTree'), backend })).toEqual([
    86_069, 66_028, 86_069, 44_022,
  ]);
});

describe('E: all-reduce of 1 MiB on Ring 4 (50 GiB/s, 500 ns) and Switch 2 (25 GiB/s, 1000 ns)', () => {
  const network = topologyOf(['Ring', 4, 50, 500], ['Switch', 2, 25, 1000]);
  const nodes = alone(8, allReduce, MIB);

  test('localBWAware: reduce-scatter, all-reduce of a quarter, all-gather', () => {
    // 10 + 3 × (5382 + 10 + 489); 131072 B at 26.8435456 B/ns: ⌊2000 + 4882.8125⌋, 10 + (6882 + 10 + 243) + (6882 + 10);
    // 10 + 3 × (5382 + 10).
    expect(endOf({ nodes, network, system: systemOf('ring ring') })).toBe(17_653 + 14_037 + 16_186);
  });

  test('baseline: a whole all-reduce in each', () => {
    // Example A; 524288 B: 21531, reduction 981: 10 + (21531 + 10 + 981) + (21531 + 10).
    const system = systemOf('ring ring', { collectiveOptimization: 'baseline' });
    expect(endOf({ nodes, network, system })).toBe(33_829 + 44_073);
  });
});

describe('F: odd sizes', () => {
  const system = systemOf('ring', { datasetSplits: 4 });

  test.each(BACKENDS)('1,000,003 B in four splits are five chunks of 250,000 B, %s', (backend) => {
    // 62500 B: ⌊500 + 1164.15⌋ = 1664; 3 × ⌊39.06⌋ = 117. 5 × (10 + 6 × 1674 + 351).
    const parts = { nodes: alone(4, allReduce, 1_000_003), network: RING_4, system, backend };
    expect(endOf(parts)).toBe(52_025);
    expect(outcomeOf(parts).collectives[0].chunks).toBe(5);
  });

  test.each(BACKENDS)('1 B is inflated to four chunks of 4 B, %s', (backend) => {
    // 4 × (10 + 6 × (500 + 10)).
    expect(endOf({ nodes: alone(4, allReduce, 1), network: RING_4, system, backend })).toBe(12_280);
  });
});

test('G: a memory pool (250 ns, 37 B/ns): load, 50 µs of compute, store', () => {
  const access = (node: NodeObject, bytes: number): NodeObject => ({
    ...node,
    attr: { tensor_size: { int64_val: bytes } },
  });
  const nodes = everyRank(
    4,
    access(memory(1, 0), 10_000_000),
    compute(2, 50, [1]),
    access({ ...memory(3, 0, [2]), type: 'MEM_STORE_NODE' }, 5_000_001),
  );
  const pool = { file: 'memory.json', kind: 'MEMORY_POOL', latencyNs: 250, bytesPerNs: 37, ranksPerNode: 1 } as const;
  // Loads of 270520 one after another until 1082080, then stores of 135385 in the order of arrival.
  const parts = { nodes, network: RING_4, memory: pool };
  expect(endsOf(parts)).toEqual([1_217_465, 1_352_850, 1_488_235, 1_623_620]);
  const { statistics, exposedCommunicationNs } = outcomeOf(parts).ranks[1];
  // Rank 1 loads from 0 to 541040 and stores from 591040 to its end.
  expect(statistics).toEqual({
    wallNs: 1_352_850,
    gpuNs: 50_000,
    remoteMemoryNs: 541_040 + (1_352_850 - 591_040),
    overlapNs: 50_000 - 1_352_850,
  });
  expect(exposedCommunicationNs).toBe(1_302_850);
});

test('H: computes of 100 and 30 µs beside the all-reduce of example A', () => {
  const nodes = everyRank(4, compute(1, 100), compute(2, 30, [1]), collective(3, allReduce, MIB, ''));
  const { ranks, finishOrder, endNs } = outcomeOf({ nodes, network: RING_4 });
  for (const { endNs: end, exposedCommunicationNs, statistics } of ranks) {
    expect([end, exposedCommunicationNs]).toEqual([130_000, 0]);
    expect(statistics).toEqual({ wallNs: 130_000, gpuNs: 130_000, communicationNs: 33_829, overlapNs: 33_829 });
  }
  expect([finishOrder, endNs]).toEqual([[0, 1, 2, 3], 130_000]);
});

describe('what a run tells', () => {
  test('messages and bytes of a rank, of a collective, and of all', () => {
    // Example A: six messages of 262144 B a rank.
    const { ranks, collectives, messages, bytes } = outcomeOf({ nodes: alone(4, allReduce, MIB), network: RING_4 });
    expect(ranks.map(({ messagesSent, messagesReceived }) => [messagesSent, messagesReceived])).toEqual(
      Array(4).fill([6, 6]),
    );
    expect(ranks.map(({ bytesSent, bytesReceived }) => bytesSent + bytesReceived)).toEqual(Array(4).fill(3 * MIB));
    expect([messages, bytes]).toEqual([24, 6 * MIB]);
    expect(collectives).toEqual([
      {
        ...{ group: 'world', type: allReduce, instance: 0, algorithm: 'ring', size: MIB, groupSize: 4, chunks: 1 },
        ...{ startNs: 0, endNs: 33_829, messages: 24, bytes: 6 * MIB },
      },
    ]);
  });

  test('ranks in the order in which they finish', () => {
    const nodes = [[compute(1, 3)], [compute(1, 1)], [compute(1, 2)], [compute(1, 1)]];
    expect(outcomeOf({ nodes, network: RING_4 }).finishOrder).toEqual([1, 3, 2, 0]);
  });

  test('a rank whose receive is never matched stalls, the others finish', () => {
    const nodes = [[compute(1, 3), receive(2, 1, 8, 0, [1])], [compute(1, 1)]];
    const { status, ranks, endNs, finishOrder } = outcomeOf({ nodes, network: networkOf('Ring 2') });
    expect(status).toBe('stalled');
    expect(ranks.map(({ state, endNs: end, nodesFinished }) => [state, end, nodesFinished])).toEqual([
      ['stalled', 3000, 1],
      ['finished', 1000, 1],
    ]);
    expect([endNs, finishOrder]).toEqual([3000, [1]]);
  });
});

describe('replay-only (section 3)', () => {
  test('every node takes its duration, or 1 ns, and waits for its slot', () => {
    const timed = (node: NodeObject, micros: number): NodeObject => ({ ...node, duration_micros: micros });
    const nodes = everyRank(
      4,
      timed(collective(1, CollectiveType.barrier, MIB, ''), 5),
      timed(send(2, 1, 8, 0), 7),
      receive(3, 2, 8, 0),
      { id: 4, type: 'METADATA_NODE' },
      timed({ id: 5, type: 'INVALID_NODE' }, 2),
      compute(6, 20),
    );
    // The communication slot is held for 5000, 7000, 1 and 2000 ns.
    const parts = { nodes, network: RING_4, system: systemOf('ring', { replayOnly: true }) };
    expect(endOf(parts)).toBe(20_000);
    const { messages, ranks, collectives } = outcomeOf(parts);
    expect([messages, collectives]).toEqual([0, []]);
    // Communication: 0 to 12000. All durations count: 5000 + 7000 + 1 + 1 + 2000 + 20000.
    expect(ranks[0].statistics).toEqual({
      wallNs: 20_000,
      gpuNs: 20_000,
      communicationNs: 12_000,
      invalidNs: 2000,
      overlapNs: 12_000,
    });
    expect(ranks[0].exposedCommunicationNs).toBe(20_000 - 34_002);
  });

  test('nodes of a CPU hold its slot, whatever their kind, and are not reckoned with', () => {
    const onCpu = (node: NodeObject, micros: number): NodeObject => ({
      ...node,
      duration_micros: micros,
      attr: { ...node.attr, is_cpu_op: { bool_val: true } },
    });
    const nodes = everyRank(
      4,
      onCpu(compute(1, 0), 3),
      onCpu(receive(2, 1, 8, 0), 4),
      onCpu({ id: 3, type: 'METADATA_NODE' }, 5),
      compute(4, 1),
    );
    const parts = { nodes, network: RING_4, system: systemOf('ring', { replayOnly: true }) };
    expect(endOf(parts)).toBe(12_000);
    expect(outcomeOf(parts).ranks[0].exposedCommunicationNs).toBe(11_000);
  });
});

describe('--until', () => {
  const parts = { nodes: everyRank(4, compute(1, 10), collective(2, allReduce, MIB, '', [1])), network: RING_4 };
  const until = (stopNs: number): SystemOutcome => outcomeOf({ ...parts, options: { stopNs } });

  test('events of that instant still happen', () => {
    expect(until(43_829)).toEqual(outcomeOf(parts));
    expect(until(43_829).status).toBe('finished');
  });

  test('one ns before, ranks run, and their ends are those of their last nodes', () => {
    const { status, ranks, endNs, collectives, finishOrder } = until(43_828);
    expect([status, endNs, finishOrder]).toEqual(['limit', 10_000, []]);
    expect(ranks.map(({ state, endNs: end, nodesFinished }) => [state, end, nodesFinished])).toEqual(
      Array(4).fill(['running', 10_000, 1]),
    );
    // All messages have been sent by then.
    expect(collectives).toMatchObject([{ startNs: 10_000, endNs: NaN, messages: 24 }]);
  });

  test('0: only what starts without time', () => {
    const { status, ranks } = until(0);
    expect([status, ranks[0].nodesFinished]).toEqual(['limit', 0]);
  });
});

test('--deps data: control dependencies do not count', () => {
  const nodes = everyRank(4, compute(1, 3), { ...compute(2, 4, [], true), ctrl_deps: [1] });
  expect(endOf({ nodes, network: RING_4 })).toBe(7000);
  expect(endOf({ nodes, network: RING_4, options: { deps: 'data' } })).toBe(4000);
});

describe('queues (section 6)', () => {
  test('a queue runs ⌈active chunks ÷ queues⌉ of its chunks at once', () => {
    // Four chunks of 10750 ns each (example A). Two queues of the first half's kind are one queue: baseline takes all in turn.
    const run = (queuesPerDimension: number, activeChunksPerDimension: number): number =>
      endOf({
        nodes: alone(4, allReduce, MIB),
        network: RING_4,
        system: systemOf('ring', { datasetSplits: 4, activeChunksPerDimension, collectiveOptimization: 'baseline' }),
        options: { queuesPerDimension },
      });
    expect([run(1, 2), run(2, 1), run(2, 3), run(4, 4)]).toEqual([21_500, 21_500, 10_750, 10_750]);
  });

  test('the first half of the queues for reduce-scatter and the turning all-reduce', () => {
    // Of two queues one, of four two.
    const run = (queuesPerDimension: number): number =>
      endOf({
        nodes: alone(4, allReduce, MIB),
        network: RING_4,
        system: systemOf('ring', { datasetSplits: 4 }),
        options: { queuesPerDimension },
      });
    expect([run(2), run(4)]).toEqual([43_000, 21_500]);
  });

  test('the second half of the queues runs the ring anticlockwise, over links of its own', () => {
    // Two chunks of 131072 B messages at once: ⌊2441.4⌋, clockwise both wait for each other, in two queues they do not.
    // 131072 B: 10 + 6 × (2941 + 10) + 3 × 243 = 18445.
    const run = (queuesPerDimension: number): number =>
      endOf({
        nodes: alone(4, allReduce, MIB),
        network: RING_4,
        backend: 'aware',
        system: systemOf('ring', {
          datasetSplits: 2,
          activeChunksPerDimension: 2,
          collectiveOptimization: 'baseline',
        }),
        options: { queuesPerDimension },
      });
    expect(run(2)).toBe(18_445);
    expect(run(1)).toBeGreaterThan(18_445);
  });
});

test('trees alternate by chunk, and on over collectives (8.4)', () => {
  // One collective: RootMax; the next: RootMin, whose root is 0, inner node 2, leaves 1 and 3.
  const network = networkOf('FullyConnected 4');
  const two = everyRank(4, collective(1, allReduce, MIB, ''), collective(2, allReduce, MIB, ''));
  const ends = endsOf({ nodes: two, network, system: systemOf('doubleBinaryTree') });
  // Rank 1 starts the second at 66028 as a leaf, rank 3 at 44022; rank 2 at 86069 has rank 1's message since 66028 + 10 + 20031 =
  // 86069, rank 3's since 64063. It is ready at 86069 + 10 + 1965 = 88044, the root has it at 108075, is done at 110050; rank 2 has
  // it at 130081, is done at 132056; leaves at 152087 + 10.
  expect(ends).toEqual([110_050, 152_097, 132_056, 152_097]);
});

test('rendezvous: every message waits for the question of its receiver (section 14)', () => {
  // 8192 B take 652 ns, both ways of the ring at once: each of six steps costs 652 more.
  const parts = { nodes: alone(4, allReduce, MIB), network: RING_4 };
  expect(endOf({ ...parts, options: { rendezvous: true } })).toBe(33_829 + 6 * 652);
});

test('involved_dim may leave all dimensions out: the collective completes at once (section 18)', () => {
  const none = {
    ...collective(1, allReduce, MIB, ''),
    attr: { ...collective(1, allReduce, MIB, '').attr, involved_dim: { bool_list: [false] } },
  };
  const outcome = outcomeOf({ nodes: everyRank(4, none, compute(2, 1, [1])), network: RING_4 });
  expect([outcome.status, outcome.endNs, outcome.messages]).toEqual(['finished', 1000, 0]);
});

describe('nodes (section 3)', () => {
  test('a broadcast is a delay', () => {
    const node = collective(1, CollectiveType.broadcast, MIB, '');
    expect(endOf({ nodes: everyRank(4, { ...node, duration_micros: 6 }), network: RING_4 })).toBe(6000);
    expect(endOf({ nodes: everyRank(4, node), network: RING_4 })).toBe(1);
  });

  test('a second collective waits for the first, in ascending id', () => {
    const nodes = everyRank(4, collective(7, allReduce, MIB, ''), collective(5, CollectiveType.allGather, 262_144, ''));
    const { collectives, endNs } = outcomeOf({ nodes, network: RING_4 });
    // All-gather of 262144 B: 10 + 3 × (5382 + 10).
    expect(collectives.map(({ type, startNs }) => [type, startNs])).toEqual([
      [CollectiveType.allGather, 0],
      [allReduce, 16_186],
    ]);
    expect(endNs).toBe(16_186 + 33_829);
  });
});
