import { putLengthBefore, putVarint64, VARINT_BYTES } from '../et/wire-write.js';

/** Bytes that grow as they are written, with the few shapes of the protobuf wire format. */
export class ByteWriter {
  length = 0;
  #bytes: Uint8Array;
  #view: DataView;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** What was written; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A varint of the 64 bits of two 32-bit halves. */
  varint(low: number, high = 0): void {
    this.#reserve(VARINT_BYTES);
    this.length = putVarint64(this.#bytes, this.length, low, high);
  }

  tag(field: number, wire: number): void {
    this.varint((field << 3) | wire);
  }

  fixed32(low: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.length, low >>> 0, true);
    this.length += 4;
  }

  fixed64(low: number, high: number): void {
    this.fixed32(low);
    this.fixed32(high);
  }

  float(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.length, value, true);
    this.length += 4;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** A length and what `write` adds. */
  delimited(write: () => void): void {
    this.#reserve(1);
    const start = ++this.length; // one byte is left free for the length
    write();
    this.#reserve(VARINT_BYTES);
    this.length = putLengthBefore(this.#bytes, start, 1, this.length);
  }

  #reserve(count: number): void {
    const wanted = this.length + count;
    if (wanted <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(wanted, this.#bytes.length * 2));
    larger.set(this.bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
