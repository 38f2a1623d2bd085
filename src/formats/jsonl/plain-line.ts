import { isUtf8 } from 'node:buffer';
import { nodeTypeName } from '../../trace/node-type.js';
import { armName, FIRST_ARM, LAST_ARM } from '../et/attribute-arms.js';
import { putTemplate, Template } from '../et/attribute-templates.js';

/*
 * The line of a frame, bytes to bytes. A frame is plain where it is exactly what its line would be written back as: fields once
 * and in the order of the schema, packed lists, no defaults, shortest numbers, UTF-8. Nearly all frames are; for the
 * others, and for rare kinds of values, the caller takes the way through objects (`frame-line.ts`), which is also the twin
 * that the tests hold this one to.
 */

/** What an attribute's value of an arm is read as; 0 leaves it to the caller. */
const Form = { none: 0, double: 1, int32: 2, int64: 3, uint32: 4, uint64: 5, bool: 6, string: 7 } as const;
const FORM_BY_NAME: Readonly<Record<string, number>> = {
  double: Form.double,
  int32: Form.int32,
  int64: Form.int64,
  uint32: Form.uint32,
  uint64: Form.uint64,
  bool: Form.bool,
  string: Form.string,
};
/** [arm] form of the scalar or of the list's elements. */
const FORM = new Uint8Array(LAST_ARM + 1);
/** [arm] `,"int64":` as bytes. */
const MEMBER: Uint8Array[] = [];
for (let arm = FIRST_ARM; arm <= LAST_ARM; arm++) {
  const name = armName(arm).replace(/_(val|list)$/, '');
  FORM[arm] = FORM_BY_NAME[name] ?? Form.none;
  MEMBER[arm] = ascii(`,"${name}":`);
}

/** [type] `,"type":"COMP_NODE"` for the types that have a name. */
const TYPE = Array.from({ length: 128 }, (_, type) => {
  const name = nodeTypeName(type);
  return ascii(name.startsWith('NODE_TYPE_') ? `,"type":${type}` : `,"type":"${name}"`);
});
const ID = ascii('{"id":');
const NAME = ascii(',"name":');
const CONTROL = ascii(',"ctrlDeps":[');
const DATA = ascii(',"dataDeps":[');
const START = ascii(',"startTimeMicros":');
const DURATION = ascii(',"durationMicros":');
const INPUTS = ascii(',"inputs":{');
const OUTPUTS = ascii(',"outputs":{');
const IO = [ascii('"values":'), ascii('"shapes":'), ascii('"types":')];
const ATTRIBUTES = ascii(',"attr":[');
const ATTRIBUTE_NAME = ascii('{"name":');
const DOC = ascii(',"doc":');

/** [byte] 1 where a byte of a text stands in JSON as it is: neither control, quote, backslash, nor part of a longer character. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
);
const ESCAPES = Array.from({ length: 0x20 }, (_, byte) =>
  ascii(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
);

/** Texts longer than this are copied in one go behind a look at each byte. */
const LONG_TEXT = 40;

/** How an attribute begins, in the frame and in the line: traces have the same few on every node. */
interface AttributeStart {
  /** Name field and tag of the value in the frame, as words; the last one overlaps the one before. */
  readonly words: Int32Array;
  readonly length: number;
  readonly arm: number;
  readonly wire: number;
  /** `{"name":"comm_size","int64":` */
  readonly line: Template;
}
const STARTS = 512;

/** Longest number, bytes: 20 digits, a sign and two quotes, or a double. */
const NUMBER_BYTES = 32;
const TWO_32 = 0x100000000;

function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Collects lines of plain frames as bytes. */
export class PlainLines {
  /** Bytes of the whole lines so far. */
  length = 0;
  #out = new Uint8Array(1 << 17);
  #at = 0; // position in out
  #bytes: Uint8Array = new Uint8Array(0); // the frame
  #view: DataView = new DataView(new ArrayBuffer(0));
  #outView = new DataView(this.#out.buffer);
  readonly #starts: (AttributeStart | undefined)[] = new Array<AttributeStart | undefined>(STARTS);
  #low = 0; // the varint read last
  #high = 0;

  /** The lines so far; valid until the next one. */
  get bytes(): Uint8Array {
    return this.#out.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  /** Adds a line that somebody else made. */
  addLine(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#at = this.length;
    this.#room(bytes.length);
    this.#out.set(bytes, this.#at);
    this.length = this.#at + bytes.length;
  }

  /**
   * Adds the line of a node's frame, length included.
   * @returns false, with nothing added, where the frame is not plain
   */
  addNode(frame: Uint8Array): boolean {
    this.#at = this.length;
    if (frame.buffer !== this.#bytes.buffer) this.#view = new DataView(frame.buffer);
    this.#bytes = frame;
    const start = this.#varint(0, frame.length);
    if (start < 0 || this.#high !== 0 || this.#low >>> 0 !== frame.length - start) return false;
    // A line is at most six bytes a byte (\u0001), beside its members; attributes are the densest in members.
    this.#room(6 * frame.length + 1024);
    if (!this.#node(start, frame.length)) return false;
    this.#out[this.#at++] = 0x7d;
    this.#out[this.#at++] = 0x0a;
    this.length = this.#at;
    return true;
  }

  #node(start: number, end: number): boolean {
    const bytes = this.#bytes;
    let position = start;
    let tag = position < end ? bytes[position] : 0;
    this.#put(ID);
    if (tag === 0x08) {
      position = this.#unsigned(position + 1, end);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    } else this.#out[this.#at++] = 0x30;
    if (tag === 0x12) {
      this.#put(NAME);
      position = this.#text(position + 1, end, false);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x18) {
      const type = bytes[position + 1];
      if (position + 2 > end || type === 0 || type >= 0x80) return false;
      this.#put(TYPE[type]);
      position += 2;
      tag = position < end ? bytes[position] : 0;
    } else this.#put(TYPE[0]);
    if (tag === 0x22) {
      this.#put(CONTROL);
      position = this.#list(position + 1, end, Form.uint64);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x2a) {
      this.#put(DATA);
      position = this.#list(position + 1, end, Form.uint64);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x30) {
      this.#put(START);
      position = this.#unsigned(position + 1, end);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x38) {
      this.#put(DURATION);
      position = this.#unsigned(position + 1, end);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x42) {
      this.#put(INPUTS);
      position = this.#io(position + 1, end);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x4a) {
      this.#put(OUTPUTS);
      position = this.#io(position + 1, end);
      if (position < 0) return false;
      tag = position < end ? bytes[position] : 0;
    }
    if (tag === 0x52) {
      this.#put(ATTRIBUTES);
      for (;;) {
        position = this.#attribute(position + 1, end);
        if (position < 0) return false;
        if (position >= end || bytes[position] !== 0x52) break;
        this.#out[this.#at++] = 0x2c;
      }
      this.#out[this.#at++] = 0x5d;
    }
    return position === end;
  }

  /** The message of inputs or outputs behind its tag; gives the position behind it, −1 where it is not plain. */
  #io(position: number, end: number): number {
    const start = this.#delimited(position, end);
    if (start < 0) return -1;
    const bytes = this.#bytes;
    const stop = start + this.#low;
    let at = start;
    let isFirst = true;
    for (let member = 0; member < 3 && at < stop; member++) {
      if (bytes[at] !== 0x0a + 8 * member) continue;
      if (!isFirst) this.#out[this.#at++] = 0x2c;
      isFirst = false;
      this.#put(IO[member]);
      at = this.#text(at + 1, stop, false);
      if (at < 0) return -1;
    }
    if (at !== stop) return -1;
    this.#out[this.#at++] = 0x7d;
    return stop;
  }

  /** An attribute behind its tag; gives the position behind it, −1 where it is not plain. */
  #attribute(position: number, end: number): number {
    const start = this.#delimited(position, end);
    if (start < 0) return -1;
    const bytes = this.#bytes;
    const stop = start + this.#low;
    let at = start;
    this.#room(6 * (stop - start) + 64);
    const name = bytes[start + 1];
    const isShort = stop - start > 6 && bytes[start] === 0x0a && name >= 4 && name < 0x80 && start + 4 + name < stop;
    const place = isShort ? this.#startPlace(start, name) : -1;
    if (isShort) {
      const known = this.#starts[place];
      if (known !== undefined && this.#begins(start, known)) {
        this.#at = putTemplate(this.#outView, this.#at, known.line);
        const behind = this.#content(start + known.length, stop, known.arm, known.wire);
        if (behind !== stop) return -1;
        this.#out[this.#at++] = 0x7d;
        return stop;
      }
    }
    const lineStart = this.#at;
    this.#put(ATTRIBUTE_NAME);
    if (at < stop && bytes[at] === 0x0a) {
      at = this.#text(at + 1, stop, false);
      if (at < 0) return -1;
    } else {
      this.#out[this.#at++] = 0x22;
      this.#out[this.#at++] = 0x22;
    }
    if (at < stop && bytes[at] === 0x12) {
      this.#put(DOC);
      at = this.#text(at + 1, stop, false);
      if (at < 0) return -1;
    }
    if (at < stop) {
      let tag = bytes[at++];
      if (tag >= 0x80) {
        // Two bytes at most: arms end at 32.
        if (at >= stop || bytes[at] === 0 || bytes[at] > 2) return -1;
        tag = (tag & 0x7f) | (bytes[at++] << 7);
      }
      const arm = tag >>> 3;
      if (arm < FIRST_ARM || arm > LAST_ARM || FORM[arm] === Form.none) return -1;
      this.#put(MEMBER[arm]);
      if (isShort) this.#keepStart(place, start, at, lineStart, tag);
      at = this.#content(at, stop, arm, tag & 7);
    }
    if (at !== stop) return -1;
    this.#out[this.#at++] = 0x7d;
    return stop;
  }

  #startPlace(start: number, nameLength: number): number {
    const view = this.#view;
    const name = this.#bytes.byteOffset + start + 2;
    // The word that ends in the tag tells arms apart.
    const mixed =
      Math.imul(view.getInt32(name, true), 0x9e3779b1) ^
      Math.imul(view.getInt32(name + nameLength - 2, true), 0x85ebca6b) ^
      nameLength;
    return (mixed >>> 16) & (STARTS - 1);
  }

  #begins(start: number, { words, length }: AttributeStart): boolean {
    const view = this.#view;
    const first = this.#bytes.byteOffset + start;
    const last = words.length - 1;
    for (let word = 0; word < last; word++) if (view.getInt32(first + 4 * word, true) !== words[word]) return false;
    return view.getInt32(first + length - 4, true) === words[last];
  }

  #keepStart(place: number, start: number, end: number, lineStart: number, tag: number): void {
    const length = end - start;
    const view = this.#view;
    const first = this.#bytes.byteOffset + start;
    const words = new Int32Array(Math.ceil(length / 4));
    for (let word = 0; word < words.length; word++) {
      words[word] = view.getInt32(word === words.length - 1 ? first + length - 4 : first + 4 * word, true);
    }
    const line = new Template(this.#out.slice(lineStart, this.#at));
    this.#starts[place] = { words, length, arm: tag >>> 3, wire: tag & 7, line };
  }

  /** The value of an attribute behind the tag of its arm, written behind the member's name. */
  #content(position: number, end: number, arm: number, wire: number): number {
    const form = FORM[arm];
    if (arm % 2 === 1) return this.#scalar(position, end, form, wire);
    if (wire !== 2) return -1;
    const start = this.#delimited(position, end);
    if (start < 0) return -1;
    const stop = start + this.#low;
    this.#room(NUMBER_BYTES * (stop - start) + 64);
    this.#out[this.#at++] = 0x5b;
    if (start === stop) {
      this.#out[this.#at++] = 0x5d;
      return stop;
    }
    if (form === Form.string) return this.#texts(start, stop);
    if (form === Form.double || this.#bytes[start] !== 0x0a) return -1;
    return this.#list(start + 1, stop, form) === stop ? stop : -1;
  }

  /** Texts of a list, each with its tag. */
  #texts(start: number, stop: number): number {
    for (let at = start; at < stop;) {
      if (this.#bytes[at] !== 0x0a) return -1;
      if (at > start) this.#out[this.#at++] = 0x2c;
      at = this.#text(at + 1, stop, true);
      if (at < 0) return -1;
    }
    this.#out[this.#at++] = 0x5d;
    return stop;
  }

  #scalar(position: number, end: number, form: number, wire: number): number {
    if (form === Form.string) return wire === 2 ? this.#text(position, end, true) : -1;
    if (form === Form.double) return wire === 1 ? this.#double(position, end) : -1;
    if (wire !== 0) return -1;
    const next = this.#varint(position, end);
    return next < 0 || !this.#integer(form) ? -1 : next;
  }

  #double(position: number, end: number): number {
    if (position + 8 > end) return -1;
    const value = this.#view.getFloat64(this.#bytes.byteOffset + position, true);
    if (!Number.isFinite(value) || Object.is(value, -0)) return -1;
    this.#digits(String(value));
    return position + 8;
  }

  /** Packed numbers behind their tag, not none; writes them and the bracket behind. */
  #list(position: number, end: number, form: number): number {
    const start = this.#delimited(position, end);
    if (start < 0 || this.#low === 0) return -1;
    const stop = start + this.#low;
    this.#room(NUMBER_BYTES * this.#low + 1024 + 6 * (end - stop));
    for (let at = start; at < stop;) {
      if (at > start) this.#out[this.#at++] = 0x2c;
      at = this.#varint(at, stop);
      if (at < 0 || !this.#integer(form)) return -1;
    }
    this.#out[this.#at++] = 0x5d;
    return stop;
  }

  /** A varint of an unsigned field that is not its default. */
  #unsigned(position: number, end: number): number {
    const next = this.#varint(position, end);
    if (next < 0 || (this.#low | this.#high) === 0) return -1;
    return this.#integer(Form.uint64) ? next : -1;
  }

  /** Writes the varint read last; false where it is none that this form would be written as. */
  #integer(form: number): boolean {
    const low = this.#low;
    const high = this.#high;
    switch (form) {
      case Form.bool:
        if (high !== 0 || low >>> 0 > 1) return false;
        this.#digits(low === 1 ? 'true' : 'false');
        return true;
      case Form.int32:
        if (high !== low >> 31) return false;
        this.#whole(low);
        return true;
      case Form.uint32:
        if (high !== 0) return false;
        this.#whole(low >>> 0);
        return true;
      default: {
        const upper = form === Form.uint64 ? high >>> 0 : high;
        const value = upper * TWO_32 + (low >>> 0);
        if (Number.isSafeInteger(value)) {
          this.#whole(value);
          return true;
        }
        const bits = (BigInt(upper) << 32n) | BigInt(low >>> 0);
        this.#digits(`"${form === Form.uint64 ? bits : BigInt.asIntN(64, bits)}"`);
        return true;
      }
    }
  }

  #whole(value: number): void {
    if (value < 0 || value > 0x3fffffff) {
      this.#digits(String(value));
      return;
    }
    const out = this.#out;
    let rest = value | 0;
    let digits = 1;
    for (let limit = 10; rest >= limit && digits < 10; limit *= 10) digits++;
    let at = this.#at + digits;
    this.#at = at;
    do {
      const tenth = (rest / 10) | 0;
      out[--at] = 0x30 + rest - tenth * 10;
      rest = tenth;
    } while (rest !== 0);
  }

  #digits(text: string): void {
    const out = this.#out;
    for (let place = 0; place < text.length; place++) out[this.#at++] = text.charCodeAt(place);
  }

  /** A text behind its tag, in quotes. @param orEmpty whether one without bytes is plain */
  #text(position: number, end: number, orEmpty: boolean): number {
    const start = this.#delimited(position, end);
    if (start < 0 || (this.#low === 0 && !orEmpty)) return -1;
    const stop = start + this.#low;
    const bytes = this.#bytes;
    const out = this.#out;
    let at = this.#at;
    let wide = false;
    out[at++] = 0x22;
    let place = start;
    if (stop - start > LONG_TEXT) {
      while (place < stop && PLAIN[bytes[place]] === 1) place++;
      out.set(bytes.subarray(start, place), at);
      at += place - start;
    }
    for (; place < stop; place++) {
      const byte = bytes[place];
      if (PLAIN[byte] === 1) out[at++] = byte;
      else if (byte >= 0x80) {
        wide = true;
        out[at++] = byte;
      } else if (byte < 0x20) {
        const escape = ESCAPES[byte];
        for (let letter = 0; letter < escape.length; letter++) out[at++] = escape[letter];
      } else {
        out[at++] = 0x5c;
        out[at++] = byte;
      }
    }
    out[at++] = 0x22;
    this.#at = at;
    return wide && !isUtf8(bytes.subarray(start, stop)) ? -1 : stop;
  }

  /** A length into #low, shortest and inside; gives the position behind it. */
  #delimited(position: number, end: number): number {
    if (position < end && this.#bytes[position] < 0x80) {
      this.#low = this.#bytes[position];
      return position + 1 + this.#low > end ? -1 : position + 1;
    }
    const start = this.#varint(position, end);
    return start < 0 || this.#high !== 0 || this.#low < 0 || this.#low > end - start ? -1 : start;
  }

  /** A shortest varint into #low and #high; gives the position behind it, −1 where it is longer than need be or cut. */
  #varint(position: number, end: number): number {
    const bytes = this.#bytes;
    const start = position;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (position >= end || shift > 63) return -1;
      const byte = bytes[position++];
      const seven = byte & 0x7f;
      if (shift < 28) low |= seven << shift;
      else if (shift === 28) {
        low |= seven << 28;
        high |= seven >> 4;
      } else high |= seven << (shift - 32);
      if (byte < 0x80) {
        if (byte === 0 && position - start > 1) return -1;
        if (shift === 63 && byte > 1) return -1; // bits beyond 64
        break;
      }
    }
    this.#low = low;
    this.#high = high;
    return position;
  }

  #put(piece: Uint8Array): void {
    const out = this.#out;
    const at = this.#at;
    for (let place = 0; place < piece.length; place++) out[at + place] = piece[place];
    this.#at = at + piece.length;
  }

  #room(bytes: number): void {
    const wanted = this.#at + bytes;
    if (wanted <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#out.length));
    larger.set(this.#out.subarray(0, this.#at));
    this.#out = larger;
    this.#outView = new DataView(larger.buffer);
  }
}
