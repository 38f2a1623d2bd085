/** The text of a decimal given as value × 10^decimals: 23,356,600 with 6 decimals is `23.356600`. */
export function decimalText(unscaled: number | bigint, decimals: number): string {
  const negative = unscaled < 0;
  const digits = String(negative ? -unscaled : unscaled).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The double nearest to a decimal given as value × 10^decimals, the one its text reads as; up to 22 decimals. */
export function decimalValue(unscaled: number | bigint, decimals: number): number {
  // Both are exact doubles, so the quotient is rounded once.
  if (typeof unscaled === 'number') return unscaled / 10 ** decimals;
  return Number(decimalText(unscaled, decimals));
}

/** A fraction of integers. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The fraction × 10^decimals in whole numbers, halves up; not negative. */
export function roundedDecimal({ numerator, denominator }: Fraction, decimals: number): bigint {
  return (2n * numerator * 10n ** BigInt(decimals) + denominator) / (2n * denominator);
}
