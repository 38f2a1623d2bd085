import { chunkBytes, type Algorithm, type CollectiveShape, type Share } from './algorithm.js';

/** AllToAll `sequential`: each send starts after the finish of the send before; receives are not ordered. */
export const sequentialAllToAll = allToAll('sequential', true);

/** AllToAll `interleaved`: the same transfers, all at once. */
export const interleavedAllToAll = allToAll('interleaved', false);

/**
 * In step s = 1 … N−1 a position sends to the one s places after it and receives from the one s places before it: C
 * bytes, or what the shape's `sendBytes` says of the pair.
 */
function allToAll(name: string, sequential: boolean): Algorithm {
  return {
    name,
    powerOfTwo: false,
    family: 'open-loop',
    indexCount: (groupSize) => groupSize,
    share(position: number, shape: CollectiveShape, out: Share): void {
      out.clear();
      const { groupSize, sendBytes } = shape;
      const even = chunkBytes(shape);
      let sent = -1;
      for (let step = 1; step < groupSize; step++) {
        const to = (position + step) % groupSize;
        const from = (position - step + groupSize) % groupSize;
        const send = out.add(1, to, sendBytes ? sendBytes(position, to) : even, step);
        if (sequential && sent >= 0) out.after(sent);
        out.add(0, from, sendBytes ? sendBytes(from, position) : even, step);
        sent = send;
      }
    },
  };
}
