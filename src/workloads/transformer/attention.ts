import type { RankNodes } from './rank-nodes.js';

/** Attention of a layer: norm, then queries, keys and values of the heads of this rank, scores, context, projection. */
export function attentionForward(nodes: RankNodes): void {
  nodes.compute('attention norm');
  nodes.gather(nodes.elements, 'attention');
  nodes.compute('attention qkv');
  nodes.compute('attention scores');
  nodes.compute('attention context');
  nodes.compute('attention projection');
  nodes.reduce(nodes.elements, 'attention');
}

/**
 * Its gradients, from the projection back to the norm. The gradient of the input is reduced beside the computes of the weight gradient. With sequence
 * parallelism only the part of this rank was kept of the input, which is gathered again beside the input gradient.
 */
export function attentionBackward(nodes: RankNodes): void {
  nodes.gather(nodes.elements, 'attention gradient');
  nodes.compute('attention projection input gradient');
  nodes.compute('attention projection weight gradient');
  nodes.compute('attention context gradient');
  nodes.compute('attention scores gradient');
  const input = nodes.gatherBeside(nodes.elements, 'attention input');
  nodes.compute('attention qkv input gradient');
  const reduced = nodes.reduceBeside(nodes.elements, 'attention gradient');
  nodes.join(input);
  nodes.compute('attention qkv weight gradient');
  nodes.join(reduced);
  nodes.compute('attention norm gradient');
}
