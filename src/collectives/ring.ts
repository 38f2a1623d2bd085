import { chunkBytes, type Algorithm, type CollectiveShape, type Share } from './algorithm.js';
import { lockstepAlgorithm } from './lockstep.js';

const next = (position: number, _step: number, groupSize: number): number =>
  position + 1 === groupSize ? 0 : position + 1;
const previous = (position: number, _step: number, groupSize: number): number =>
  position === 0 ? groupSize - 1 : position - 1;

/** AllReduce `ring`: N − 1 steps of reduce-scatter, then N − 1 of all-gather, C bytes each. */
export const ringAllReduce = lockstepAlgorithm('ring', false, {
  steps: (groupSize) => 2 * (groupSize - 1),
  destination: next,
  source: previous,
  stepBytes: (_step, shape) => chunkBytes(shape),
});

/** AllGather `ring`: N − 1 steps of S bytes. */
export const ringAllGather = lockstepAlgorithm('ring', false, {
  steps: (groupSize) => groupSize - 1,
  destination: next,
  source: previous,
  stepBytes: (_step, shape) => shape.bytes,
});

/** ReduceScatter and ReduceScatterBlock `ring`: N − 1 steps of C bytes. */
export const ringReduceScatter = lockstepAlgorithm('ring', false, {
  steps: (groupSize) => groupSize - 1,
  destination: next,
  source: previous,
  stepBytes: (_step, shape) => chunkBytes(shape),
});

/** Reduce `ring`: S bytes pass from the position after the root around to the root. */
export const ringReduce: Algorithm = {
  name: 'ring',
  powerOfTwo: false,
  family: 'chained',
  indexCount: (groupSize) => groupSize - 1,
  share: ringReduceShare,
};

function ringReduceShare(position: number, shape: CollectiveShape, out: Share): void {
  out.clear();
  const { groupSize, bytes, root } = shape;
  if (groupSize === 1) return;
  const hop = (position - root - 1 + groupSize) % groupSize; // hops the data has made when it reaches this position
  let received = -1;
  if (hop > 0) received = out.add(0, previous(position, 0, groupSize), bytes, hop - 1);
  if (position !== root) {
    out.add(1, next(position, 0, groupSize), bytes, hop);
    if (received >= 0) out.after(received);
  }
}
