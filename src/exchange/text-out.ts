const FLUSH_BYTES = 1 << 18;
/** Longest thing that is written at once without a look at the room: a number. */
const SPARE = 64;

/** Writes ASCII text in pieces, numbers without a text each. */
export class TextOut {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #bytes = new Uint8Array(FLUSH_BYTES + SPARE);
  #length = 0;

  /** @param write takes bytes that are valid until it returns */
  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  text(text: string): void {
    for (let at = 0; at < text.length; at++) {
      if (this.#length >= FLUSH_BYTES) this.flush();
      this.#bytes[this.#length++] = text.charCodeAt(at);
    }
  }

  /** A whole number from 0 to 2^53. */
  integer(value: number): void {
    if (this.#length >= FLUSH_BYTES) this.flush();
    if (value >= 1e9) {
      this.text(String(value));
      return;
    }
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    const end = (this.#length += digits);
    let rest = value | 0;
    for (let at = end - 1; at >= end - digits; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = 48 + rest - 10 * next;
      rest = next;
    }
  }

  /** Hands on what is left. */
  flush(): void {
    if (this.#length > 0) this.#write(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }
}
