import type { Implementation } from '../../../src/astra-sim/system-configuration.js';

/** The ranks that one phase of a collective runs over, as one of them sees them (sections 5.4, 5.5, 9). */
export interface LogicalDimension {
  /** Place in the list of dimensions; its queues are those of the dimension of this number. */
  readonly index: number;
  readonly implementation: Implementation;
  /** Ranks in ring order. */
  readonly ranks: readonly number[];
  /** Of the rank whose view this is. */
  readonly position: number;
  /** A group that does not hold all ranks. */
  readonly subgroup: boolean;
}

/** The rank `distance` places on in the ring; behind where negative. */
export function rankAt({ ranks, position }: LogicalDimension, distance: number): number {
  const count = ranks.length;
  return ranks[(((position + distance) % count) + count) % count];
}

/** The dimensions that a list of implementations makes of the network. */
export function worldDimensions(
  rank: number,
  sizes: readonly number[],
  implementations: readonly Implementation[],
): LogicalDimension[] {
  const dimensions: LogicalDimension[] = [];
  let stride = 1;
  for (const [index, implementation] of implementations.entries()) {
    if (implementation.whole) {
      const count = sizes.reduce((product, size) => product * size, 1);
      const ranks = Array.from({ length: count }, (_, other) => other);
      dimensions.push({ index, implementation, ranks, position: rank, subgroup: false });
      break;
    }
    const size = sizes[index];
    const position = Math.floor(rank / stride) % size;
    const first = rank - position * stride;
    const ranks = Array.from({ length: size }, (_, place) => first + place * stride);
    dimensions.push({ index, implementation, ranks, position, subgroup: false });
    stride *= size;
  }
  return dimensions;
}

const PLAIN_RING: Implementation = { algorithm: 'ring', whole: false };

/** The one dimension of a group of some of the ranks: a list of several implementations is not for it. */
export function groupDimension(
  rank: number,
  ranks: readonly number[],
  implementations: readonly Implementation[],
): LogicalDimension {
  const implementation = implementations.length === 1 ? implementations[0] : PLAIN_RING;
  return { index: 0, implementation, ranks, position: ranks.indexOf(rank), subgroup: true };
}
