import { MAX_EXACT } from '../base/units.js';

/**
 * The time that bytes take at a constant rate, rounded up to whole ps without a rounding error on the way.
 * The rate is a fraction of integers, so a rate such as 53.6870912 bytes/ns is meant as its decimal text reads.
 */
export class ByteRate {
  // Picoseconds per byte: numerator / denominator in lowest terms.
  readonly #numerator: bigint;
  readonly #denominator: bigint;
  /** The same as doubles where every product below stays exact; 0 where it does not. */
  readonly #exactNumerator: number;
  readonly #exactDenominator: number;
  readonly #memo = new Map<number, number>();
  #lastBytes = 0;
  #lastPs = 0;

  /**
   * @param rate bytes × `units` per ns, as a double that prints as the decimal meant; positive
   * @param unitNumerator the unit's bytes and
   * @param unitDenominator nanoseconds: 2^30 and 10^9 for GiB per second
   */
  constructor(rate: number, unitNumerator = 1n, unitDenominator = 1n) {
    const decimal = decimalFraction(rate);
    const numerator = 1000n * decimal.denominator * unitDenominator;
    const denominator = decimal.numerator * unitNumerator;
    const divisor = greatestCommonDivisor(numerator, denominator);
    this.#numerator = numerator / divisor;
    this.#denominator = denominator / divisor;
    const exact = this.#numerator * this.#denominator <= BigInt(MAX_EXACT);
    this.#exactNumerator = exact ? Number(this.#numerator) : 0;
    this.#exactDenominator = exact ? Number(this.#denominator) : 0;
  }

  /** Time for `bytes`, ps. */
  picoseconds(bytes: number): number {
    if (bytes === this.#lastBytes) return this.#lastPs;
    const denominator = this.#exactDenominator;
    let time: number;
    if (denominator !== 0) {
      const rest = bytes % denominator;
      time =
        ((bytes - rest) / denominator) * this.#exactNumerator + Math.ceil((rest * this.#exactNumerator) / denominator);
    } else {
      time = this.#memo.get(bytes) ?? this.#slow(bytes);
    }
    this.#lastBytes = bytes;
    this.#lastPs = time;
    return time;
  }

  #slow(bytes: number): number {
    const product = BigInt(bytes) * this.#numerator;
    const time = Number((product + this.#denominator - 1n) / this.#denominator);
    if (this.#memo.size < 65536) this.#memo.set(bytes, time);
    return time;
  }
}

/** The rate of a link whose bandwidth is stated in units of 2^30 bytes per second, as ASTRA-sim's network files do. */
export function rateOfGiB(bandwidthGiBPerSecond: number): ByteRate {
  return new ByteRate(bandwidthGiBPerSecond, 2n ** 30n, 10n ** 9n);
}

/** The shortest decimal that reads back as this double, as a fraction. */
export function decimalFraction(value: number): { numerator: bigint; denominator: bigint } {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = Number(exponent) - fraction.length;
  return scale >= 0
    ? { numerator: digits * 10n ** BigInt(scale), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-scale) };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
