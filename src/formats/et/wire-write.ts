/** Writing the protobuf wire format: varints into a buffer that has room, and whole messages where speed is no matter. */

const TWO_32 = 0x100000000;

/** Longest varint, bytes. */
export const VARINT_BYTES = 10;

/** Writes a 64-bit number given by its halves; gives the position behind it. */
export function putVarint64(bytes: Uint8Array, position: number, low: number, high: number): number {
  low >>>= 0;
  high >>>= 0;
  while (high !== 0) {
    bytes[position++] = (low & 127) | 128;
    low = ((low >>> 7) | (high << 25)) >>> 0;
    high >>>= 7;
  }
  while (low > 127) {
    bytes[position++] = (low & 127) | 128;
    low >>>= 7;
  }
  bytes[position++] = low;
  return position;
}

/** Writes an integer between −2^53 and 2^53 as int64, int32 or uint64 would; gives the position behind it. */
export function putInteger(bytes: Uint8Array, position: number, value: number): number {
  if (value >= 0 && value < 0x80000000) {
    let rest = value | 0;
    while (rest > 127) {
      bytes[position++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[position++] = rest;
    return position;
  }
  return putVarint64(bytes, position, value | 0, Math.floor(value / TWO_32) | 0);
}

/** Bytes of a non-negative 32-bit number as a varint. */
export function lengthSize(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x200000 ? 3 : length < 0x10000000 ? 4 : 5;
}

/** Bytes of a 64-bit number as a varint. */
export function varint64Size(low: number, high: number): number {
  const bits = high !== 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
  return bits === 0 ? 1 : Math.ceil(bits / 7);
}

/**
 * Puts the length in front of a message that was written at `start` with `reserved` bytes left free before it, moving
 * the message when its length needs more or fewer; gives the position behind the message.
 */
export function putLengthBefore(bytes: Uint8Array, start: number, reserved: number, end: number): number {
  const length = end - start;
  const size = lengthSize(length);
  const messageStart = start + size - reserved;
  if (size !== reserved) bytes.copyWithin(messageStart, start, end);
  putInteger(bytes, start - reserved, length);
  return messageStart + length;
}

const encoder = new TextEncoder();

/** A message that grows, for everything outside the hot loops. */
export class MessageWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** A varint field. */
  integer(field: number, value: number): this {
    this.#room(2 * VARINT_BYTES);
    this.#length = putInteger(this.#bytes, this.#length, field << 3);
    this.#length = putInteger(this.#bytes, this.#length, value);
    return this;
  }

  /** A text, bytes or message field. */
  delimited(field: number, content: Uint8Array | string | MessageWriter): this {
    const bytes = typeof content === 'string' ? encoder.encode(content) : contentOf(content);
    this.#room(2 * VARINT_BYTES);
    this.#length = putInteger(this.#bytes, this.#length, (field << 3) | 2);
    this.#length = putInteger(this.#bytes, this.#length, bytes.length);
    return this.raw(bytes);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** The message; a view that is valid until the writer is used again. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function contentOf(content: Uint8Array | MessageWriter): Uint8Array {
  return content instanceof MessageWriter ? content.finish() : content;
}
