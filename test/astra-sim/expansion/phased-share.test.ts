import { CollectiveType } from '../../../src/trace/collective-type.js';
import type { RankTrace } from '../../../src/trace/rank-trace.js';
import { collective, groupsOf, nodeTexts, prepareAll } from '../../support/preparation.js';
import {
  algorithmsOf,
  choiceOf,
  expandWith,
  meshes,
  shareLines,
  systemWith,
  type SystemExpansion,
} from '../../support/system-expansions.js';
import { traceOf } from '../../support/traces.js';

const { allReduce, allGather, allToAll, reduceScatter } = CollectiveType;

/** One collective on every rank of the world. */
function world(ranks: number, type: number, size: number): RankTrace[] {
  return Array.from({ length: ranks }, (_, rank) => traceOf([collective(1, { type, size })], rank));
}

/** What a rank of the world does in one collective. */
function linesOf(rank: number, ranks: number, type: number, size: number, how: SystemExpansion): string[] {
  return shareLines(algorithmsOf(world(ranks, type, size), how)[0], rank);
}

describe('section 8.1 ring', () => {
  test('an all-reduce of 1 MiB over four ranks: 24 messages of 262144 bytes, each after the receive before', () => {
    const how = { network: meshes(4), system: systemWith(['ring']) };
    expect(linesOf(1, 4, allReduce, 1_048_576, how)).toEqual([
      '0: send 2, 262144 B, index 0',
      '1: receive 0, 262144 B, index 0',
      '2: send 2, 262144 B, index 1, after 1',
      '3: receive 0, 262144 B, index 1, after 1',
      '4: send 2, 262144 B, index 2, after 3',
      '5: receive 0, 262144 B, index 2, after 3',
      '6: send 2, 262144 B, index 3, after 5',
      '7: receive 0, 262144 B, index 3, after 5',
      '8: send 2, 262144 B, index 4, after 7',
      '9: receive 0, 262144 B, index 4, after 7',
      '10: send 2, 262144 B, index 5, after 9',
      '11: receive 0, 262144 B, index 5, after 9',
    ]);
    const { balance } = expandWith(world(4, allReduce, 1_048_576), how);
    expect(balance.expanded).toEqual({
      'AllReduce astra-sim:ring': {
        collectives: 1,
        nodes: 4,
        bytesIn: 4 * 1_048_576,
        bytesInChunks: 4 * 1_048_576,
        transfers: 24,
        bytesOut: 24 * 262_144,
      },
    });
  });

  test('an all-to-all goes around the ring: N(N−1)/2 messages of a rank, all of ⌊S/N⌋', () => {
    const lines = linesOf(0, 3, allToAll, 100, { network: meshes(3), system: systemWith(['ring']) });
    expect(lines).toEqual([
      '0: send 1, 33 B, index 0',
      '1: receive 2, 33 B, index 0',
      '2: send 1, 33 B, index 1, after 1',
      '3: receive 2, 33 B, index 1, after 1',
      '4: send 1, 33 B, index 2, after 3',
      '5: receive 2, 33 B, index 2, after 3',
    ]);
  });

  test('an all-gather sends the whole of what it starts with', () => {
    const lines = linesOf(2, 3, allGather, 100, { network: meshes(3), system: systemWith(['ring']) });
    expect(lines.slice(0, 2)).toEqual(['0: send 0, 100 B, index 0', '1: receive 1, 100 B, index 0']);
    expect(lines).toHaveLength(4);
  });

  test('the collective keeps its node as exit, and its transfers carry its identity', () => {
    const { traces } = expandWith(world(2, allReduce, 1000), { network: meshes(2), system: systemWith(['ring']) });
    expect(nodeTexts(traces[0])).toEqual([
      'send 2 to 1, 500 B, tag 0',
      'receive 3 from 1, 500 B, tag 0',
      'send 4 to 1, 500 B, tag 1, data 3',
      'receive 5 from 1, 500 B, tag 1, data 3',
      'METADATA_NODE 1, data 2 3 4 5',
    ]);
    expect(traces[0].collectives).toEqual([
      { group: 'world', type: 0, instance: 0, size: 1000, algorithm: 'astra-sim:ring' },
    ]);
  });
});

describe('section 8.2 direct', () => {
  test('an all-reduce sends to all at once, and again when all have come', () => {
    const how = { network: meshes(4), system: systemWith(['direct']) };
    expect(linesOf(0, 4, allReduce, 400, how)).toEqual([
      '0: send 1, 100 B, index 0',
      '1: receive 3, 100 B, index 0',
      '2: send 2, 100 B, index 1',
      '3: receive 2, 100 B, index 1',
      '4: send 3, 100 B, index 2',
      '5: receive 1, 100 B, index 2',
      '6: send 1, 100 B, index 3, after 1 3 5',
      '7: receive 3, 100 B, index 3, after 1 3 5',
      '8: send 2, 100 B, index 4, after 1 3 5',
      '9: receive 2, 100 B, index 4, after 1 3 5',
      '10: send 3, 100 B, index 5, after 1 3 5',
      '11: receive 1, 100 B, index 5, after 1 3 5',
    ]);
  });

  test('a window: as many at once, and one more for each that has come', () => {
    const how = { network: meshes(4), system: systemWith(['direct2']) };
    expect(linesOf(0, 4, allToAll, 400, how)).toEqual([
      '0: send 1, 100 B, index 0',
      '1: receive 3, 100 B, index 0',
      '2: send 2, 100 B, index 1',
      '3: receive 2, 100 B, index 1',
      '4: send 3, 100 B, index 2, after 1',
      '5: receive 1, 100 B, index 2, after 1',
    ]);
  });

  test('a window in an all-reduce begins anew behind the middle', () => {
    const how = { network: meshes(4), system: systemWith(['direct2']) };
    const lines = linesOf(0, 4, allReduce, 400, how);
    // The second half waits for the receives 1 and 2, and so for 0, which 2 waited for.
    expect(lines.filter((line) => line.includes('send'))).toEqual([
      '0: send 1, 100 B, index 0',
      '2: send 2, 100 B, index 1',
      '4: send 3, 100 B, index 2, after 1',
      '6: send 1, 100 B, index 3, after 3 5',
      '8: send 2, 100 B, index 4, after 3 5',
      '10: send 3, 100 B, index 5, after 7',
    ]);
  });

  test('what comes next waits for the end of the phase: the last receives of the window', () => {
    const how = { network: meshes(3, 2), system: systemWith(['direct', 'ring']) };
    const lines = linesOf(0, 6, reduceScatter, 600, how);
    // Dimension 0: ranks 0, 1, 2, parts of 200. Dimension 1: ranks 0 and 3, parts of 100.
    expect(lines).toEqual([
      '0: send 1, 200 B, index 0',
      '1: receive 2, 200 B, index 0',
      '2: send 2, 200 B, index 1',
      '3: receive 1, 200 B, index 1',
      '4: send 3, 100 B, index 2, after 1 3',
      '5: receive 3, 100 B, index 2, after 1 3',
    ]);
  });
});

describe('section 8.3 halving-doubling', () => {
  test('an all-reduce of 1 MiB over eight ranks has the sizes and distances of example C', () => {
    const how = { network: meshes(8), system: systemWith(['halvingDoubling']) };
    const lines = linesOf(5, 8, allReduce, 1_048_576, how);
    // 5 is the upper of 4 and 5, the lower of 5 and 7, the upper of 1 and 5.
    expect(lines).toEqual([
      '0: send 4, 524288 B, index 0',
      '1: receive 4, 524288 B, index 0',
      '2: send 7, 262144 B, index 1, after 1',
      '3: receive 7, 262144 B, index 1, after 1',
      '4: send 1, 131072 B, index 2, after 3',
      '5: receive 1, 131072 B, index 2, after 3',
      '6: send 1, 131072 B, index 3, after 5',
      '7: receive 1, 131072 B, index 3, after 5',
      '8: send 7, 262144 B, index 4, after 7',
      '9: receive 7, 262144 B, index 4, after 7',
      '10: send 4, 524288 B, index 5, after 9',
      '11: receive 4, 524288 B, index 5, after 9',
    ]);
  });

  test('an all-gather over six ranks pairs them all, one over five does not', () => {
    const of = (ranks: number): string[] =>
      linesOf(5 % ranks, ranks, allGather, 10, { network: meshes(ranks), system: systemWith(['halvingDoubling']) });
    expect(of(6)).toEqual([
      '0: send 2, 10 B, index 0',
      '1: receive 2, 10 B, index 0',
      '2: send 4, 20 B, index 1, after 1',
      '3: receive 4, 20 B, index 1, after 1',
    ]);
    expect(() => of(5)).toThrow(
      'rank 0 node 1: all-gather-implementation halvingDoubling over 5 ranks; expected a power of two',
    );
  });
});

describe('section 8.4 double binary tree', () => {
  const how = { network: meshes(4), system: systemWith(['doubleBinaryTree']) };

  test('four ranks, as in example D: root 3, inner 1, leaves 0 and 2', () => {
    const of = (rank: number): string[] => linesOf(rank, 4, allReduce, 64, how);
    expect(of(3)).toEqual(['0: receive 1, 64 B, index 0', '1: send 1, 64 B, index 1, after 0']);
    expect(of(1)).toEqual([
      '0: receive 0, 64 B, index 0',
      '1: receive 2, 64 B, index 0',
      '2: send 3, 64 B, index 0, after 0 1',
      '3: receive 3, 64 B, index 1, after 0 1',
      '4: send 0, 64 B, index 1, after 3',
      '5: send 2, 64 B, index 1, after 3',
    ]);
    expect(of(0)).toEqual(['0: send 1, 64 B, index 0', '1: receive 1, 64 B, index 1']);
    expect(of(2)).toEqual(of(0));
  });

  test('every other chunk has the tree with the root at position 0', () => {
    const system = systemWith(['doubleBinaryTree'], { datasetSplits: 2, activeChunksPerDimension: 2 });
    // Chunk 1: root 0, inner 2, leaves 1 and 3.
    expect(linesOf(0, 4, allReduce, 128, { network: meshes(4), system })).toEqual([
      '0: send 1, 64 B, index 0',
      '1: receive 1, 64 B, index 1',
      '2: receive 2, 64 B, index 2',
      '3: send 2, 64 B, index 3, after 2',
    ]);
  });

  test('trees alternate over collectives of one kind', () => {
    const traces = [0, 1, 2, 3].map((rank) =>
      traceOf(
        [
          collective(1, { type: allReduce, size: 64 }),
          collective(2, { type: reduceScatter, size: 64 }),
          collective(3, { type: allReduce, size: 64 }),
        ],
        rank,
      ),
    );
    const peers = algorithmsOf(traces, how).map((algorithm) => shareLines(algorithm, 3)[0]);
    // Rank 3 is the root of the first tree, which has rank 1 as its child; in the second it is a leaf under rank 2.
    expect(peers).toEqual(['0: receive 1, 64 B, index 0', '0: receive 1, 64 B, index 0', '0: send 2, 64 B, index 0']);
  });
});

describe('section 5.3 phases', () => {
  test('localBWAware on 2 × 2: reduce-scatter, all-reduce, all-gather back, which runs anticlockwise', () => {
    const lines = linesOf(0, 4, allReduce, 400, { network: meshes(2, 2), system: systemWith(['ring', 'ring']) });
    expect(lines).toEqual([
      '0: send 1, 200 B, index 0',
      '1: receive 1, 200 B, index 0',
      '2: send 2, 100 B, index 1, after 1',
      '3: receive 2, 100 B, index 1, after 1',
      '4: send 2, 100 B, index 2, after 3',
      '5: receive 2, 100 B, index 2, after 3',
      '6: send 1, 200 B, index 3, after 5',
      '7: receive 1, 200 B, index 3, after 5',
    ]);
  });

  test('baseline: a whole all-reduce in each dimension', () => {
    const system = systemWith(['ring', 'ring'], { collectiveOptimization: 'baseline' });
    const sends = linesOf(3, 4, allReduce, 400, { network: meshes(2, 2), system }).filter((line) =>
      line.includes('send'),
    );
    expect(sends).toEqual([
      '0: send 2, 200 B, index 0',
      '2: send 2, 200 B, index 1, after 1',
      '4: send 1, 200 B, index 2, after 3',
      '6: send 1, 200 B, index 3, after 5',
    ]);
  });

  test('the all-gather of localBWAware runs anticlockwise, what comes before clockwise', () => {
    const sends = linesOf(0, 6, allReduce, 600, { network: meshes(3, 2), system: systemWith(['ring', 'ring']) }).filter(
      (line) => line.includes('send'),
    );
    expect(sends.map((line) => line.split(',')[0].split(': ')[1])).toEqual([
      ...['send 1', 'send 1'],
      ...['send 3', 'send 3'],
      ...['send 2', 'send 2'],
    ]);
  });

  test('oneRing is one dimension of all ranks', () => {
    const lines = linesOf(3, 4, reduceScatter, 400, { network: meshes(2, 2), system: systemWith(['oneRing']) });
    expect(lines[0]).toBe('0: send 0, 100 B, index 0');
    expect(lines).toHaveLength(6);
  });

  test('involved_dim leaves dimensions out', () => {
    const attr = { involved_dim: { bool_list: [false, true] } };
    const traces = [0, 1, 2, 3].map((rank) => {
      const node = collective(1, { type: allReduce, size: 400 });
      return traceOf([{ ...node, attr: { ...node.attr, ...attr } }], rank);
    });
    const [algorithm] = algorithmsOf(traces, { network: meshes(2, 2), system: systemWith(['ring', 'ring']) });
    expect(shareLines(algorithm, 1)).toEqual([
      '0: send 3, 200 B, index 0',
      '1: receive 3, 200 B, index 0',
      '2: send 3, 200 B, index 1, after 1',
      '3: receive 3, 200 B, index 1, after 1',
    ]);
  });
});

describe('section 6 queues', () => {
  test('one chunk at a time: the next one begins when the one before has ended', () => {
    const system = systemWith(['ring'], { datasetSplits: 2 });
    // Indices: two of each chunk.
    expect(linesOf(0, 2, allReduce, 400, { network: meshes(2), system })).toEqual([
      '0: send 1, 100 B, index 0',
      '1: receive 1, 100 B, index 0',
      '2: send 1, 100 B, index 1, after 1',
      '3: receive 1, 100 B, index 1, after 1',
      '4: send 1, 100 B, index 2, after 3',
      '5: receive 1, 100 B, index 2, after 3',
      '6: send 1, 100 B, index 3, after 5',
      '7: receive 1, 100 B, index 3, after 5',
    ]);
  });

  test('two at a time: chunk c waits for chunk c − 2', () => {
    const system = systemWith(['ring'], { datasetSplits: 4, activeChunksPerDimension: 2 });
    const lines = linesOf(0, 2, reduceScatter, 800, { network: meshes(2), system });
    expect(lines.filter((line) => line.includes('send'))).toEqual([
      '0: send 1, 100 B, index 0',
      '2: send 1, 100 B, index 1',
      '4: send 1, 100 B, index 2, after 1',
      '6: send 1, 100 B, index 3, after 3',
    ]);
  });

  test('two queues: one chunk each at a time, the second half of the queues anticlockwise', () => {
    const system = systemWith(['ring'], { datasetSplits: 4, activeChunksPerDimension: 2 });
    const how = { network: meshes(3), system, queuesPerDimension: 2 };
    const lines = linesOf(0, 3, reduceScatter, 1200, how).filter((line) => line.includes('send'));
    // Chunks start in the order 0 and 1, then 2 and 3; each has two messages, the second after the first receive.
    expect(lines).toEqual([
      '0: send 1, 100 B, index 0',
      '2: send 1, 100 B, index 1, after 1',
      '4: send 2, 100 B, index 2',
      '6: send 2, 100 B, index 3, after 5',
      '8: send 1, 100 B, index 4, after 3',
      '10: send 1, 100 B, index 5, after 9',
      '12: send 2, 100 B, index 6, after 7',
      '14: send 2, 100 B, index 7, after 13',
    ]);
  });

  test('queues are taken in turn over collectives: the second one begins anticlockwise', () => {
    const traces = [0, 1, 2].map((rank) =>
      traceOf(
        [collective(1, { type: reduceScatter, size: 300 }), collective(2, { type: reduceScatter, size: 300 })],
        rank,
      ),
    );
    const how = { network: meshes(3), system: systemWith(['ring']), queuesPerDimension: 2 };
    expect(algorithmsOf(traces, how).map((algorithm) => shareLines(algorithm, 0)[0])).toEqual([
      '0: send 1, 100 B, index 0',
      '0: send 2, 100 B, index 0',
    ]);
  });

  test('reduce-scatters that wait in the queue go before the all-gather of a chunk that comes back', () => {
    const system = systemWith(['ring', 'ring'], { datasetSplits: 2 });
    const lines = linesOf(0, 4, allReduce, 800, { network: meshes(2, 2), system });
    // Chunk 0 through dimension 0, then chunk 1, then 0 and 1 back; chunk 1 waits for chunk 0 in each.
    expect(lines.filter((line) => line.includes('send'))).toEqual([
      '0: send 1, 200 B, index 0',
      '2: send 1, 200 B, index 4, after 1',
      '4: send 2, 100 B, index 1, after 1',
      '6: send 2, 100 B, index 2, after 5',
      '8: send 2, 100 B, index 5, after 3 7',
      '10: send 2, 100 B, index 6, after 9',
      '12: send 1, 200 B, index 3, after 7 3',
      '14: send 1, 200 B, index 7, after 11 13',
    ]);
  });
});

describe('orders of dimensions under --system-extensions', () => {
  test('round-robin: chunk 1 begins with dimension 1', () => {
    const system = systemWith(['ring', 'ring'], {
      datasetSplits: 2,
      extensions: { interDimensionScheduling: 'roundRobin', hierarchicalRing: new Set() },
    });
    const lines = linesOf(0, 6, reduceScatter, 1200, { network: meshes(3, 2), system });
    // Chunks of 600: 200 twice around 0, 1, 2, then 100 to 3; the other way 300 to 3, then 100 twice around 0, 1, 2. In dimension 1
    // the first chunk comes after the second one.
    expect(lines.filter((line) => line.includes('send'))).toEqual([
      '0: send 1, 200 B, index 0',
      '2: send 1, 200 B, index 1, after 1',
      '4: send 3, 300 B, index 3',
      '6: send 1, 100 B, index 4, after 5 3',
      '8: send 1, 100 B, index 5, after 7',
      '10: send 3, 100 B, index 2, after 3 5',
    ]);
  });
});

describe('section 5.1 chunks', () => {
  test('the last chunk has the full size, and the balance says so', () => {
    const how = { network: meshes(4), system: systemWith(['ring'], { datasetSplits: 4 }) };
    const { balance } = expandWith(world(4, allReduce, 1_000_003), how);
    // Five chunks of 250,000 on each of four ranks.
    expect(balance.expanded['AllReduce astra-sim:ring']).toMatchObject({
      bytesIn: 4 * 1_000_003,
      bytesInChunks: 4 * 5 * 250_000,
      transfers: 5 * 24,
      bytesOut: 5 * 24 * 62_500,
    });
  });
});

describe('section 9 groups', () => {
  test('a proper group is a ring in the order of its list; several entries stand for ring', () => {
    const groups = { '1': [2, 0, 3] };
    const traces = [0, 1, 2, 3].map((rank) =>
      traceOf(rank === 1 ? [] : [collective(1, { type: allToAll, size: 300, group: '1' })], rank),
    );
    const how = { network: meshes(2, 2), system: systemWith(['direct', 'direct']), groups };
    const { traces: expanded } = expandWith(traces, how);
    expect(nodeTexts(expanded[2]).slice(0, 2)).toEqual(['send 2 to 0, 100 B, tag 0', 'receive 3 from 3, 100 B, tag 0']);
    expect(nodeTexts(expanded[3])).toHaveLength(7);
  });

  test('a group of all ranks in another order runs as all ranks do', () => {
    const groups = { '1': [3, 2, 1, 0] };
    const traces = [0, 1, 2, 3].map((rank) =>
      traceOf([collective(1, { type: allReduce, size: 400, group: '1' })], rank),
    );
    const { traces: expanded } = expandWith(traces, { network: meshes(4), system: systemWith(['ring']), groups });
    expect(nodeTexts(expanded[1]).slice(0, 2)).toEqual(['send 2 to 2, 100 B, tag 0', 'receive 3 from 0, 100 B, tag 0']);
  });
});

describe('what the system layer does not run', () => {
  test('keeps its own algorithm, with a note', () => {
    const traces = [0, 1].map((rank) =>
      traceOf([collective(1, { type: CollectiveType.barrier }), collective(2, { type: allReduce, size: 100 })], rank),
    );
    const { balance } = expandWith(traces, { network: meshes(2), system: systemWith(['ring']) });
    expect(Object.keys(balance.expanded)).toEqual(['Barrier ring', 'AllReduce astra-sim:ring']);
    expect(balance.findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toContain(
      'note EXPANSION_OWN_ALGORITHM: one Barrier, first on rank 0 node 1: not run by ASTRA-sim’s system layer; expanded with ring',
    );
  });

  test('delays and reductions are not in the traces, which is said', () => {
    const system = systemWith(['ring'], { endpointDelayNs: 10, localMemoryGBps: 1600 });
    const { balance } = expandWith(world(2, allReduce, 100), { network: meshes(2), system });
    expect(balance.findings.map(({ code, message }) => `${code}: ${message}`)).toContain(
      'EXPANSION_TIMES_LEFT_OUT: system.json: not in the transfers: endpoint-delay 10 ns, reductions at local-mem-bw 1600 GB/s',
    );
  });

  test('split bytes of an all-to-all do not count, which is said', () => {
    const traces = [0, 1].map((rank) =>
      traceOf([collective(1, { type: allToAll, size: 100, splits: [30, 70] })], rank),
    );
    const { traces: expanded, balance } = expandWith(traces, { network: meshes(2), system: systemWith(['ring']) });
    expect([...expanded[0].commSize.subarray(0, 2)]).toEqual([50, 50]);
    expect(balance.findings.map(({ code }) => code)).toContain('EXPANSION_SPLITS');
  });

  test('members in different turns take that of the lowest rank, which is said', () => {
    const groups = { '1': [0, 1] };
    const traces = [0, 1, 2].map((rank) =>
      traceOf(
        [
          ...(rank < 2 ? [collective(1, { type: reduceScatter, size: 100, group: '1' })] : []),
          collective(2, { type: reduceScatter, size: 300 }),
        ],
        rank,
      ),
    );
    const how = { network: meshes(3), system: systemWith(['ring']), queuesPerDimension: 2, groups };
    const { traces: expanded, balance } = expandWith(traces, how);
    // Ranks 0 and 1 are at queue 1, anticlockwise; rank 2 would be at queue 0.
    expect(nodeTexts(expanded[2])[0]).toBe('send 3 to 1, 100 B, tag 65536');
    expect(balance.findings.map(({ code, message }) => `${code}: ${message}`)).toContain(
      'EXPANSION_TURNS_DIFFER: world: ReduceScatter 0: queues and trees are taken in turn, and it is another turn on rank 2 than on rank 0, whose is taken',
    );
  });

  test('members that name different dimensions', () => {
    const traces = [0, 1, 2, 3].map((rank) => {
      const node = collective(1, { type: allReduce, size: 400 });
      const attr = rank === 3 ? { involved_dim: { bool_list: [true, false] } } : {};
      return traceOf([{ ...node, attr: { ...node.attr, ...attr } }], rank);
    });
    expect(() => expandWith(traces, { network: meshes(2, 2), system: systemWith(['ring', 'ring']) })).toThrow(
      'world: AllReduce 0 has involved_dim "none" on rank 0 node 1, [true,false] on rank 3 node 1',
    );
  });
});

test('a second expansion finds nothing to do', () => {
  const how = { network: meshes(4), system: systemWith(['ring'], { datasetSplits: 2 }) };
  const { traces } = expandWith(world(4, allReduce, 1000), how);
  const again = prepareAll(traces, { expand: true, groups: groupsOf({}), choice: choiceOf(4, how) });
  expect(again.traces.map(nodeTexts)).toEqual(traces.map(nodeTexts));
});
