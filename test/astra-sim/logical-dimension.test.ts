import {
  groupDimension,
  positionOf,
  rankAt,
  topologyDimensions,
  wholeDimension,
  type LogicalDimension,
} from '../../src/astra-sim/logical-dimension.js';
import { networkOf } from '../support/system-runs.js';

/** The ranks of the dimension that a rank is in, by position; a group's in the order of its list. */
function ranksWith(dimension: LogicalDimension, rank: number): number[] {
  const own = positionOf(dimension, rank);
  return Array.from({ length: dimension.count }, (_, position) => rankAt(dimension, rank, own, position));
}

describe('dimensions of a topology: ranks that differ in one coordinate, the first fastest (astra-sim-semantics 5.4)', () => {
  // 17 = 2 + 3 × (1 + 2 × 2): coordinates 2, 1, 2 of 3 × 2 × 4.
  const [first, second, third] = topologyDimensions(networkOf('Ring 3', 'Switch 2', 'Ring 4'));

  test.each([
    ['0: neighbours at distance 1', first, 2, [15, 16, 17]],
    ['1: at distance 3', second, 1, [14, 17]],
    ['2: at distance 6', third, 2, [5, 11, 17, 23]],
  ])('dimension %s', (_name, dimension, position, ranks) => {
    expect(positionOf(dimension, 17)).toBe(position);
    expect(ranksWith(dimension, 17)).toEqual(ranks);
    expect(dimension.isCoordinate).toBe(true);
  });

  test('one… implementations: all ranks in order (5.5)', () => {
    expect(ranksWith(wholeDimension(5), 3)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a group: the order of its list (section 9)', () => {
    const group = groupDimension([5, 0, 3]);
    expect(positionOf(group, 3)).toBe(2);
    expect(ranksWith(group, 3)).toEqual([5, 0, 3]);
    expect([group.isCoordinate, wholeDimension(6).isCoordinate]).toEqual([false, false]);
    expect([0, 1, 2, 3, 4, 5].map((rank) => positionOf(group, rank))).toEqual([1, -1, -1, 2, -1, 0]);
  });
});
