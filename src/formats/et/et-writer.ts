import type { TraceMetadata } from '../../trace/rank-trace.js';
import { Arm, ARM_WIRE } from './attribute-arms.js';
import { encodeMetadata } from './metadata.js';
import { lengthSize, putInteger, putLengthBefore, putVarint64, VARINT_BYTES } from './wire-write.js';

/** Field numbers of a node, as tags of their wire type (chakra-format section 2). */
const Tag = { id: 0x08, name: 0x12, type: 0x18, control: 0x22, data: 0x2a, start: 0x30, duration: 0x38 } as const;
const TAG_OF_IO = { inputs: 0x42, outputs: 0x4a } as const;
const ATTRIBUTE = 0x52;

/** Bytes left free before a message whose length is not known yet. */
const RESERVED = 3;
/** Room at first: files of many ranks are small. It doubles up to what is written at once. */
const FIRST_BYTES = 1 << 16;
/** What is written at once. */
const FLUSH_BYTES = 1 << 20;

const encoder = new TextEncoder();

/** Name and arm of an attribute that is written again and again: everything between its length and its value. */
export interface AttributeHead {
  readonly arm: number;
  readonly bytes: Uint8Array;
}

/** The head of an attribute with the arm (an `Arm` number) that official readers expect (chakra-format section 21). */
export function attributeHead(name: string, arm: number): AttributeHead {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(text.length + 2 * VARINT_BYTES);
  bytes[0] = 0x0a;
  let position = putInteger(bytes, 1, text.length);
  bytes.set(text, position);
  position += text.length;
  if (arm !== Arm.unset) position = putInteger(bytes, position, (arm << 3) | ARM_WIRE[arm]);
  return { arm, bytes: bytes.slice(0, position) };
}

/**
 * Writes the `.et` file of a trace that was made and not read, node by node, in constant memory: `metadata`, then for
 * each node `begin`, what it has in the order of the methods below, `end`; and `finish` behind the last. A value that is the
 * schema's default is left out as the schema wants it.
 */
export class EtWriter {
  /** Nodes so far. */
  nodes = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #start = 0; // where the message of the node begins
  readonly #write: (bytes: Uint8Array) => void;

  /** @param write takes bytes that are valid until it returns */
  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** The first frame, once. */
  metadata(metadata: TraceMetadata): void {
    const message = encodeMetadata(metadata);
    this.#room(message.length + VARINT_BYTES);
    this.#length = putInteger(this.#bytes, this.#length, message.length);
    this.#raw(message);
  }

  /** @param name text, or its UTF-8 bytes @param type a NodeType */
  begin(id: number | bigint, name: string | Uint8Array, type: number): void {
    this.#room(RESERVED + 3 * VARINT_BYTES);
    this.#length += RESERVED;
    this.#start = this.#length;
    if (typeof id === 'bigint') {
      if (id !== 0n) {
        this.#bytes[this.#length++] = Tag.id;
        this.#length = putVarint64(this.#bytes, this.#length, Number(id & 0xffffffffn), Number(id >> 32n));
      }
    } else this.#number(Tag.id, id);
    if (name.length > 0) {
      this.#bytes[this.#length++] = Tag.name;
      this.#delimited(name);
    }
    this.#room(2 * VARINT_BYTES);
    this.#number(Tag.type, type);
  }

  /** Ids [from, to) of a list as control dependencies. */
  control(ids: ArrayLike<number>, from = 0, to = ids.length): void {
    this.#ids(Tag.control, ids, from, to);
  }

  /** Ids [from, to) of a list as data dependencies. */
  data(ids: ArrayLike<number>, from = 0, to = ids.length): void {
    this.#ids(Tag.data, ids, from, to);
  }

  startMicros(micros: number): void {
    this.#room(2 * VARINT_BYTES);
    this.#number(Tag.start, micros);
  }

  durationMicros(micros: number): void {
    this.#room(2 * VARINT_BYTES);
    this.#number(Tag.duration, micros);
  }

  /** Texts of `inputs` or `outputs`; three empty ones write an empty message, which says that they are there. */
  io(
    which: keyof typeof TAG_OF_IO,
    values: string | Uint8Array,
    shapes: string | Uint8Array,
    types: string | Uint8Array,
  ) {
    this.#room(1 + 2 * VARINT_BYTES);
    this.#bytes[this.#length++] = TAG_OF_IO[which];
    this.#length += RESERVED;
    const start = this.#length;
    this.#text(0x0a, values);
    this.#text(0x12, shapes);
    this.#text(0x1a, types);
    this.#close(start);
  }

  /** An attribute of one of the integer arms or bool; `value` below 2^53 in size. */
  integer(head: AttributeHead, value: number): void {
    const { bytes: name } = head;
    this.#room(name.length + 3 * VARINT_BYTES);
    this.#bytes[this.#length++] = ATTRIBUTE;
    const lengthAt = this.#length++;
    this.#bytes.set(name, this.#length);
    this.#length = putInteger(this.#bytes, this.#length + name.length, value);
    this.#bytes[lengthAt] = this.#length - lengthAt - 1; // names are short: one byte
  }

  /** A text or bytes attribute. */
  text(head: AttributeHead, value: string | Uint8Array): void {
    const content = typeof value === 'string' ? encoder.encode(value) : value;
    const { bytes: name } = head;
    const inner = name.length + lengthSize(content.length) + content.length;
    this.#room(name.length + content.length + 3 * VARINT_BYTES);
    this.#bytes[this.#length++] = ATTRIBUTE;
    this.#length = putInteger(this.#bytes, this.#length, inner);
    this.#raw(name);
    this.#length = putInteger(this.#bytes, this.#length, content.length);
    this.#raw(content);
  }

  /** A list of integers or bools, packed. */
  integers(head: AttributeHead, values: ArrayLike<number>): void {
    this.#room(VARINT_BYTES * (values.length + 4));
    const list = new Uint8Array(VARINT_BYTES * values.length);
    let length = 0;
    for (let place = 0; place < values.length; place++) length = putInteger(list, length, values[place]);
    const content = new Uint8Array(length + VARINT_BYTES);
    content[0] = 0x0a;
    const start = putInteger(content, 1, length);
    content.set(list.subarray(0, length), start);
    this.text(head, content.subarray(0, length === 0 ? 0 : start + length));
  }

  /** A list of texts. */
  texts(head: AttributeHead, values: readonly string[]): void {
    const parts = values.map((value) => encoder.encode(value));
    const content = new Uint8Array(parts.reduce((sum, part) => sum + part.length + VARINT_BYTES, 0));
    let length = 0;
    for (const part of parts) {
      content[length++] = 0x0a;
      length = putInteger(content, length, part.length);
      content.set(part, length);
      length += part.length;
    }
    this.text(head, content.subarray(0, length));
  }

  /** A whole attribute message that somebody encoded. */
  attribute(message: Uint8Array): void {
    this.#room(1);
    this.#bytes[this.#length++] = ATTRIBUTE;
    this.#delimited(message);
  }

  /** Closes the node. */
  end(): void {
    this.#close(this.#start);
    this.nodes++;
    if (this.#length >= FLUSH_BYTES) this.#flush();
  }

  /** Hands on what is left. */
  finish(): void {
    if (this.#length > 0) this.#flush();
  }

  #flush(): void {
    this.#write(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }

  #close(start: number): void {
    this.#room(VARINT_BYTES);
    this.#length = putLengthBefore(this.#bytes, start, RESERVED, this.#length);
  }

  #number(tag: number, value: number): void {
    if (value === 0) return;
    this.#bytes[this.#length++] = tag;
    this.#length = putInteger(this.#bytes, this.#length, value);
  }

  #text(tag: number, text: string | Uint8Array): void {
    if (text.length === 0) return;
    this.#room(1);
    this.#bytes[this.#length++] = tag;
    this.#delimited(text);
  }

  #delimited(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    this.#room(bytes.length + VARINT_BYTES);
    this.#length = putInteger(this.#bytes, this.#length, bytes.length);
    this.#raw(bytes);
  }

  #ids(tag: number, ids: ArrayLike<number>, from: number, to: number): void {
    if (from >= to) return;
    this.#room(VARINT_BYTES * (to - from + 2));
    this.#bytes[this.#length++] = tag;
    this.#length += RESERVED;
    const start = this.#length;
    for (let place = from; place < to; place++) this.#length = putInteger(this.#bytes, this.#length, ids[place]);
    this.#close(start);
  }

  #raw(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(wanted, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
