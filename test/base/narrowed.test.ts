import fc from 'fast-check';
import { narrowed } from '../../src/base/narrowed.js';

test.each<[what: string, values: number[], bytesEach: number]>([
  ['up to 2^15 − 1', [0, -1, 32_767, -32_768], 2],
  ['from 2^15', [0, 32_768], 4],
  ['below −2^15', [-32_769], 4],
  ['up to 2^31 − 1', [2_147_483_647, -2_147_483_648], 4],
  ['from 2^31', [2_147_483_648], 8],
  ['a fraction', [0.5], 8],
  ['one that is absent', [1, NaN], 8],
])('numbers %s take as many bytes as they need', (_what, values, bytesEach) => {
  const column = narrowed(Float64Array.from(values));
  expect(column.BYTES_PER_ELEMENT).toBe(bytesEach);
  expect([...column]).toEqual(values);
});

test('the numbers are the same', () => {
  const value = fc.oneof(fc.integer({ min: -40_000, max: 40_000 }), fc.integer(), fc.double());
  fc.assert(
    fc.property(fc.array(value), (values) => {
      expect([...narrowed(Float64Array.from(values))].map((each) => each + 0)).toEqual(values.map((each) => each + 0));
    }),
  );
});
