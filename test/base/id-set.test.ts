import fc from 'fast-check';
import { IdSet } from '../../src/base/id-set.js';

const near = fc.bigInt({ min: 0n, max: 200n });
const id = fc.oneof(
  near,
  near.map((distance) => 2n ** 32n - 100n + distance),
  near.map((distance) => 2n ** 64n - 1n - distance),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const low = (value: bigint): number => Number(value & 0xffffffffn);
const high = (value: bigint): number => Number(value >> 32n);

test('holds what was added and nothing else, as a set of bigints does', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 300 }), fc.array(id), (added, asked) => {
      const set = new IdSet();
      const twin = new Set<bigint>();
      for (const one of added) {
        expect(set.has(low(one), high(one))).toBe(twin.has(one));
        set.add(low(one), high(one));
        twin.add(one);
      }
      for (const one of [...added, ...asked]) expect(set.has(low(one), high(one))).toBe(twin.has(one));
    }),
  );
});

test('grows far beyond its first size', () => {
  const set = new IdSet();
  for (let value = 0; value < 20_000; value++) set.add(value * 33, value % 5);
  for (let value = 0; value < 20_000; value++) {
    expect([set.has(value * 33, value % 5), set.has(value * 33 + 1, value % 5)]).toEqual([true, false]);
  }
});
