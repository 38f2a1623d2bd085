import { CollectiveType } from '../../../src/trace/collective-type.js';
import { NodeType } from '../../../src/trace/node-type.js';
import type { StatedTransformer } from '../../../src/workloads/transformer/parameters.js';
import { transformerJob } from '../../../src/workloads/transformer/transformer-job.js';
import { tracesOf } from '../../support/made-jobs.js';

/** 2 layers; a micro-batch of 2 sequences is 2 · 4 · 8 elements of 2 bytes: 128 B. */
const SMALL: StatedTransformer = {
  ...{ layers: 2, hidden: 8, heads: 2, sequence: 4, vocabulary: 16, ffn: 32, batch: 2, microBatch: 2 },
};

/** Collectives of rank 0: group, type, bytes, and how many are alike. */
function collectives(more: StatedTransformer): Record<string, number> {
  const [trace] = tracesOf(transformerJob({ ...SMALL, ...more }));
  const counted: Record<string, number> = {};
  const names = ['AllReduce', '', 'AllGather', '', '', '', 'AllToAll', 'ReduceScatter'];
  trace.type.forEach((type, node) => {
    if (type !== NodeType.collective) return;
    const key = `${trace.groupNames[trace.group[node]]} ${names[trace.commType[node]]} ${trace.commSize[node]}`;
    counted[key] = (counted[key] ?? 0) + 1;
  });
  return counted;
}

test('tensor parallelism: two all-reduces a layer forward and two backward, of a micro-batch each', () => {
  // And one of the embedding, one of the gradient of the logits; of the loss 3 numbers of 4 bytes for each of 8 tokens.
  expect(collectives({ tp: 2 })).toEqual({ '1 AllReduce 128': 2 * 4 + 2, '1 AllReduce 96': 1 });
});

test('sequence parallelism: an all-gather and a reduce-scatter for each all-reduce, and the input gathered again backward', () => {
  expect(collectives({ tp: 2, sp: true })).toEqual({
    // Forward 2 a layer and the logits; backward 4 a layer, the input of the logits and the gradient of the embedding. A shard is half of it.
    '1 AllGather 64': 2 * 2 + 1 + 2 * 4 + 2,
    '1 ReduceScatter 128': 2 * 2 + 1 + 2 * 2 + 1,
    '1 AllReduce 96': 1,
  });
});

test('recomputation runs the forward collectives of layers again', () => {
  expect(collectives({ tp: 2, recompute: 'full' })).toEqual({ '1 AllReduce 128': 2 * 6 + 2, '1 AllReduce 96': 1 });
});

test('experts: dispatch and combine, forward and backward; experts are reduced over fewer ranks than the rest', () => {
  // 8 tokens to 2 experts each: 16 · 8 elements. dp 4 of groups of 2: "1" is all four, "2" ranks 0 and 1, "4" ranks 0 and 2.
  // Weights: a layer 2 · 8 + 8 · 24 + 64 + 8 · 4 = 304 and 2 experts of 512; embedding 128, head 136.
  expect(collectives({ dp: 4, ep: 2, experts: 4, batch: 8 })).toEqual({
    '2 AllToAll 256': 2 * 4,
    '1 AllReduce 608': 2,
    '4 AllReduce 2048': 2,
    '1 AllReduce 256': 1,
    '1 AllReduce 272': 1,
  });
  const { groups } = transformerJob({ ...SMALL, dp: 4, ep: 2, experts: 4, batch: 8 });
  expect(Object.fromEntries(groups)).toEqual({
    ...{ 1: [0, 1, 2, 3], 2: [0, 1], 3: [2, 3], 4: [0, 2], 5: [1, 3] },
  });
});

test('ZeRO 3 gathers weights before each use of a micro-batch, and scatters its gradients; parts are padded to whole elements', () => {
  // A layer has 784 weights, over 3 ranks 262 each, 786 in all; embedding 128: 43, 129; head 136: 46, 138. Two micro-batches.
  expect(collectives({ dp: 3, zero: 3, batch: 12 })).toEqual({
    '1 AllGather 524': 2 * 2 * 2,
    '1 ReduceScatter 1572': 2 * 2,
    '1 AllGather 86': 2 * 2,
    '1 ReduceScatter 258': 2,
    '1 AllGather 92': 2 * 2,
    '1 ReduceScatter 276': 2,
  });
});

test('ZeRO 0 and 1 reduce gradients once a step, 2 once a micro-batch', () => {
  const scattered = (more: StatedTransformer): number =>
    Object.entries(collectives({ dp: 2, batch: 12, ...more }))
      .filter(([key]) => /ReduceScatter|AllReduce/.test(key))
      .reduce((sum, [, count]) => sum + count, 0);
  expect([0, 1, 2].map((zero) => scattered({ zero }))).toEqual([4, 4, 3 * 4]);
});

test('ranks stand tensor-parallel innermost, then data-parallel, then stages, or stages before', () => {
  const job = (rankOrder: 'tp-dp-pp' | 'tp-pp-dp') =>
    transformerJob({ ...SMALL, dp: 2, tp: 2, pp: 2, batch: 4, rankOrder });
  expect(Object.fromEntries(job('tp-dp-pp').groups)).toEqual({
    ...{ 1: [0, 1], 2: [2, 3], 3: [4, 5], 4: [6, 7] },
    ...{ 5: [0, 2], 6: [1, 3], 7: [4, 6], 8: [5, 7] },
  });
  expect(Object.fromEntries(job('tp-pp-dp').groups)).toEqual({
    ...{ 1: [0, 1], 2: [2, 3], 3: [4, 5], 4: [6, 7] },
    ...{ 5: [0, 4], 6: [1, 5], 7: [2, 6], 8: [3, 7] },
  });
  const peers = (order: 'tp-dp-pp' | 'tp-pp-dp'): number[] =>
    tracesOf(job(order)).map((trace) => trace.peer[trace.type.indexOf(NodeType.send)]);
  expect(peers('tp-dp-pp')).toEqual([4, 5, 6, 7, 0, 1, 2, 3]);
  expect(peers('tp-pp-dp')).toEqual([2, 3, 0, 1, 6, 7, 4, 5]);
});

test('a stage sends its micro-batch, with sequence parallelism the part of each rank', () => {
  const sent = (more: StatedTransformer): number => {
    const [trace] = tracesOf(transformerJob({ ...SMALL, pp: 2, tp: 2, ...more }));
    return trace.commSize[trace.type.indexOf(NodeType.send)];
  };
  expect(sent({})).toBe(128);
  expect(sent({ sp: true })).toBe(64);
});

test('the summary counts what the traces have', () => {
  const job = transformerJob({ ...SMALL, dp: 2, tp: 2, pp: 2, batch: 8, zero: 1 });
  const traces = tracesOf(job);
  const { traffic, nodes, compute } = job.summary;
  const total = (type: number, commType?: number): number =>
    traces.reduce((sum, trace) => {
      trace.type.forEach((of, node) => {
        if (of === type && (commType === undefined || trace.commType[node] === commType)) sum += trace.commSize[node];
      });
      return sum;
    }, 0);
  expect(nodes).toBe(traces.reduce((sum, trace) => sum + trace.length, 0));
  const bytes = (kind: string): number =>
    traffic.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.bytes, 0);
  expect(bytes('AllReduce')).toBe(total(NodeType.collective, CollectiveType.allReduce));
  expect(bytes('ReduceScatter')).toBe(total(NodeType.collective, CollectiveType.reduceScatter));
  expect(bytes('AllGather')).toBe(total(NodeType.collective, CollectiveType.allGather));
  expect(bytes('send')).toBe(total(NodeType.send));
  expect(compute.map((row) => row.nodes)).toEqual(
    [traces[0], traces[7]].map((trace) => trace.type.filter((type) => type === NodeType.compute).length),
  );
});
