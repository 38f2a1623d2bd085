import { isUtf8 } from 'node:buffer';
import type { ByteSource } from '../base/byte-source.js';
import { ownValue } from '../base/named-values.js';

/** What {@link JsonScanner.next} found; `cut` when the limit was reached, `end` at the end of the bytes. */
export type JsonToken =
  | 'beginObject'
  | 'endObject'
  | 'beginArray'
  | 'endArray'
  | 'key'
  | 'string'
  | 'number'
  | 'true'
  | 'false'
  | 'null'
  | 'end'
  | 'cut';

/** The bytes are not JSON from `offset` on. */
export class JsonSyntaxError extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
    this.name = 'JsonSyntaxError';
  }
}

type Expectation = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'commaOrEnd';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORDS: Record<string, JsonToken> = { true: 'true', false: 'false', null: 'null' };
/** Python writes these, and no JSON reader takes them; accepted unless `strict`. */
const PYTHON_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity']);

/**
 * Reads JSON token by token through a window, so that the shape of a file of any size can be told from its beginning
 * and every token has a byte offset. Several values one after the other, with or without blanks between them, are
 * read as such: the caller sees `depth` 0 between them.
 */
export class JsonScanner {
  /** Open objects and arrays. */
  depth = 0;
  /** Byte offset of the last token. */
  offset = 0;
  /** Text of the last key or string, or the literal of the last number. */
  text = '';

  readonly #source: ByteSource;
  readonly #limit: number;
  readonly #keepBytes: number;
  readonly #strict: boolean;
  readonly #windowBytes: number;
  readonly #containers: boolean[] = []; // true for an object
  #expect: Expectation = 'value';
  #position: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowStart = 0;

  /**
   * @param options.limit bytes to look at; `cut` is given once they are used up
   * @param options.keepBytes longest string whose `text` is wanted; longer ones give ''
   * @param options.strict refuses NaN, Infinity, malformed escapes, and strings that are no whole UTF-8 as well
   */
  constructor(
    source: ByteSource,
    options: { start?: number; limit?: number; keepBytes?: number; strict?: boolean; windowBytes?: number } = {},
  ) {
    this.#source = source;
    this.#position = options.start ?? 0;
    this.#limit = Math.min(source.length, options.limit ?? source.length);
    this.#keepBytes = options.keepBytes ?? Infinity;
    this.#strict = options.strict ?? false;
    this.#windowBytes = options.windowBytes ?? 1 << 16;
  }

  /** @throws JsonSyntaxError */
  next(): JsonToken {
    let byte = this.#skipBlanks();
    if (this.#expect === 'commaOrEnd' && byte === 0x2c) {
      this.#position++;
      this.#expect = this.#inObject() ? 'key' : 'value';
      byte = this.#skipBlanks();
    }
    this.offset = this.#position;
    if (byte < 0) return this.#ran();
    switch (this.#expect) {
      case 'keyOrEnd':
        if (byte === 0x7d) return this.#close('endObject');
        return this.#key(byte);
      case 'key':
        return this.#key(byte);
      case 'valueOrEnd':
        if (byte === 0x5d) return this.#close('endArray');
        return this.#value(byte);
      case 'commaOrEnd':
        if (byte === (this.#inObject() ? 0x7d : 0x5d)) return this.#close(this.#inObject() ? 'endObject' : 'endArray');
        throw this.#error(`expected "," or "${this.#inObject() ? '}' : ']'}"`);
      case 'value':
        return this.#value(byte);
    }
  }

  /** Takes the window up again: whoever read from the source since may have moved what it shows. */
  refresh(): void {
    if (this.#window.length > 0) this.#window = this.#source.read(this.#windowStart, this.#window.length);
  }

  #inObject(): boolean {
    return this.#containers[this.#containers.length - 1];
  }

  #ran(): JsonToken {
    if (this.#limit < this.#source.length) return 'cut';
    if (this.depth > 0 || this.#expect !== 'value') throw this.#error('ends in the middle of a value');
    return 'end';
  }

  #key(byte: number): JsonToken {
    if (byte !== 0x22) throw this.#error('expected a key in double quotes');
    if (!this.#string()) return 'cut';
    if (this.#skipBlanks() !== 0x3a) {
      if (this.#position >= this.#limit) return this.#ran();
      throw this.#error('expected ":" after the key');
    }
    this.#position++;
    this.#expect = 'value';
    return 'key';
  }

  #value(byte: number): JsonToken {
    if (byte === 0x7b || byte === 0x5b) {
      this.#position++;
      this.#containers.push(byte === 0x7b);
      this.depth++;
      this.#expect = byte === 0x7b ? 'keyOrEnd' : 'valueOrEnd';
      return byte === 0x7b ? 'beginObject' : 'beginArray';
    }
    if (byte === 0x22) {
      if (!this.#string()) return 'cut';
      this.#afterValue();
      return 'string';
    }
    const word = this.#word();
    if (word === undefined) return 'cut';
    const token = ownValue(WORDS, word);
    if (token === undefined && !NUMBER.test(word) && (this.#strict || !PYTHON_NUMBERS.has(word))) {
      throw this.#error(word === '' ? 'expected a value' : `"${word.slice(0, 20)}" is not a value`);
    }
    this.text = word;
    this.#afterValue();
    return token ?? 'number';
  }

  #afterValue(): void {
    this.#expect = this.depth === 0 ? 'value' : 'commaOrEnd';
  }

  #close(token: JsonToken): JsonToken {
    this.#position++;
    this.#containers.pop();
    this.depth--;
    this.#afterValue();
    return token;
  }

  /** Takes the string at the position; `false` when the limit cuts it. */
  #string(): boolean {
    const start = this.#position;
    let position = start + 1;
    for (;;) {
      const byte = this.#byteAt(position);
      if (byte < 0) {
        if (this.#limit < this.#source.length) return false;
        throw new JsonSyntaxError(start, 'string without an end');
      }
      if (byte === 0x22) break;
      // Producers leave tabs and line ends in names; other control characters mean that this is no text.
      if (byte < 0x20 && (this.#strict || byte < 0x09)) {
        throw new JsonSyntaxError(position, 'control character in a string');
      }
      position += byte === 0x5c ? 2 : 1;
    }
    this.#position = position + 1;
    const length = position + 1 - start;
    this.text = length - 2 <= this.#keepBytes ? this.#decode(start, length) : '';
    return true;
  }

  #decode(start: number, length: number): string {
    const inside = start - this.#windowStart;
    let bytes: Uint8Array;
    if (inside >= 0 && inside + length <= this.#window.length) {
      bytes = this.#window.subarray(inside, inside + length);
    } else {
      bytes = this.#source.read(start, length);
      this.#window = new Uint8Array(0); // the read replaced what the window shows
    }
    if (this.#strict && !isUtf8(bytes)) throw new JsonSyntaxError(start, 'string that is not UTF-8');
    const literal = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    if (!literal.includes('\\')) return literal.slice(1, -1);
    let text: string;
    try {
      text = JSON.parse(literal) as string;
    } catch {
      if (this.#strict) throw new JsonSyntaxError(start, 'malformed escape in a string');
      return literal.slice(1, -1);
    }
    if (this.#strict && /\p{Surrogate}/u.test(text)) throw new JsonSyntaxError(start, 'half a character in a string');
    return text;
  }

  #word(): string | undefined {
    let word = '';
    for (;;) {
      const byte = this.#byteAt(this.#position);
      if (byte < 0) return this.#limit < this.#source.length ? undefined : word;
      if (byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x7b || byte === 0x5b)
        return word;
      if (byte >= 0x7f || word.length > 400) throw this.#error('expected a value');
      word += String.fromCharCode(byte);
      this.#position++;
    }
  }

  #skipBlanks(): number {
    for (;;) {
      const byte = this.#byteAt(this.#position);
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#position++;
    }
  }

  #byteAt(position: number): number {
    const inside = position - this.#windowStart;
    if (inside >= 0 && inside < this.#window.length) return this.#window[inside];
    if (position >= this.#limit) return -1;
    this.#window = this.#source.read(position, Math.min(this.#windowBytes, this.#limit - position));
    this.#windowStart = position;
    return this.#window[0];
  }

  #error(message: string): JsonSyntaxError {
    return new JsonSyntaxError(this.offset, message);
  }
}

/** Line and column, from 1, of a byte offset; columns count characters. */
export function lineAndColumn(bytes: Uint8Array, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let position = 0; position < offset; position++) {
    if (bytes[position] === 0x0a) {
      line++;
      lineStart = position + 1;
    }
  }
  return { line, column: [...Buffer.from(bytes.subarray(lineStart, offset)).toString('utf8')].length + 1 };
}
