/** Key that is none of the set. */
export const KEY_UNKNOWN = -1;
/** The object ended. */
export const KEY_END = -2;

/** Multipliers that are tried until no two keys share a slot. */
const MOST_ATTEMPTS = 10_000;

/**
 * A small set of texts that bytes are matched against without making a string of them: a slot that depends on the length
 * and three bytes, and one comparison. A match is the place of the text in the list.
 */
export class JsonKeys {
  readonly #texts: readonly string[];
  readonly #keys: readonly Uint8Array[];
  readonly #slots: Int16Array; // [power of two] place of the key, −1 for none
  readonly #mask: number;
  #first = 0;
  #middle = 0;
  #last = 0;
  #length = 0;

  /** @param texts not empty, none twice, ASCII */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#keys = texts.map((text) => Uint8Array.from(Buffer.from(text, 'latin1')));
    let size = 8;
    while (size < 8 * texts.length) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int16Array(size);
    for (let attempt = 1; !this.#place(attempt); attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new RangeError(`no table for the keys ${texts.join(', ')}`);
    }
  }

  /** Place of the text that the bytes [from, to) spell, KEY_UNKNOWN for none. */
  match(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length === 0) return KEY_UNKNOWN;
    const place = this.#slots[this.#slot(bytes, from, length)];
    if (place < 0) return KEY_UNKNOWN;
    const key = this.#keys[place];
    if (key.length !== length) return KEY_UNKNOWN;
    for (let at = 0; at < length; at++) if (key[at] !== bytes[from + at]) return KEY_UNKNOWN;
    return place;
  }

  /** The same for a text. */
  indexOf(text: string): number {
    return this.#texts.indexOf(text);
  }

  #slot(bytes: Uint8Array, from: number, length: number): number {
    const first = bytes[from] * this.#first;
    const middle = bytes[from + (length >> 1)] * this.#middle;
    const last = bytes[from + length - 1] * this.#last;
    return (first + middle + last + length * this.#length) & this.#mask;
  }

  #place(attempt: number): boolean {
    // Odd numbers that differ from attempt to attempt.
    this.#first = 2 * attempt + 1;
    this.#middle = 4 * ((attempt * 7) % 61) + 3;
    this.#last = 2 * ((attempt * 13) % 97) + 7;
    this.#length = 2 * ((attempt * 29) % 53) + 5;
    this.#slots.fill(-1);
    return this.#keys.every((key, place) => {
      const slot = this.#slot(key, 0, key.length);
      if (this.#slots[slot] >= 0) return false;
      this.#slots[slot] = place;
      return true;
    });
  }
}
