import { attentionBackward, attentionForward } from './attention.js';
import { embeddingBackward, embeddingForward, headBackward, headForward } from './ends.js';
import { expertsBackward, expertsForward } from './experts.js';
import { mlpBackward, mlpForward } from './mlp.js';
import type { TransformerParameters } from './parameters.js';
import type { RankNodes } from './rank-nodes.js';
import { embeddingWeights, headWeights, layerWeights, type StageWeights } from './weights.js';

/** A part of the model whose weights are gathered and whose gradients are reduced together. */
export interface Part {
  /** What its collectives of weights and gradients are called after. */
  readonly name: string;
  /** What stands before the names of its nodes. */
  readonly where: string;
  /** Whether `--recompute full` runs its forward pass again. */
  readonly recomputed: boolean;
  readonly weights: StageWeights;
  forward(nodes: RankNodes): void;
  backward(nodes: RankNodes): void;
}

/** The parts of each chunk of a stage: layers, before the first the embedding, behind the last the logits. */
export function partsOf(parameters: TransformerParameters, stage: number): Part[][] {
  const { layers, pp, virtualStages } = parameters;
  const perChunk = layers / (pp * virtualStages);
  return Array.from({ length: virtualStages }, (_, chunk) => {
    const first = (chunk * pp + stage) * perChunk;
    const parts = Array.from({ length: perChunk }, (_, place) => layer(parameters, first + place));
    if (first === 0) parts.unshift(embedding(parameters));
    if (first + perChunk === layers) parts.push(head(parameters));
    return parts;
  });
}

function layer(parameters: TransformerParameters, place: number): Part {
  const [forward, backward] = parameters.experts === 0 ? [mlpForward, mlpBackward] : [expertsForward, expertsBackward];
  return {
    name: `layer ${place}`,
    where: `layer ${place} `,
    recomputed: parameters.recompute === 'full',
    weights: layerWeights(parameters),
    forward: (nodes) => {
      attentionForward(nodes);
      forward(nodes);
    },
    backward: (nodes) => {
      backward(nodes);
      attentionBackward(nodes);
    },
  };
}

function embedding(parameters: TransformerParameters): Part {
  return {
    name: 'embedding',
    where: '',
    recomputed: false,
    weights: embeddingWeights(parameters),
    forward: embeddingForward,
    backward: embeddingBackward,
  };
}

function head(parameters: TransformerParameters): Part {
  return {
    name: 'head',
    where: '',
    recomputed: false,
    weights: headWeights(parameters),
    forward: headForward,
    backward: headBackward,
  };
}
