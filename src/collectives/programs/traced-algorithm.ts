import { CollectiveType } from '../../trace/collective-type.js';
import type { Algorithm, CollectiveShape, Share } from '../algorithm.js';

/** The transfers of one position of an algorithm that traces describe, each after those it waits for. */
export interface TracedPosition {
  readonly send: Uint8Array; // [transfers] 1 for a send, 0 for a receive
  readonly peer: Int32Array; // [transfers] position at the other end
  readonly bytes: Float64Array; // [transfers]
  readonly index: Int32Array; // [transfers] equal at both ends, and unique for a sender and a receiver
  readonly dependencies: readonly (readonly number[])[]; // [transfers] transfers that come before
}

/** An algorithm that traces describe. Plain data: it crosses worker threads. */
export interface TracedScript {
  readonly kind: 'traced';
  readonly name: string;
  /** Type number of the collectives it is used for. */
  readonly type: number;
  /** `comm_size` of the collective that the traces were made for, bytes; 0 where it is not known. */
  readonly size: number;
  /** Position of the root; −1 where there is none. */
  readonly root: number;
  readonly positions: readonly TracedPosition[];
  /** One more than the largest index. */
  readonly indexCount: number;
}

/** The algorithm of such a script: bytes grow with the size of the collective where it is known which size they are for. */
export function tracedAlgorithm(script: TracedScript): Algorithm {
  const { name, positions, root, indexCount } = script;
  return {
    name,
    powerOfTwo: false,
    groupSize: positions.length,
    ...(root < 0 ? {} : { root }),
    evenOnly: true,
    family: 'chained',
    script,
    indexCount: () => indexCount,
    share: (position, shape, out) => writeShare(script, position, shape, out),
  };
}

function writeShare(
  { type, size, positions }: TracedScript,
  position: number,
  shape: CollectiveShape,
  out: Share,
): void {
  out.clear();
  if (shape.groupSize === 1) return;
  const { send, peer, bytes, index, dependencies } = positions[position];
  for (let transfer = 0; transfer < send.length; transfer++) {
    let moved = bytes[transfer];
    if (type === CollectiveType.barrier) moved = 0;
    else if (size > 0) moved = scaled(moved, shape.bytes, size);
    out.add(send[transfer] === 1 ? 1 : 0, peer[transfer], moved, index[transfer]);
    for (const before of dependencies[transfer]) out.after(before);
  }
}

/** bytes × to / from, rounded up to a whole byte. */
export function scaled(bytes: number, to: number, from: number): number {
  if (to === from) return bytes;
  const product = bytes * to;
  if (!Number.isSafeInteger(product)) {
    return Number((BigInt(bytes) * BigInt(to) + BigInt(from) - 1n) / BigInt(from));
  }
  const whole = Math.floor(product / from);
  return whole + Number(product > whole * from);
}
