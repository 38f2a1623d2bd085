import { chunkBytes, type Algorithm, type CollectiveShape, type Share } from './algorithm.js';

/** Which end of a rooted exchange the root is, and what each transfer carries. */
interface RootedExchange {
  readonly name: string;
  readonly rootSends: boolean;
  /** Whether the root's sends go one after another. */
  readonly sequential: boolean;
  readonly transferBytes: (shape: CollectiveShape) => number;
}

/** Broadcast `sequential` (R-110a): the root sends S to r+1, r+2, …, each after the finish of the send before. */
export const sequentialBroadcast = rootedAlgorithm({
  name: 'sequential',
  rootSends: true,
  sequential: true,
  transferBytes: (shape) => shape.bytes,
});

/** Broadcast `interleaved` (R-110b): the same transfers, all at once. */
export const interleavedBroadcast = rootedAlgorithm({
  name: 'interleaved',
  rootSends: true,
  sequential: false,
  transferBytes: (shape) => shape.bytes,
});

/** Gather `direct`: every other position sends S to the root, all at once. */
export const directGather = rootedAlgorithm({
  name: 'direct',
  rootSends: false,
  sequential: false,
  transferBytes: (shape) => shape.bytes,
});

/** Scatter `direct`: the root sends C to every other position, all at once. */
export const directScatter = rootedAlgorithm({
  name: 'direct',
  rootSends: true,
  sequential: false,
  transferBytes: chunkBytes,
});

/** Step s is the exchange of the root with the position s places after it, s = 1 … N−1. */
function rootedAlgorithm(exchange: RootedExchange): Algorithm {
  const { name, rootSends, sequential, transferBytes } = exchange;
  return {
    name,
    powerOfTwo: false,
    family: 'open-loop',
    indexCount: (groupSize) => groupSize,
    share(position: number, shape: CollectiveShape, out: Share): void {
      out.clear();
      const { groupSize, root } = shape;
      if (groupSize === 1) return;
      const bytes = transferBytes(shape);
      if (position !== root) {
        out.add(rootSends ? 0 : 1, root, bytes, (position - root + groupSize) % groupSize);
        return;
      }
      for (let step = 1; step < groupSize; step++) {
        const place = out.add(rootSends ? 1 : 0, (root + step) % groupSize, bytes, step);
        if (sequential && place > 0) out.after(place - 1);
      }
    },
  };
}
