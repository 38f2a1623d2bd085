import type { Algorithm, CollectiveShape, Lockstep, Share } from './algorithm.js';

/** The algorithm of a stepped exchange; its share is written from the steps, so that there is one definition. */
export function lockstepAlgorithm(name: string, powerOfTwo: boolean, lockstep: Lockstep): Algorithm {
  return {
    name,
    powerOfTwo,
    family: 'lockstep',
    lockstep,
    indexCount: (groupSize) => lockstep.steps(groupSize),
    share: (position, shape, out) => lockstepShare(lockstep, position, shape, out),
  };
}

function lockstepShare(lockstep: Lockstep, position: number, shape: CollectiveShape, out: Share): void {
  out.clear();
  const { groupSize } = shape;
  if (groupSize === 1) return;
  const steps = lockstep.steps(groupSize);
  let received = -1;
  for (let step = 0; step < steps; step++) {
    const bytes = lockstep.stepBytes(step, shape);
    out.add(1, lockstep.destination(position, step, groupSize), bytes, step);
    if (received >= 0) out.after(received);
    const receive = out.add(0, lockstep.source(position, step, groupSize), bytes, step);
    if (received >= 0) out.after(received);
    received = receive;
  }
}

/** Makes the share of one position that of another one: the two differ in their peers alone. */
export function movePosition(lockstep: Lockstep, position: number, groupSize: number, share: Share): void {
  const { peer, length } = share;
  for (let place = 0, step = 0; place < length; place += 2, step++) {
    peer[place] = lockstep.destination(position, step, groupSize);
    peer[place + 1] = lockstep.source(position, step, groupSize);
  }
}
