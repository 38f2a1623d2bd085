import { formatId } from '../base/ids.js';

/** Bytes gathered before they are handed on. */
const CHUNK_BYTES = 1 << 18;
/** Most bytes that one byte of a text takes when it is escaped: `&quot;`. */
const LONGEST_ESCAPE = 6;
const DIGITS = 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Text of constant parts as bytes. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** What each ASCII character becomes in a form; characters without an entry stay as they are. */
export type Escapes = readonly (Uint8Array | undefined)[];

/** The pictures of control characters (U+2400 to U+2421) stand for what a form cannot hold. */
function picture(code: number): Uint8Array {
  return utf8(String.fromCodePoint(code === 0x7f ? 0x2421 : 0x2400 + code));
}

function escapes(own: Readonly<Record<string, string>>): Escapes {
  return Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (Object.hasOwn(own, character)) return utf8(own[character]);
    return code < 0x20 && code !== 9 ? picture(code) : undefined;
  });
}

/** Text of XML elements and attributes; ends of lines survive the reader. */
export const XML_ESCAPES = escapes({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
});

/** Labels of Graphviz between quotes: `\N` and `&lt;` would mean something, and `\r` would move a line to the right. */
export const DOT_ESCAPES = escapes({ '"': '\\"', '\\': '\\\\', '&': '&amp;', '\n': '\\n', '\r': '\\n' });

/** Other values of Graphviz between quotes, which are kept as they are written. */
export const DOT_VALUE_ESCAPES = escapes({ '"': '\\"', '\\': '\\\\', '\n': '\n', '\r': '\n' });

/** Text as bytes, handed on by chunks; a chunk is valid only during the call that gets it. */
export class TextBytes {
  /** Characters that the form cannot hold and for which others stand. */
  replaced = 0;
  readonly #write: (chunk: Uint8Array) => void;
  #bytes = new Uint8Array(CHUNK_BYTES);
  #length = 0;

  constructor(write: (chunk: Uint8Array) => void) {
    this.#write = write;
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    const target = this.#bytes;
    let length = this.#length;
    // Short constants: a call into native code costs more than the loop.
    for (let at = 0; at < bytes.length; at++) target[length++] = bytes[at];
    this.#length = length;
  }

  /** Text as it is, with nothing to escape. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** A number as JavaScript writes it; whole ones below 2^31 fast. */
  number(value: number): void {
    if (value >= 0 && value <= 0x7fffffff && Number.isInteger(value)) this.#digits(value);
    else this.text(String(value));
  }

  /** An unsigned 64-bit number in two halves. */
  id(low: number, high: number): void {
    if (high === 0 && low >= 0 && low <= 0x7fffffff) this.#digits(low);
    else this.text(formatId(low, high));
  }

  /** UTF-8 bytes of a text of any content, escaped. */
  escapedBytes(bytes: Uint8Array, start: number, end: number, table: Escapes): void {
    this.#reserve((end - start) * LONGEST_ESCAPE);
    const target = this.#bytes;
    let length = this.#length;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte >= 0x80) {
        this.escaped(decoder.decode(bytes.subarray(start, end)), table);
        return;
      }
      const other = table[byte];
      if (other === undefined) target[length++] = byte;
      else length = this.#putEscape(other, length, byte);
    }
    this.#length = length;
  }

  /** Text of any content, escaped. */
  escaped(text: string, table: Escapes): void {
    for (const character of text) {
      const code = character.codePointAt(0)!;
      this.#reserve(LONGEST_ESCAPE);
      if (code >= 0x80) {
        const holds = code < 0xd800 || (code > 0xdfff && code !== 0xfffe && code !== 0xffff && code !== 0xfffd);
        if (!holds) this.replaced++;
        this.text(holds ? character : '\ufffd');
      } else {
        const other = table[code];
        if (other === undefined) this.#bytes[this.#length++] = code;
        else this.#length = this.#putEscape(other, this.#length, code);
      }
    }
  }

  /** Hands on what is left. */
  end(): void {
    if (this.#length > 0) this.#write(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }

  #putEscape(other: Uint8Array, length: number, code: number): number {
    if (other.length === 3 && other[0] === 0xe2) this.replaced++;
    else if (code === 13 && other.length < 3) this.replaced++; // a return becomes an end of line
    for (let at = 0; at < other.length; at++) this.#bytes[length++] = other[at];
    return length;
  }

  #digits(value: number): void {
    this.#reserve(DIGITS);
    const target = this.#bytes;
    let count = 1;
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) count++;
    let at = this.#length + count;
    this.#length = at;
    do {
      const tens = (value / 10) | 0;
      target[--at] = 48 + value - tens * 10;
      value = tens;
    } while (value > 0);
  }

  #reserve(room: number): void {
    if (this.#length + room <= this.#bytes.length) return;
    this.end();
    if (room > this.#bytes.length) this.#bytes = new Uint8Array(room);
  }
}
