/**
 * Cuts a stream of `.et` bytes into frames. `visit` gets the whole frame and where its message begins; the bytes are
 * valid during the call.
 */
export class FrameCutter {
  #pending: Uint8Array = new Uint8Array(0);
  readonly #visit: (frame: Uint8Array, messageStart: number) => void;

  constructor(visit: (frame: Uint8Array, messageStart: number) => void) {
    this.#visit = visit;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Uint8Array): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let start = 0;
    for (;;) {
      let length = 0;
      let position = start;
      let scale = 1;
      let complete = false;
      while (position < bytes.length && !complete) {
        const byte = bytes[position++];
        length += (byte & 0x7f) * scale;
        scale *= 128;
        complete = byte < 0x80;
      }
      if (!complete || length > bytes.length - position) break;
      this.#visit(bytes.subarray(start, position + length), position - start);
      start = position + length;
    }
    this.#pending = bytes.slice(start);
  }

  /** The bytes behind the last whole frame. */
  get rest(): Uint8Array {
    return this.#pending;
  }
}
