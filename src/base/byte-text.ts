import { grouped } from './counts.js';

/** Units in which an amount is said, larger ones first: powers of two before powers of ten. */
const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
];

/** Longest exact text of {@link shortBytes}. */
const SHORT = 9;

/**
 * An amount of bytes, exactly, in a unit where that is short: `4 MiB`, `1.5 MB`, `12,345,677 B`. A unit is taken where at
 * most three digits, or four of a power of two, and two decimals say the amount.
 */
export function exactBytes(bytes: number): string {
  for (const [name, size] of UNITS) {
    const largest = name.includes('i') ? 1024 : 1000;
    if (bytes >= size && bytes < size * largest && (bytes * 100) % size === 0) return `${bytes / size} ${name}`;
  }
  return `${grouped(bytes)} B`;
}

/** The same where it is short, else rounded to three digits of a power of ten: `102 MB`, `1.07 GB`. */
export function shortBytes(bytes: number): string {
  const exact = exactBytes(bytes);
  if (exact.length <= SHORT) return exact;
  const [name, size] = UNITS.find(([unit, least]) => !unit.includes('i') && bytes >= least * 0.9995) ?? ['B', 1];
  return `${Number((bytes / size).toPrecision(3))} ${name}`;
}
