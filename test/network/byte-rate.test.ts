import fc from 'fast-check';
import { ByteRate } from '../../src/network/byte-rate.js';

describe('byte rate', () => {
  test.each([
    ['R-003 4,154 B at 400 Gbit/s', 50, 4154, 83_080],
    ['R-003 4,202 B at 400 Gbit/s', 50, 4202, 84_040],
    ['R-003 4,120 B at 900 Gbit/s is 36,622.2… rounded up', 112.5, 4120, 36_623],
    ['R-003 nothing takes no time', 50, 0, 0],
    ['1 B at 3 B/ns is 333.3… rounded up', 3, 1, 334],
    ['3 B at 3 B/ns is whole', 3, 3, 1000],
    ['1.073741824 bytes/ns means its decimal text: 2^30 B take 1 s', 1.073741824, 2 ** 30, 1e12],
  ])('%s', (_name, rate, bytes, expected) => {
    expect(new ByteRate(rate).picoseconds(bytes)).toBe(expected);
  });

  test('50 GB/s of ASTRA-sim is 53.6870912 B/ns: 262,144 B take 4,882,812.5 ps, rounded up', () => {
    expect(new ByteRate(50, 2n ** 30n, 10n ** 9n).picoseconds(262_144)).toBe(4_882_813);
  });

  test('equals the division of big integers, rounded up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat(6), fc.maxSafeNat(), (digits, decimals, bytes) => {
        const rate = Number(`${digits}e-${decimals}`);
        const numerator = BigInt(bytes % 2 ** 40) * 1000n * 10n ** BigInt(decimals);
        const expected = (numerator + BigInt(digits) - 1n) / BigInt(digits);
        fc.pre(expected < 2n ** 53n);
        expect(new ByteRate(rate).picoseconds(bytes % 2 ** 40)).toBe(Number(expected));
      }),
    );
  });
});
