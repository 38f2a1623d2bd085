import type { AnalyticalSpec } from '../network/network-spec.js';
import { memberPositions, positionAmong, type MemberPositions } from './member-positions.js';

/**
 * Ranks that run one phase of a collective together: for each rank those that differ from it in one coordinate of the topology
 * (astra-sim-semantics 5.4), all ranks (5.5), or the members of a group (section 9).
 */
export interface LogicalDimension {
  /** Members. */
  readonly count: number;
  /** Members at position p are `first + p × stride`, where first is the member at position 0; with `members` it counts for nothing. */
  readonly stride: number;
  /** Whether members differ in one coordinate of the topology only. */
  readonly isCoordinate: boolean;
  /** Members of a group, in the order of their positions. */
  readonly members?: Int32Array;
  /** With `members` only. */
  readonly positions?: MemberPositions;
}

/** The dimensions of a topology; the first coordinate changes fastest. */
export function topologyDimensions({ dimensions }: AnalyticalSpec): LogicalDimension[] {
  let stride = 1;
  return dimensions.map(({ npus }) => {
    const dimension = { count: npus, stride, isCoordinate: true };
    stride *= npus;
    return dimension;
  });
}

/** All ranks as one dimension. */
export function wholeDimension(rankCount: number): LogicalDimension {
  return { count: rankCount, stride: 1, isCoordinate: false };
}

/** The members of a group as one dimension. */
export function groupDimension(ranks: readonly number[]): LogicalDimension {
  return {
    count: ranks.length,
    stride: 1,
    isCoordinate: false,
    members: Int32Array.from(ranks),
    positions: memberPositions(ranks),
  };
}

/** Position of a rank, −1 for no member. */
export function positionOf({ count, stride, positions }: LogicalDimension, rank: number): number {
  return positions === undefined ? Math.floor(rank / stride) % count : positionAmong(positions, rank);
}

/** The rank at a position of the dimension that `rank` is in, at `ownPosition`. */
export function rankAt(dimension: LogicalDimension, rank: number, ownPosition: number, position: number): number {
  return dimension.members === undefined
    ? rank + (position - ownPosition) * dimension.stride
    : dimension.members[position];
}
