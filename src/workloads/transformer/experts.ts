import type { RankNodes } from './rank-nodes.js';

/**
 * Experts in place of an MLP: norm, router, the all-to-all that brings every token to its `topK` experts, the experts, the all-to-all
 * that brings it back. Tokens spread evenly. Experts are split between tensor-parallel ranks as an MLP is: with sequence
 * parallelism each dispatches its part of the tokens and they gather what they got, else all of them dispatch all tokens.
 */
export function expertsForward(nodes: RankNodes): void {
  const { routed, exchanged } = sizes(nodes);
  nodes.compute('mlp norm');
  nodes.compute('router');
  nodes.exchange(exchanged, 'dispatch');
  nodes.gather(routed, 'experts');
  nodes.compute('experts up');
  nodes.compute('experts down');
  nodes.reduce(routed, 'experts');
  nodes.exchange(exchanged, 'combine');
}

/** Its gradients: the same way back, with the overlap of an MLP between the two all-to-alls. */
export function expertsBackward(nodes: RankNodes): void {
  const { routed, exchanged } = sizes(nodes);
  nodes.exchange(exchanged, 'combine gradient');
  nodes.gather(routed, 'experts gradient');
  nodes.compute('experts down input gradient');
  nodes.compute('experts down weight gradient');
  const input = nodes.gatherBeside(routed, 'experts input');
  nodes.compute('experts up input gradient');
  const reduced = nodes.reduceBeside(routed, 'experts gradient');
  nodes.join(input);
  nodes.compute('experts up weight gradient');
  nodes.join(reduced);
  nodes.exchange(exchanged, 'dispatch gradient');
  nodes.compute('router input gradient');
  nodes.compute('router weight gradient');
  nodes.compute('mlp norm gradient');
}

/** Elements of the tokens that experts of this rank work on, and of those that it dispatches. */
function sizes({ elements, parameters: { topK, tp, sp } }: RankNodes): { routed: number; exchanged: number } {
  const routed = elements * topK;
  return { routed, exchanged: sp ? routed / tp : routed };
}
