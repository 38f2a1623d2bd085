import { compareDecimals, parseDecimal, type Decimal } from '../../base/decimal.js';
import { PrepError } from '../../base/errors.js';
import { parseTimePs } from '../../base/units.js';

/** Powers of ten that make Gbit/s of a number with each letter before `bps` or `b/s`. */
const RATE_LETTERS: Readonly<Record<string, number>> = { '': -9, k: -6, K: -6, M: -3, G: 0, T: 3 };
const RATE = /^([0-9.]+(?:[eE][+-]?[0-9]+)?)([kKMGT]?)(?:bps|b\/s)$/;
const TIME_UNITS = ['ps', 'ns', 'us', 'ms', 's'] as const;

export type TimeUnit = (typeof TIME_UNITS)[number];

/** What a value of a link should have been; the reader adds the place. */
export class ValueFault extends Error {}

/**
 * A rate with its unit, such as `400Gbps` or `2.5Tb/s`, in Gbit/s: the double nearest to the decimal that is written.
 * @throws ValueFault
 */
export function rateWithUnit(text: string): number {
  const match = RATE.exec(text);
  const decimal = match === null ? undefined : parseDecimal(match[1]);
  if (match === null || decimal === undefined) {
    throw new ValueFault(`rate ${text}: expected a number and one of bps, Kbps, Mbps, Gbps, Tbps, such as 400Gbps`);
  }
  return positive(decimal, RATE_LETTERS[match[2]], `rate ${text}`);
}

/** A bare number of units that are 10^`power` Gbit/s, as in {@link rateWithUnit}; a number from JSON is its shortest text. */
export function rateOf(text: string, power = 0): number {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new ValueFault(`rate ${text}: expected a number above 0`);
  return positive(decimal, power, `rate ${text}`);
}

/** A bare number of gigabytes a second. @throws ValueFault */
export function rateOfGigabytes(text: string): number {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new ValueFault(`rate ${text}: expected a number above 0`);
  return positive({ digits: decimal.digits * 8n, exponent: decimal.exponent }, 0, `rate ${text}`);
}

function positive({ digits, exponent }: Decimal, power: number, subject: string): number {
  const gbps = Number(`${digits}e${exponent + power}`);
  if (!(gbps > 0 && gbps < Infinity)) throw new ValueFault(`${subject}: expected a rate above 0`);
  return gbps;
}

/** A delay with its unit, such as `0.0005ms`, in whole ps, halves up. @throws ValueFault also between 0 and 0.5 ps */
export function delayWithUnit(text: string): number {
  const unit = /[a-z]+$/.exec(text)?.[0] as TimeUnit | undefined;
  if (unit === undefined || !TIME_UNITS.includes(unit)) {
    throw new ValueFault(`delay ${text}: expected a number and one of ${TIME_UNITS.join(', ')}, such as 500ns`);
  }
  return delayOf(text.slice(0, -unit.length), unit);
}

/** A bare number of a unit of time in whole ps, as {@link delayWithUnit}. */
export function delayOf(text: string, unit: TimeUnit): number {
  if (parseDecimal(text) === undefined) throw new ValueFault(`delay ${text}: expected a number of ${unit}, 0 or more`);
  try {
    return parseTimePs(`${text}${unit}`, 'delay');
  } catch (error) {
    if (error instanceof PrepError) throw new ValueFault(error.message);
    throw error;
  }
}

const ONE: Decimal = { digits: 1n, exponent: 0 };

/** A probability of loss, from 0 to below 1. @throws ValueFault */
export function lossOf(text: string): number {
  const decimal = parseDecimal(text);
  if (decimal === undefined || compareDecimals(decimal, ONE) >= 0 || Number(text) >= 1) {
    throw new ValueFault(`error rate ${text}: expected a probability from 0 to below 1`);
  }
  return Number(text);
}
