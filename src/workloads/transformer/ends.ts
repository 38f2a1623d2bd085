import { CollectiveType } from '../../trace/collective-type.js';
import type { RankNodes } from './rank-nodes.js';

/** Numbers of a token that tensor-parallel ranks add up for the loss: its greatest logit, a sum of exponentials, the logit of its target. */
const LOSS_NUMBERS = 3;
/** Bytes of such a number, whatever elements have. */
const LOSS_NUMBER_BYTES = 4;

/** Embedding, whose table is split by words between tensor-parallel ranks: each looks up what it has, and they add up. */
export function embeddingForward(nodes: RankNodes): void {
  nodes.compute('embedding');
  nodes.reduce(nodes.elements, 'embedding');
}

export function embeddingBackward(nodes: RankNodes): void {
  nodes.gather(nodes.elements, 'embedding gradient');
  nodes.compute('embedding gradient');
}

/** Norm, logits of the words of this rank, and the loss; without a backward pass the logits of the last token of each sequence, gathered. */
export function headForward(nodes: RankNodes): void {
  const { forwardOnly, tp, microBatch, sequence, vocabulary, elementBytes } = nodes.parameters;
  nodes.compute('final norm');
  nodes.gather(nodes.elements, 'logits');
  nodes.compute('logits');
  if (forwardOnly) nodes.tensor(CollectiveType.allGather, ((microBatch * vocabulary) / tp) * elementBytes, 'logits');
  else {
    nodes.compute('loss');
    nodes.tensor(CollectiveType.allReduce, LOSS_NUMBERS * LOSS_NUMBER_BYTES * microBatch * sequence, 'loss');
  }
}

export function headBackward(nodes: RankNodes): void {
  nodes.compute('loss gradient');
  const input = nodes.gatherBeside(nodes.elements, 'logits input');
  nodes.compute('logits input gradient');
  const reduced = nodes.reduceBeside(nodes.elements, 'logits gradient');
  nodes.join(input);
  nodes.compute('logits weight gradient');
  nodes.join(reduced);
  nodes.compute('final norm gradient');
}
