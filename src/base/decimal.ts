/** A number as its decimal text says it, exactly: `digits` × 10^`exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const DECIMAL = /^(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;

/** Powers of ten beyond this are as good as infinite: nothing here is compared with a larger number. */
const LARGEST_EXPONENT = 400;

/**
 * Reads an unsigned decimal with or without a point and an exponent: `33.5`, `800`, `1e-9`, `.5`.
 * @returns undefined for any other text, such as a sign, a hexadecimal number or `NaN`
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const fraction = (match[2] ?? match[3] ?? '').replace(/0+$/, '');
  const digits = BigInt((match[1] ?? '') + fraction);
  if (digits === 0n) return { digits, exponent: 0 };
  const exponent = Number(match[4] ?? '0') - fraction.length;
  // So far from 1 that the digits, which are at most as many as the text, do not matter.
  const farthest = LARGEST_EXPONENT + text.length;
  return { digits, exponent: Math.max(-farthest, Math.min(farthest, exponent)) };
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const common = Math.min(a.exponent, b.exponent);
  const left = a.digits * 10n ** BigInt(a.exponent - common);
  const right = b.digits * 10n ** BigInt(b.exponent - common);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `value` × 10^`power`, rounded to an integer, halves up. */
export function scaledHalfUp({ digits, exponent }: Decimal, power: number): bigint {
  const shift = exponent + power;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (2n * digits + divisor) / (2n * divisor);
}
