import { decimalText, decimalValue, roundedDecimal } from '../../src/records/number-formats.js';

test('seconds have 12 decimals, microseconds 6, both exact', () => {
  expect(decimalText(23_356_600, 12)).toBe('0.000023356600');
  expect(decimalText(9_007_199_254_740_991, 12)).toBe('9007.199254740991');
  expect(decimalText(23_356_600, 6)).toBe('23.356600');
  expect(decimalText(0, 6)).toBe('0.000000');
  expect(decimalText(12_345_678_901_234_567_890_123_456n, 6)).toBe('12345678901234567890.123456');
  expect(decimalText(-1_500_000, 6)).toBe('-1.500000');
});

test('the double of a decimal is the one its text reads as', () => {
  for (const unscaled of [0, 1, 23_356_600, 9_007_199_254_740_991, 123_456_789_012_345_678_901n]) {
    for (const decimals of [3, 6, 12]) {
      expect(decimalValue(unscaled, decimals)).toBe(Number(decimalText(unscaled, decimals)));
    }
  }
});

test.each([
  // The double 1.0000005 is a little less than that and prints as 1.000000 with toFixed(6).
  [2_000_001n, 2_000_000n, 6, 1_000_001n],
  [1n, 3n, 6, 333_333n],
  [2n, 3n, 6, 666_667n],
  [1_054_720n, 1_000_000_000n, 6, 1055n],
  [5n, 2n, 0, 3n],
  [0n, 7n, 6, 0n],
])('%s / %s with %s decimals, halves up', (numerator, denominator, decimals, expected) => {
  expect(roundedDecimal({ numerator, denominator }, decimals)).toBe(expected);
});
