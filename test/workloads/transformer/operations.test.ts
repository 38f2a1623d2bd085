import { completeTransformer } from '../../../src/workloads/transformer/complete.js';
import { operationCosts, optimizerCost } from '../../../src/workloads/transformer/operations.js';
import type { StatedTransformer } from '../../../src/workloads/transformer/parameters.js';
import { transformerJob } from '../../../src/workloads/transformer/transformer-job.js';
import { layerWeights } from '../../../src/workloads/transformer/weights.js';

/** Two sequences of 4 tokens a micro-batch, 8 elements a token, 2 heads of 4 elements that share one of keys and values. */
const SMALL: StatedTransformer = {
  layers: 1,
  hidden: 8,
  heads: 2,
  kvHeads: 1,
  sequence: 4,
  vocabulary: 16,
  ffn: 32,
  batch: 2,
  microBatch: 2,
};

const costsOf = (stated: StatedTransformer) => operationCosts(completeTransformer(stated).parameters);

test('forward computes of one layer, worked by hand', () => {
  const costs = costsOf(SMALL);
  // 8 tokens of 8 elements; an element has 2 bytes.
  expect(costs.get('embedding')).toEqual({ operations: 64, bytes: 2 * (64 + 64) });
  expect(costs.get('attention norm')).toEqual({ operations: 4 * 64, bytes: 2 * (64 + 64 + 8) });
  // Queries 8, keys 4, values 4: [8 × 8] · [8 × 16].
  expect(costs.get('attention qkv')).toEqual({ operations: 2 * 8 * 8 * 16, bytes: 2 * (64 + 128 + 128) });
  // 2 sequences × 2 heads × 4 × 4 = 64 scores of 4 products each, and 5 operations of softmax each.
  expect(costs.get('attention scores')).toEqual({ operations: 64 * 2 * 4 + 5 * 64, bytes: 2 * (64 + 32 + 64) });
  expect(costs.get('attention context')).toEqual({ operations: 512, bytes: 2 * (64 + 32 + 64) });
  expect(costs.get('attention projection')).toEqual({ operations: 1024, bytes: 2 * (64 + 64 + 64) });
  expect(costs.get('mlp up')).toEqual({ operations: 4096 + 256, bytes: 2 * (64 + 256 + 256) });
  expect(costs.get('mlp down')).toEqual({ operations: 4096, bytes: 2 * (256 + 256 + 64) });
  expect(costs.get('logits')).toEqual({ operations: 2048, bytes: 2 * (64 + 128 + 128) });
  expect(costs.get('loss')).toEqual({ operations: 5 * 128, bytes: 2 * (128 + 128) });
});

test('gradients: a product of weights has two of its own cost, scores, context and norms one of twice', () => {
  const costs = costsOf(SMALL);
  expect(costs.get('mlp down input gradient')).toEqual({ operations: 4096, bytes: 1152 });
  expect(costs.get('mlp down weight gradient')).toEqual({ operations: 4096, bytes: 1152 });
  expect(costs.get('attention scores gradient')).toEqual({ operations: 2 * 832, bytes: 2 * 320 });
  expect(costs.get('attention norm gradient')).toEqual({ operations: 512, bytes: 2 * 272 });
  expect(costs.get('embedding gradient')).toEqual({ operations: 64, bytes: 256 });
});

test('two tensor-parallel ranks halve weights, heads and words; sequence parallelism halves norms besides', () => {
  const split = { ...SMALL, kvHeads: 2, tp: 2 };
  const costs = costsOf(split);
  // One head: queries, keys and values of 4 elements each.
  expect(costs.get('attention qkv')).toEqual({ operations: 2 * 8 * 8 * 12, bytes: 2 * (64 + 96 + 96) });
  expect(costs.get('attention scores')).toEqual({ operations: 32 * 2 * 4 + 5 * 32, bytes: 2 * (32 + 32 + 32) });
  expect(costs.get('mlp down')).toEqual({ operations: 2048, bytes: 2 * (128 + 128 + 64) });
  expect(costs.get('logits')).toEqual({ operations: 1024, bytes: 2 * (64 + 64 + 64) });
  expect(costs.get('mlp norm')).toEqual({ operations: 256, bytes: 272 });
  expect(costsOf({ ...split, sp: true }).get('mlp norm')).toEqual({ operations: 128, bytes: 2 * (32 + 32 + 8) });
});

test('gates and experts', () => {
  const costs = costsOf({ ...SMALL, gated: true, experts: 4, topK: 2, dp: 2, ep: 2, batch: 4 });
  // 8 tokens, each to 2 experts: 16 rows; two matrices up, of the 2 experts of this rank; 2 operations of gate and activation.
  expect(costs.get('experts up')).toEqual({
    operations: 2 * 16 * 8 * 64 + 2 * 16 * 32,
    bytes: 2 * (16 * 8 + 2 * 2 * 8 * 32 + 16 * 32),
  });
  expect(costs.get('experts down')).toEqual({ operations: 2 * 16 * 32 * 8, bytes: 2 * (512 + 2 * 256 + 128) });
  expect(costs.get('router')).toEqual({ operations: 2 * 8 * 8 * 4 + 5 * 32, bytes: 2 * (64 + 32 + 32) });
});

test('weights of a layer and what the optimizer does with them', () => {
  const { parameters } = completeTransformer(SMALL);
  // Norms 16, queries, keys and values 128, projection 64, MLP 512.
  expect(layerWeights(parameters)).toEqual({ dense: 720, experts: 0 });
  expect(optimizerCost(parameters, { dense: 720, experts: 0 })).toEqual({ operations: 12 * 720, bytes: 28 * 720 });
  const { parameters: sharded } = completeTransformer({ ...SMALL, dp: 2, zero: 1, batch: 4 });
  expect(optimizerCost(sharded, { dense: 721, experts: 0 })).toEqual({ operations: 12 * 361, bytes: 28 * 361 });
});

test.each([
  ['none', 72, 12],
  ['full', 96, 16],
] as const)('GPT-3 has the operations that Narayanan et al. (2021) give, recompute %s', (recompute, factor, words) => {
  const [l, h, s, v, b] = [96, 12288, 2048, 51200, 8];
  const gpt3 = { layers: l, hidden: h, heads: 96, sequence: s, vocabulary: v, batch: b, recompute };
  const { compute } = transformerJob(gpt3).summary;
  const formula = factor * b * s * l * h * h * (1 + s / (6 * h) + v / (words * l * h));
  // Norms, softmax, activations and the optimizer are on top.
  expect(compute[0].operations / formula).toBeGreaterThan(1);
  expect(compute[0].operations / formula).toBeLessThan(1.01);
});

test('the operations of all ranks are those of one rank, however the model is split', () => {
  const model = { layers: 4, hidden: 1024, heads: 8, sequence: 256, vocabulary: 4096, batch: 16 };
  const total = (more: StatedTransformer): number =>
    transformerJob({ ...model, ...more }).summary.compute.reduce((sum, row) => sum + row.ranks * row.operations, 0);
  // Each copy of the weights has an optimizer, which ZeRO shares out; norms run on every tensor-parallel rank without sequence parallelism.
  const alone = total({});
  expect(total({ dp: 4, zero: 1 })).toBe(alone);
  expect(total({ pp: 4 })).toBe(alone);
  expect(total({ pp: 2, virtualStages: 2 })).toBe(alone);
  // Norms are not split, so that their optimizer runs twice; both ranks look all 16 · 256 tokens up, and scatter their gradients.
  const more = 12 * (4 * 2 + 1) * 1024 + 2 * 16 * 256 * 1024;
  expect(total({ tp: 2, sp: true })).toBe(alone + more);
});
