import type { ByteSource } from '../../base/byte-source.js';

const WINDOW_BYTES = 1 << 20;

/** A piece of a source that moves along while frames are read back in order. */
export class SourceWindow {
  /** The bytes of the window, and a view over the same bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;

  constructor(readonly source: ByteSource) {}

  /** Makes [offset, offset + length) of the source part of the window and gives its place there. */
  place(offset: number, length: number): number {
    const inside = offset - this.#start;
    if (inside >= 0 && inside + length <= this.bytes.length) return inside;
    const window = this.source.read(offset, Math.min(Math.max(length, WINDOW_BYTES), this.source.length - offset));
    this.bytes = new Uint8Array(window.buffer, window.byteOffset, window.length);
    this.view = new DataView(window.buffer, window.byteOffset, window.length);
    this.#start = offset;
    return 0;
  }
}
