import { chunkBytes } from './algorithm.js';
import { lockstepAlgorithm } from './lockstep.js';

/** Exact for powers of two, which is all these algorithms take. */
const log2 = (groupSize: number): number => 31 - Math.clz32(groupSize);

/** Distance to the partner in a step of AllReduce: 1, 2, 4 … N/2, then back. */
const allReducePartner = (position: number, step: number, groupSize: number): number => {
  const halvings = log2(groupSize);
  return position ^ (1 << (step < halvings ? step : 2 * halvings - 1 - step));
};

/**
 * AllReduce `halving-doubling`: log2 N steps that halve C·N/2 down to C, then log2 N that double it back;
 * partners near first, then far, as in MPICH.
 */
export const halvingDoublingAllReduce = lockstepAlgorithm('halving-doubling', true, {
  steps: (groupSize) => 2 * log2(groupSize),
  destination: allReducePartner,
  source: allReducePartner,
  stepBytes: (step, shape) => {
    const halvings = log2(shape.groupSize);
    const doublings = step < halvings ? halvings - 1 - step : step - halvings;
    return chunkBytes(shape) * 2 ** doublings;
  },
});

const reduceScatterPartner = (position: number, step: number, groupSize: number): number =>
  position ^ (groupSize >>> (step + 1));

/** ReduceScatter `halving`: log2 N steps that halve C·N/2 down to C, far partners first. */
export const halvingReduceScatter = lockstepAlgorithm('halving', true, {
  steps: log2,
  destination: reduceScatterPartner,
  source: reduceScatterPartner,
  stepBytes: (step, shape) => (chunkBytes(shape) * shape.groupSize) / 2 ** (step + 1),
});
