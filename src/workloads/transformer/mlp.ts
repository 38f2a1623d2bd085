import type { RankNodes } from './rank-nodes.js';

/** MLP of a layer: norm, up with the activation, down. */
export function mlpForward(nodes: RankNodes): void {
  nodes.compute('mlp norm');
  nodes.gather(nodes.elements, 'mlp');
  nodes.compute('mlp up');
  nodes.compute('mlp down');
  nodes.reduce(nodes.elements, 'mlp');
}

/** Its gradients, with the overlap of the attention. */
export function mlpBackward(nodes: RankNodes): void {
  nodes.gather(nodes.elements, 'mlp gradient');
  nodes.compute('mlp down input gradient');
  nodes.compute('mlp down weight gradient');
  const input = nodes.gatherBeside(nodes.elements, 'mlp input');
  nodes.compute('mlp up input gradient');
  const reduced = nodes.reduceBeside(nodes.elements, 'mlp gradient');
  nodes.join(input);
  nodes.compute('mlp up weight gradient');
  nodes.join(reduced);
  nodes.compute('mlp norm gradient');
}
