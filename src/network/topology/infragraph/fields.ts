import { shownValue } from '../malformed.js';
import type { PlacedDocument, Steps } from '../placed-document.js';

/** Keys that nobody reads, with the place of the first of each name. */
export type UnreadKeys = Map<string, { place: string; count: number }>;

/** An object of the document, whose values are asked for by key. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws PrepError `TOPOLOGY_MALFORMED` where the value is no object */
  constructor(
    readonly document: PlacedDocument,
    readonly steps: Steps,
    value: unknown,
    what: string,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw document.error(steps, `${what}: ${shownValue(value)}, expected an object`);
    }
    this.#values = value as Record<string, unknown>;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key) && this.#values[key] !== null;
  }

  get(key: string): unknown {
    return this.has(key) ? this.#values[key] : undefined;
  }

  at(...keys: Steps): Steps {
    return [...this.steps, ...keys];
  }

  error(key: string, message: string): Error {
    return this.document.error(this.at(key), message);
  }

  /** A name, which may be written as a number. */
  text(key: string): string {
    const value = this.get(key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
    throw this.error(
      key,
      value === undefined ? `${key} missing, expected a text` : `${key}: ${shownValue(value)}, expected a text`,
    );
  }

  /** A count from 1, or `undefined` where it is left out. */
  count(key: string): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
    throw this.error(key, `${key}: ${shownValue(value)}, expected a whole number from 1 to 1,000,000`);
  }

  /** An object inside, or `undefined`. */
  fields(key: string): Fields | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : new Fields(this.document, this.at(key), value, key);
  }

  /** Items of a list with their ways; none where it is left out. */
  items(key: string): { value: unknown; steps: Steps }[] {
    const value = this.get(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.error(key, `${key}: ${shownValue(value)}, expected a list`);
    return value.map((item: unknown, index) => ({ value: item, steps: this.at(key, index) }));
  }

  /** Objects of a list; none where it is left out. */
  objects(key: string): Fields[] {
    return this.items(key).map(({ value, steps }) => new Fields(this.document, steps, value, `an item of ${key}`));
  }

  /** Counts the keys that are none of these. */
  countUnread(known: readonly string[], unread: UnreadKeys): void {
    for (const key of Object.keys(this.#values)) {
      if (known.includes(key)) continue;
      const seen = unread.get(key);
      if (seen === undefined) unread.set(key, { place: this.document.keyPlace(this.at(key)), count: 1 });
      else seen.count++;
    }
  }
}
