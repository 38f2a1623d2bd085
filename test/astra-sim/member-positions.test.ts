import fc from 'fast-check';
import { memberPositions, positionAmong } from '../../src/astra-sim/member-positions.js';

describe('positions of the members of a group', () => {
  test.each([
    ['neighbours', [8, 9, 10, 11], 4],
    ['every eighth rank of 4,096', Array.from({ length: 512 }, (_, place) => 5 + 8 * place), 512],
    ['one rank', [4095], 1],
    ['neighbours of neighbours in another order', [6, 2, 4], 3],
    // 0, 4 and 6 have only 2 in common.
    ['distances that are multiples of 2', [6, 0, 4], 4],
  ])('%s: %s take %i places', (_name, ranks, places) => {
    expect(memberPositions(ranks).positions).toHaveLength(places);
  });

  test('each member has the place it is listed at, and no other rank has one', () => {
    const groups = fc.uniqueArray(fc.nat(60), { minLength: 1 });
    fc.assert(
      fc.property(groups, (ranks) => {
        const positions = memberPositions(ranks);
        for (let rank = 0; rank <= 70; rank++) expect(positionAmong(positions, rank)).toBe(ranks.indexOf(rank));
      }),
    );
  });
});
