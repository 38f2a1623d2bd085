import { decimalFraction } from '../network/byte-rate.js';
import { CollectiveType } from '../trace/collective-type.js';
import type { Fraction } from './number-formats.js';

/** Which collective, as far as its ideal time depends on it. */
export interface IdealShape {
  /** A CollectiveType number. */
  readonly type: number;
  /** '' where it is not known. */
  readonly algorithm: string;
  /** S, bytes. */
  readonly size: number;
  /** N. */
  readonly groupSize: number;
}

/**
 * M of R-157: the most bytes any member must move in one direction, with exact S/N.
 * @returns undefined for Barrier, and where it depends on an algorithm that is not known
 */
export function idealBytes({ type, algorithm, size, groupSize }: IdealShape): Fraction | undefined {
  const times = (factor: number, part = 1): Fraction => ({
    numerator: BigInt(size) * BigInt(factor),
    denominator: BigInt(part),
  });
  switch (type) {
    case CollectiveType.allReduce:
      if (algorithm === 'ring' || algorithm === 'halving-doubling') return times(2 * (groupSize - 1), groupSize);
      if (algorithm === 'tree') return times(Math.max(...treeDegrees(groupSize)));
      if (algorithm === 'double-tree') return times(doubleTreeDegree(groupSize), 2);
      return undefined;
    case CollectiveType.reduce:
      if (algorithm === 'ring') return times(1);
      if (algorithm === 'tree') return times(groupSize <= 3 ? 1 : 2);
      return undefined;
    case CollectiveType.allGather:
    case CollectiveType.broadcast:
    case CollectiveType.gather:
      return times(groupSize - 1);
    case CollectiveType.reduceScatter:
    case CollectiveType.reduceScatterBlock:
    case CollectiveType.scatter:
    case CollectiveType.allToAll:
      return times(groupSize - 1, groupSize);
    default:
      return undefined;
  }
}

/**
 * 8 × M / B of R-157.
 * @param bytesPerNs rate of the NIC link
 * @returns µs; undefined where there is no M, or it is 0
 */
export function idealMicros(shape: IdealShape, bytesPerNs: number): Fraction | undefined {
  const bytes = idealBytes(shape);
  if (bytes === undefined || bytes.numerator === 0n) return undefined;
  const rate = decimalFraction(bytesPerNs);
  return {
    numerator: bytes.numerator * rate.denominator,
    denominator: bytes.denominator * rate.numerator * 1000n,
  };
}

/** The most transfers one position sends in both trees together; the second is the first in a mirror. */
function doubleTreeDegree(groupSize: number): number {
  const degrees = treeDegrees(groupSize);
  return degrees.reduce((most, degree, position) => Math.max(most, degree + degrees[groupSize - 1 - position]), 0);
}

/**
 * Neighbours of each position in the tree of R-116, which is how many transfers it sends: one up to its parent and one down
 * to each child.
 */
function treeDegrees(groupSize: number): number[] {
  const degrees = new Array<number>(groupSize).fill(0);
  const join = (parent: number, low: number, high: number): void => {
    if (low > high) return;
    const root = low + Math.floor((high - low + 1) / 2);
    degrees[parent]++;
    degrees[root]++;
    join(root, low, root - 1);
    join(root, root + 1, high);
  };
  join(0, 1, groupSize - 1);
  return degrees;
}
