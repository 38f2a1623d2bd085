import { microBatchesOf, type TransformerParameters } from './parameters.js';

/** One micro-batch through one chunk of layers of a stage, forward or backward. */
export interface Leg {
  readonly backward: boolean;
  readonly microBatch: number;
  /** Chunk of the stage, from 0: with `pp` stages the chunk `c` of stage `s` is the part `c × pp + s` of the model. */
  readonly chunk: number;
}

/**
 * The legs of a step on a stage, in order.
 *
 * - forward only: micro-batch after micro-batch;
 * - `gpipe`: all forward, then all backward, the last first (Huang et al., GPipe, 2019, figure 2c);
 * - `1f1b`: as many forward legs ahead as there are stages behind, then one forward and one backward in turn
 *   (Narayanan et al., PipeDream-Flush, 2021, figure 3);
 * - `1f1b` with chunks: interleaved, micro-batches in groups of `pp` (Narayanan et al., Efficient large-scale language model
 *   training, 2021, figure 4).
 */
export function scheduleOf(parameters: TransformerParameters, stage: number): Leg[] {
  const { pp, virtualStages: chunks, schedule, forwardOnly } = parameters;
  const microBatches = microBatchesOf(parameters);
  const total = microBatches * chunks;
  const legs: Leg[] = [];
  const forward = (place: number): void => {
    legs.push({ backward: false, ...interleaved(place, pp, chunks) });
  };
  const backward = (place: number): void => {
    const { microBatch, chunk } = interleaved(place, pp, chunks);
    legs.push({ backward: true, microBatch, chunk: chunks - 1 - chunk });
  };
  if (forwardOnly || schedule === 'gpipe') {
    for (let place = 0; place < total; place++) forward(place);
    if (!forwardOnly) for (let place = total - 1; place >= 0; place--) backward(place);
    return legs;
  }
  const behind = pp - 1 - stage;
  const ahead = Math.min(total, chunks === 1 ? behind : 2 * behind + (chunks - 1) * pp);
  for (let place = 0; place < ahead; place++) forward(place);
  for (let place = 0; place < total; place++) {
    if (place + ahead < total) forward(place + ahead);
    backward(place);
  }
  return legs;
}

/** Micro-batch and chunk of a place in the order of forward legs: `pp` micro-batches through each chunk in turn. */
function interleaved(place: number, pp: number, chunks: number): { microBatch: number; chunk: number } {
  if (chunks === 1) return { microBatch: place, chunk: 0 };
  const inGroup = place % (pp * chunks);
  return {
    microBatch: Math.floor(place / (pp * chunks)) * pp + (place % pp),
    chunk: Math.floor(inGroup / pp),
  };
}
