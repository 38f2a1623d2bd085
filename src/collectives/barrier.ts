import type { Algorithm } from './algorithm.js';

/** Barrier: the transfers of an AllReduce algorithm, every one of zero bytes, whatever size the trace states. */
export function barrierOf(allReduce: Algorithm): Algorithm {
  const { lockstep } = allReduce;
  return {
    ...allReduce,
    ...(lockstep && { lockstep: { ...lockstep, stepBytes: () => 0 } }),
    share: (position, { groupSize, root }, out) => allReduce.share(position, { groupSize, root, bytes: 0 }, out),
  };
}
