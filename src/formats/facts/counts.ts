import { ownValue, setOwn } from '../../base/named-values.js';

/** Number of things by name. */
export type Counts = Record<string, number>;

/** @param name from a file, so that it may be any, `constructor` among them */
export function addTo(counts: Counts, name: string, value = 1): void {
  setOwn(counts, name, (ownValue(counts, name) ?? 0) + value);
}

/** How many of the objects have each key. */
export function keyCounts(objects: readonly object[]): Counts {
  const counts: Counts = {};
  for (const object of objects) for (const key of Object.keys(object)) addTo(counts, key);
  return counts;
}

/** Ids that occur more than once. */
export function duplicateIds(ids: readonly unknown[]): number {
  const seen = new Set<unknown>();
  const twice = new Set<unknown>();
  for (const id of ids) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return twice.size;
}

/** Sums of measured times are shown to the nanosecond, as they are recorded. */
export function toNanosecond(micros: number): number {
  return Math.round(micros * 1000) / 1000;
}
