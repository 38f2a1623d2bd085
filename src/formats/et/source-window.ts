import type { ByteSource } from '../../base/byte-source.js';

const WINDOW_BYTES = 1 << 20;
const BYTES_AT_A_JUMP = 8 << 10;

/**
 * A piece of a source that moves along while frames are read back in order. At a jump it begins small again, so that
 * frames can be read back in any order.
 */
export class SourceWindow {
  /** The bytes of the window, and a view over the same bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;
  #ahead = WINDOW_BYTES;

  constructor(readonly source: ByteSource) {}

  /** Makes [offset, offset + length) of the source part of the window and gives its place there. */
  place(offset: number, length: number): number {
    const inside = offset - this.#start;
    if (inside >= 0 && inside + length <= this.bytes.length) return inside;
    const goesOn = inside >= 0 && inside <= 2 * this.bytes.length;
    // The first window is full: a trace is usually written in the order of its file.
    const ahead = goesOn || this.bytes.length === 0 ? 2 * this.#ahead : BYTES_AT_A_JUMP;
    this.#ahead = Math.min(ahead, WINDOW_BYTES);
    const window = this.source.read(offset, Math.min(Math.max(length, this.#ahead), this.source.length - offset));
    this.bytes = new Uint8Array(window.buffer, window.byteOffset, window.length);
    this.view = new DataView(window.buffer, window.byteOffset, window.length);
    this.#start = offset;
    return 0;
  }
}
