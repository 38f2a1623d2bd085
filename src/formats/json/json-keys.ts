/** Key that is none of the set. */
export const KEY_UNKNOWN = -1;
/** The object ended. */
export const KEY_END = -2;

/** Multipliers that are tried until no two keys share a slot; keys that then still do are compared one after the other. */
const MOST_ATTEMPTS = 200;

/**
 * A small set of texts that bytes are matched against without making a string of them: a slot that depends on the length
 * and three bytes, and one comparison. A match is the place of the text in the list.
 */
export class JsonKeys {
  readonly #texts: readonly string[];
  readonly #keys: readonly Uint8Array[];
  readonly #slots: Int16Array; // [power of two] place of the first key, −1 for none
  readonly #next: Int16Array; // [keys] place of the next key in the same slot, −1 for none
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
    this.#next = new Int16Array(texts.length);
    let attempt = 1;
    while (!this.#place(attempt) && attempt < MOST_ATTEMPTS) attempt++;
  }

  /** Place of the text that the bytes [from, to) spell, KEY_UNKNOWN for none. */
  match(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length === 0) return KEY_UNKNOWN;
    let place = this.#slots[this.#slot(bytes, from, length)];
    while (place >= 0 && !this.#equals(place, bytes, from, length)) place = this.#next[place];
    return place;
  }

  /** The same for a text. */
  indexOf(text: string): number {
    return this.#texts.indexOf(text);
  }

  #equals(place: number, bytes: Uint8Array, from: number, length: number): boolean {
    const key = this.#keys[place];
    if (key.length !== length) return false;
    for (let at = 0; at < length; at++) if (key[at] !== bytes[from + at]) return false;
    return true;
  }

  #slot(bytes: Uint8Array, from: number, length: number): number {
    const first = bytes[from] * this.#first;
    const middle = bytes[from + (length >> 1)] * this.#middle;
    const last = bytes[from + length - 1] * this.#last;
    return (first + middle + last + length * this.#length) & this.#mask;
  }

  /** Whether no two keys share a slot. */
  #place(attempt: number): boolean {
    // Odd numbers that differ from attempt to attempt.
    this.#first = 2 * attempt + 1;
    this.#middle = 4 * ((attempt * 7) % 61) + 3;
    this.#last = 2 * ((attempt * 13) % 97) + 7;
    this.#length = 2 * ((attempt * 29) % 53) + 5;
    this.#slots.fill(-1);
    let alone = true;
    this.#keys.forEach((key, place) => {
      const slot = this.#slot(key, 0, key.length);
      if (this.#slots[slot] >= 0) alone = false;
      this.#next[place] = this.#slots[slot];
      this.#slots[slot] = place;
    });
    return alone;
  }
}
