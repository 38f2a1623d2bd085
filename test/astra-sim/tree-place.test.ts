import { treePlace } from '../../src/astra-sim/tree-place.js';

/** `parent left right` by position, `-` for nobody. */
function tree(count: number, rootMax: boolean): string[] {
  const name = (position: number): string => (position < 0 ? '-' : String(position));
  return Array.from({ length: count }, (_, position) => {
    const { parent, left, right } = treePlace(count, position, rootMax);
    return `${name(parent)} ${name(left)} ${name(right)}`;
  });
}

/**
 * Below a root with one child a perfect tree, numbered in order: of seven nodes the fourth is its top, the second and the sixth
 * come next, odd ones are leaves.
 */
describe('whole trees (astra-sim-semantics 8.4)', () => {
  test.each([
    ['2, RootMax: 1 above 0', 2, true, ['1 - -', '- 0 -']],
    ['2, RootMin: 0 above 1', 2, false, ['- 1 -', '0 - -']],
    ['4, RootMax: 3 above 1 above 0 and 2 (example D)', 4, true, ['1 - -', '3 0 2', '1 - -', '- 1 -']],
    ['4, RootMin: 0 above 2 above 1 and 3', 4, false, ['- 2 -', '2 - -', '0 1 3', '2 - -']],
    [
      '8, RootMax: 7 above 3 above 1 and 5',
      8,
      true,
      ['1 - -', '3 0 2', '1 - -', '7 1 5', '5 - -', '3 4 6', '5 - -', '- 3 -'],
    ],
    [
      '8, RootMin: 0 above 4 above 2 and 6',
      8,
      false,
      ['- 4 -', '2 - -', '4 1 3', '2 - -', '0 2 6', '6 - -', '4 5 7', '6 - -'],
    ],
    [
      '16, RootMax: 15 above 7 above 3 and 11',
      16,
      true,
      [
        ...['1 - -', '3 0 2', '1 - -', '7 1 5', '5 - -', '3 4 6', '5 - -', '15 3 11'],
        ...['9 - -', '11 8 10', '9 - -', '7 9 13', '13 - -', '11 12 14', '13 - -', '- 7 -'],
      ],
    ],
    [
      '16, RootMin: 0 above 8 above 4 and 12',
      16,
      false,
      [
        ...['- 8 -', '2 - -', '4 1 3', '2 - -', '8 2 6', '6 - -', '4 5 7', '6 - -'],
        ...['0 4 12', '10 - -', '12 9 11', '10 - -', '8 10 14', '14 - -', '12 13 15', '14 - -'],
      ],
    ],
  ])('%s', (_name, count, rootMax, expected) => {
    expect(tree(count, rootMax)).toEqual(expected);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  '2^%i: every node is the child of its parent, and all are below the root',
  (exponent) => {
    const count = 2 ** exponent;
    for (const rootMax of [true, false]) {
      const parents = new Array<number>(count).fill(NaN);
      let visits = 0;
      const visit = (position: number, parent: number, depth: number): void => {
        const place = treePlace(count, position, rootMax);
        parents[position] = parent;
        if (++visits > count || place.parent !== parent || depth > exponent) throw new Error(`position ${position}`);
        for (const child of [place.left, place.right]) if (child >= 0) visit(child, position, depth + 1);
      };
      visit(rootMax ? count - 1 : 0, -1, 0);
      expect(visits).toBe(count);
      expect(parents).not.toContain(NaN);
    }
  },
);
