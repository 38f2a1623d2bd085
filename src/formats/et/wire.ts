/**
 * The protobuf wire format, as far as `.et` files need it: varints, tags, and a walk over the fields of a message for
 * places where speed is no matter.
 */

/** What the bytes are not; the reader of the file turns it into an error that names frame and offset. */
export class MalformedWire extends Error {
  /** @param position place in the bytes that were being read */
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/** Wire types by number. */
export const Wire = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** The 64-bit number read last, [low, high]. An array, because two returned numbers would be an object a varint. */
export const halves = new Int32Array(2);

/** A position behind every end: what {@link readVarint} gives for a varint longer than ten bytes. */
export const BEYOND = 0x7fffffff;

/** Reads a varint into {@link halves} and gives the position behind it; the caller compares that with its end. */
export function readVarint(bytes: Uint8Array, position: number): number {
  let byte = bytes[position++];
  let low = byte & 127;
  let high = 0;
  // Written out: a loop with a shift count costs a third more.
  if (byte >= 128) {
    byte = bytes[position++];
    low |= (byte & 127) << 7;
    if (byte >= 128) {
      byte = bytes[position++];
      low |= (byte & 127) << 14;
      if (byte >= 128) {
        byte = bytes[position++];
        low |= (byte & 127) << 21;
        if (byte >= 128) {
          byte = bytes[position++];
          low |= byte << 28;
          high = (byte & 127) >> 4;
          for (let shift = 3; byte >= 128; shift += 7) {
            if (shift > 31) return BEYOND;
            byte = bytes[position++];
            high |= (byte & 127) << shift;
          }
        }
      }
    }
  }
  halves[0] = low;
  halves[1] = high;
  return position;
}

/** Reads the length of a message, text or list that must end by `end`, into `halves[0]`; gives the position behind it. */
export function readLength(bytes: Uint8Array, position: number, end: number): number {
  const start = readVarint(bytes, position);
  if (start > end) throw new MalformedWire('a length runs past the end of its message', position);
  if (halves[1] !== 0 || halves[0] < 0 || halves[0] > end - start) {
    throw new MalformedWire('a field is longer than its message', position);
  }
  return start;
}

/** The position behind a field whose tag ended at `position`. */
export function skipField(bytes: Uint8Array, position: number, end: number, tag: number): number {
  switch (tag & 7) {
    case Wire.varint:
      return within(readVarint(bytes, position), end, position);
    case Wire.fixed64:
      return within(position + 8, end, position);
    case Wire.fixed32:
      return within(position + 4, end, position);
    case Wire.delimited: {
      const start = readLength(bytes, position, end);
      return start + halves[0];
    }
    case Wire.startGroup:
      return skipGroup(bytes, position, end);
    default:
      throw new MalformedWire(`wire type ${tag & 7} does not exist here`, position);
  }
}

function skipGroup(bytes: Uint8Array, position: number, end: number): number {
  let open = 1;
  while (open > 0) {
    const start = position;
    position = within(readVarint(bytes, position), end, start);
    const tag = halves[0];
    if ((tag & 7) === Wire.startGroup) open++;
    else if ((tag & 7) === Wire.endGroup) open--;
    else position = skipField(bytes, position, end, tag);
  }
  return position;
}

function within(position: number, end: number, start: number): number {
  if (position > end) throw new MalformedWire('a field runs past the end of its message', start);
  return position;
}

/**
 * Walks the fields of a message in order, for everything outside the hot loops.
 *
 *     const fields = new FieldWalk(bytes, start, end);
 *     while (fields.next()) if (fields.number === 2) …
 */
export class FieldWalk {
  /** Field number. */
  number = 0;
  /** Wire type. */
  wire = 0;
  /** Where the field begins: its tag. */
  fieldStart = 0;
  /** The content: of a delimited field the bytes behind its length, of others the bytes behind the tag. */
  start = 0;
  end = 0;

  #position: number;
  #messageEnd: number;

  constructor(
    public bytes: Uint8Array,
    start = 0,
    end = bytes.length,
  ) {
    this.#position = start;
    this.#messageEnd = end;
  }

  /** Begins again with another message. */
  over(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes;
    this.#position = start;
    this.#messageEnd = end;
    return this;
  }

  /** Goes to the next field; false at the end of the message. Throws {@link MalformedWire}. */
  next(): boolean {
    const { bytes } = this;
    const messageEnd = this.#messageEnd;
    let position = this.#position;
    if (position >= messageEnd) return false;
    this.fieldStart = position;
    let tag = bytes[position];
    if (tag < 128) position++;
    else {
      position = within(readVarint(bytes, position), messageEnd, position);
      tag = halves[0];
      if (halves[1] !== 0) throw new MalformedWire('a field has no valid number', this.fieldStart);
    }
    this.number = tag >>> 3;
    this.wire = tag & 7;
    if (this.number === 0) throw new MalformedWire('a field has no valid number', this.fieldStart);
    let end: number;
    if (this.wire !== Wire.delimited) end = skipField(bytes, position, messageEnd, tag);
    else {
      const length = bytes[position];
      if (length < 128) end = within(++position + length, messageEnd, position);
      else {
        position = readLength(bytes, position, messageEnd);
        end = position + halves[0];
      }
    }
    this.start = position;
    this.end = end;
    this.#position = end;
    return true;
  }

  /** Reads the varint, fixed32 or fixed64 content into {@link halves}. */
  number64(): void {
    readNumber(this.bytes, this.start, this.wire);
  }

  /** The content of a delimited field as text. */
  text(): string {
    return readText(this.bytes, this.start, this.end);
  }
}

/** Reads a number of this wire type into {@link halves} and gives the position behind it. */
export function readNumber(bytes: Uint8Array, position: number, wire: number): number {
  if (wire === Wire.varint) return readVarint(bytes, position);
  halves[0] = word(bytes, position);
  halves[1] = wire === Wire.fixed64 ? word(bytes, position + 4) : 0;
  return position + (wire === Wire.fixed64 ? 8 : 4);
}

function word(bytes: Uint8Array, position: number): number {
  return bytes[position] | (bytes[position + 1] << 8) | (bytes[position + 2] << 16) | (bytes[position + 3] << 24);
}

const decoder = new TextDecoder();

/** UTF-8 text of [start, end). */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
