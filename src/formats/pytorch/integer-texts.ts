import type { JsonValue } from '../json/json-value.js';

/** Integers of a list or of its text "[1, 2]"; `undefined` for anything else, a text that was cut among it. */
export function integersOf(value: JsonValue | undefined): readonly number[] | undefined {
  if (Array.isArray(value)) {
    return value.every((entry) => Number.isSafeInteger(entry)) ? (value as number[]) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const inside = /^\s*\[([-0-9,\s]*)\]\s*$/.exec(value)?.[1].trim();
  if (inside === undefined) return undefined;
  if (inside === '') return [];
  const numbers = inside.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
  return numbers.every(Number.isSafeInteger) ? numbers : undefined;
}
