import { compareDecimals, parseDecimal, scaledHalfUp } from './decimal.js';
import { requestError } from './errors.js';

/** Largest integer a double holds exactly; sizes, tags and times above are refused (R-001, design section 3). */
export const MAX_EXACT = Number.MAX_SAFE_INTEGER;

/** Longest simulated time, ps: 2^53 (R-001). */
export const LONGEST_TIME_PS = 2 ** 53;

/** Picoseconds of each unit, as a power of ten. */
const TIME_UNITS: Readonly<Record<string, number>> = { ps: 0, ns: 3, us: 6, µs: 6, ms: 9, s: 12 };

const BYTES: Record<string, number> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

const NUMBER_WITH_UNIT = /^\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*([A-Za-zµ/]+)\s*$/;

/**
 * A time with its unit (`1us`, `0.5 ms`, `33.5ns`) in whole picoseconds, halves up (R-002).
 * @param subject what the text is, for messages
 * @throws PrepError `TIME_MALFORMED` for another text, an unknown unit, or a time that is not 0 and rounds to 0 ps;
 *   `TIME_TOO_LARGE`
 */
export function parseTimePs(text: string, subject = 'time'): number {
  const match = NUMBER_WITH_UNIT.exec(text);
  const power = match ? TIME_UNITS[match[2]] : undefined;
  if (!match || power === undefined) {
    throw requestError(
      'TIME_MALFORMED',
      `${subject} "${text}": expected a number and one of ps, ns, us, ms, s, such as 1.5us`,
    );
  }
  return decimalTimePs(match[1], power, `${subject} "${text}"`);
}

/**
 * A decimal number of seconds (`0.001`, `1e-6`) in whole picoseconds, halves up (R-002).
 * @throws PrepError as {@link parseTimePs}
 */
export function parseSecondsPs(text: string): number {
  return decimalTimePs(text, TIME_UNITS.s, `time "${text} s"`);
}

/** @param power of ten that makes picoseconds of the number */
function decimalTimePs(number: string, power: number, time: string): number {
  const decimal = parseDecimal(number);
  if (!decimal) throw requestError('TIME_MALFORMED', `${time}: expected a decimal number`);
  const picoseconds = scaledHalfUp(decimal, power);
  if (picoseconds === 0n && decimal.digits !== 0n) {
    throw requestError('TIME_MALFORMED', `${time} is below half a picosecond, the unit of simulated time`);
  }
  if (picoseconds > BigInt(LONGEST_TIME_PS)) {
    throw requestError('TIME_TOO_LARGE', `${time} exceeds 2^53 ps (9007 s)`);
  }
  return Number(picoseconds);
}

/** A time in the largest unit it reaches, exactly: `10 s`, `23.3566 us`, `0 s`. */
export function timeText(picoseconds: number): string {
  const units = ['s', 'ms', 'us', 'ns', 'ps'];
  const unit = units.find((name) => picoseconds >= 10 ** TIME_UNITS[name]) ?? 's';
  const power = TIME_UNITS[unit];
  const digits = String(picoseconds).padStart(power + 1, '0');
  const fraction = digits.slice(digits.length - power).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - power);
  return `${power === 0 || fraction === '' ? whole : `${whole}.${fraction}`} ${unit}`;
}

/** Rounds to the nearest integer, halves up. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/**
 * A byte count with its unit (`4KiB`, `1 GB`; R-011). A bare integer is bytes.
 * @throws PrepError `SIZE_MALFORMED`
 */
export function parseBytes(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(/^\s*[0-9]+\s*$/.test(text) ? `${text}B` : text);
  const unit = match ? BYTES[match[2]] : undefined;
  const bytes = match && unit !== undefined ? wholeBytes(match[1], unit) : NaN;
  if (!Number.isSafeInteger(bytes)) {
    throw requestError(
      'SIZE_MALFORMED',
      `size "${text}": expected whole bytes with one of ${Object.keys(BYTES).join(', ')}`,
    );
  }
  return bytes;
}

/** Gbit/s of each prefix before `bps` or `b/s`, as a power of ten. */
const BIT_RATES: Readonly<Record<string, number>> = { '': -9, K: -6, M: -3, G: 0, T: 3 };

/**
 * A bit rate with its unit (`400Gbps`, `31.52 Gb/s`, `40Mbps`) in Gbit/s: the double that prints as the decimal that is meant.
 * @throws PrepError `BANDWIDTH_MALFORMED`, also for 0
 */
export function parseBitRateGbps(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(text);
  const unit = match ? /^([KMGT]?)(?:bps|b\/s)$/.exec(match[2]) : null;
  return bitRateGbps(unit ? match![1] : '', BIT_RATES[unit?.[1] ?? ''], `rate "${text}"`);
}

/** A decimal number of bit/s (`4e11`) in Gbit/s, as {@link parseBitRateGbps}. */
export function parseBitsPerSecondGbps(text: string): number {
  return bitRateGbps(text, BIT_RATES[''], `rate "${text} bit/s"`);
}

function bitRateGbps(number: string, power: number, rate: string): number {
  const decimal = parseDecimal(number);
  const gbps = decimal ? Number(`${decimal.digits}e${decimal.exponent + power}`) : NaN;
  if (gbps > 0 && gbps < Infinity) return gbps;
  const expected = 'expected a positive number and a unit such as Gbps, Mbps or Gb/s';
  throw requestError('BANDWIDTH_MALFORMED', `${rate}: ${expected}`);
}

/** A decimal number of units of bytes; NaN where it is no whole number of bytes. */
function wholeBytes(number: string, unit: number): number {
  const decimal = parseDecimal(number);
  if (!decimal) return NaN;
  const { digits, exponent } = decimal;
  const whole = { digits: digits * BigInt(unit), exponent };
  const bytes = scaledHalfUp(whole, 0);
  return compareDecimals(whole, { digits: bytes, exponent: 0 }) === 0 ? Number(bytes) : NaN;
}

/**
 * A bandwidth in bytes per nanosecond: `50GB/s` is 50, `1GiB/s` is 1.073741824, `400Gbps` is 50.
 * @throws PrepError `BANDWIDTH_MALFORMED`, also for 0
 */
export function parseBandwidthBytesPerNs(text: string): number {
  const match = NUMBER_WITH_UNIT.exec(text);
  const bits = match ? /^([KMGT])(?:bps|bit\/s|b\/s)$/.exec(match[2]) : null;
  const bytes = match ? /^([KMGT]i?)?B\/s$/.exec(match[2]) : null;
  const perSecond = bits ? BYTES[`${bits[1]}B`] / 8 : bytes ? BYTES[`${bytes[1] ?? ''}B`] : NaN;
  const bytesPerNs = match ? (Number(match[1]) * perSecond) / 1e9 : NaN;
  if (!(bytesPerNs > 0)) {
    throw requestError(
      'BANDWIDTH_MALFORMED',
      `bandwidth "${text}": expected a positive number and a unit such as GB/s, GiB/s or Gbps`,
    );
  }
  return bytesPerNs;
}
