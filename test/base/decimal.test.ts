import { compareDecimals, parseDecimal, scaledHalfUp } from '../../src/base/decimal.js';

const decimal = (text: string): NonNullable<ReturnType<typeof parseDecimal>> => parseDecimal(text)!;

test.each([
  ['33.5', 335n, -1],
  ['800', 800n, 0],
  ['800.0', 800n, 0],
  ['5.', 5n, 0],
  ['.5', 5n, -1],
  ['1e-9', 1n, -9],
  ['1.5E+3', 15n, 2],
  ['007', 7n, 0],
  ['0.000', 0n, 0],
  ['0e99', 0n, 0],
])('%s is %s × 10^%s', (text, digits, exponent) => {
  expect(parseDecimal(text)).toEqual({ digits, exponent });
});

test.each(['', '.', '-1', '+1', '0x10', 'NaN', 'Infinity', '1e', '1e1.5', '1 2', '1,5', '١'])(
  '%j is no decimal',
  (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  },
);

test('numbers are compared as written, not as the double next to them', () => {
  expect(compareDecimals(decimal('18446744073.7095519'), decimal('1.8446744073709552e10'))).toBeLessThan(0);
  expect(compareDecimals(decimal('1.8446744073709552e10'), decimal('18446744073.709552'))).toBe(0);
  expect(compareDecimals(decimal('1e-9'), decimal('0.99999999999999999999e-9'))).toBeGreaterThan(0);
});

test('an exponent beyond all bounds is compared without its zeros being written out', () => {
  expect(compareDecimals(decimal('1e999999999999999999'), decimal('1e300'))).toBeGreaterThan(0);
  expect(compareDecimals(decimal('1e-999999999999999999'), decimal('1e-300'))).toBeLessThan(0);
});

test('R-002 halves go up, and no half is missed for a double that lies below it', () => {
  expect(scaledHalfUp(decimal('33.5'), 3)).toBe(33_500n);
  expect(scaledHalfUp(decimal('1.0005'), 3)).toBe(1001n); // 1.0005 × 1000 is 1000.4999999999999 in doubles
  expect(scaledHalfUp(decimal('1.00049999999999999999'), 3)).toBe(1000n);
  expect(scaledHalfUp(decimal('0.0005'), 3)).toBe(1n);
  expect(scaledHalfUp(decimal('0.0004'), 3)).toBe(0n);
});
