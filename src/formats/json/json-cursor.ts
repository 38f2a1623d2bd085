import type { ByteSource } from '../../base/byte-source.js';
import { grown } from '../../base/grown.js';
import { JsonSyntaxError } from '../json-scan.js';
import { KEY_END, KEY_UNKNOWN, type JsonKeys } from './json-keys.js';
import { jsonText } from './json-text.js';

/** Kind of a value, by its first byte. */
export const JsonKind = { object: 0, array: 1, string: 2, number: 3, boolean: 4, null: 5 } as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes that a scan of a string stops at: its end, an escape, and 0, which is the end of the window or a raw byte. */
const STOPS = new Uint8Array(256);
STOPS[QUOTE] = STOPS[BACKSLASH] = STOPS[0] = 1;

const BLANKS = new Uint8Array(256);
BLANKS[0x20] = BLANKS[0x0a] = BLANKS[0x0d] = BLANKS[0x09] = 1;

/** Digits whose number is exact as a double whatever they are. */
const EXACT_DIGITS = 15;
/** Words that stand for numbers. JSON has none of them; Python writes the first kind, C++ streams the second. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['nan', NaN],
  ['-nan', NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
]);
const LONGEST_WORD = 9;

/**
 * Reads JSON by pulling, straight from bytes: the caller enters objects and lists, matches keys, and reads or skips values.
 * No string is made unless it is asked for. The bytes come through a window that moves, so a file may be larger than memory.
 *
 * Read as other readers would not: escapes that are none (`\d`, a lone backslash) stand for themselves, control characters
 * may stand in strings, `NaN`, `Infinity`, `nan` and `inf` are numbers, a UTF-8 mark at the beginning is passed over. All
 * else that is no JSON is a `JsonSyntaxError` with its offset, also inside of what is skipped.
 */
export class JsonCursor {
  /** The window and two zeros behind it, at which scans stop. */
  bytes: Uint8Array;
  /** Place in `bytes` of what comes next. */
  at = 0;
  /** Bytes of the last string [from, to) in `bytes`, between its quotes, or of the last number; until the cursor moves. */
  from = 0;
  to = 0;
  /** Whether that string has backslashes. */
  escaped = false;

  readonly #source: ByteSource;
  #base = 0; // offset of the window in the source
  #end = 0; // length of the window
  #hold = -1; // place in the window that has to stay in it, −1 for none
  #fresh = false; // whether a list or an object was just entered
  #isInteger = false; // whether the last number had neither fraction nor exponent
  #value = 0; // the last number, where it is an integer of few digits
  #digits = 0; // digits of the last number, where it is an integer
  #stack = new Uint8Array(64); // 1 for an object, in what is skipped

  /** @param windowBytes bytes that are fetched at once */
  constructor(source: ByteSource, windowBytes = 1 << 18) {
    this.#source = source;
    this.bytes = new Uint8Array(Math.min(windowBytes, source.length) + 2);
    this.#more();
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.at = 3;
  }

  /** Offset in the source of what comes next. */
  get offset(): number {
    return this.#base + this.at;
  }

  /** Offset in the source of the next value, blanks passed over. */
  valueOffset(): number {
    this.#token();
    return this.#base + this.at;
  }

  /** Keeps all bytes from here on in the window, so that `seek` may come back, until `release`. */
  hold(): void {
    this.#hold = this.at;
  }

  release(): void {
    this.#hold = -1;
  }

  /** Place in `bytes` of an offset that is held. */
  placeOf(offset: number): number {
    return offset - this.#base;
  }

  /** Goes to an offset that is held, where a value begins or ended. */
  seek(offset: number): void {
    this.at = offset - this.#base;
    this.#fresh = false;
  }

  /** Goes to any offset of the source, where a value begins. @param length bytes from there on that are wanted */
  jump(offset: number, length: number): void {
    this.#fresh = false;
    this.#hold = -1;
    const inside = offset - this.#base;
    if (inside >= 0 && inside + length <= this.#end) {
      this.at = inside;
      return;
    }
    // Behind the window the rest is read in order; elsewhere only what is wanted, for nobody knows where the next one is.
    const capacity = this.bytes.length - 2;
    const goesOn = inside >= 0 && inside <= this.#end + capacity;
    const wanted = Math.min(goesOn ? Math.max(capacity, length) : length, this.#source.length - offset);
    if (wanted > capacity) this.bytes = new Uint8Array(2 * wanted + 2);
    this.bytes.set(this.#source.read(offset, wanted));
    this.#base = offset;
    this.#end = wanted;
    this.bytes[wanted] = this.bytes[wanted + 1] = 0;
    this.at = 0;
  }

  /** Whether the last number was written without fraction and exponent. */
  get isInteger(): boolean {
    return this.#isInteger;
  }

  /** Kind of the next value. */
  kind(): number {
    const byte = this.#token();
    switch (byte) {
      case QUOTE:
        return JsonKind.string;
      case OPEN_LIST:
        return JsonKind.array;
      case OPEN_OBJECT:
        return JsonKind.object;
      case 0x74:
      case 0x66:
        return JsonKind.boolean;
      case 0x6e:
        // "null" or "nan"
        return this.#byteAfter() === 0x75 ? JsonKind.null : JsonKind.number;
      default:
        if (byte === MINUS || (byte >= 0x30 && byte <= 0x39) || byte === 0x4e || byte === 0x49 || byte === 0x69) {
          return JsonKind.number;
        }
        throw this.#unexpected('a value');
    }
  }

  enterObject(): void {
    if (this.#token() !== OPEN_OBJECT) throw this.#unexpected('an object, "{"');
    this.at++;
    this.#fresh = true;
  }

  enterArray(): void {
    if (this.#token() !== OPEN_LIST) throw this.#unexpected('a list, "["');
    this.at++;
    this.#fresh = true;
  }

  /** Place of the next key in `keys`, KEY_UNKNOWN for another one, or KEY_END when the object ended and is left. */
  nextKey(keys: JsonKeys): number {
    // The usual case at one go: comma, key, colon, all in the window. What is not so is done again, step by step.
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at];
    if (!this.#fresh) {
      while (BLANKS[byte] === 1) byte = bytes[++at];
      if (byte !== COMMA) return this.#nextKey(keys);
      byte = bytes[++at];
    }
    while (BLANKS[byte] === 1) byte = bytes[++at];
    if (byte !== QUOTE) return this.#nextKey(keys);
    const from = at + 1;
    do byte = bytes[++at];
    while (STOPS[byte] === 0);
    if (byte !== QUOTE) return this.#nextKey(keys);
    const to = at;
    do byte = bytes[++at];
    while (BLANKS[byte] === 1);
    if (byte !== COLON) return this.#nextKey(keys);
    this.at = at + 1;
    this.#fresh = false;
    return keys.match(bytes, from, to);
  }

  #nextKey(keys: JsonKeys): number {
    if (!this.#toKey()) return KEY_END;
    const key = this.escaped
      ? keys.indexOf(jsonText(this.bytes, this.from, this.to))
      : keys.match(this.bytes, this.from, this.to);
    this.#colon();
    return key < 0 ? KEY_UNKNOWN : key;
  }

  /** Passes bytes if they are what comes next, up to where a value begins. */
  passBytes(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let place = 0; place < expected.length; place++) if (bytes[at + place] !== expected[place]) return false;
    this.at = at + expected.length;
    this.#fresh = false;
    return true;
  }

  /** Leaves the object if it ends here. */
  leftObject(): boolean {
    if (this.#token() !== CLOSE_OBJECT) return false;
    this.at++;
    this.#fresh = false;
    return true;
  }

  /** The next key as text, `undefined` when the object ended and is left. */
  nextKeyText(): string | undefined {
    if (!this.#toKey()) return undefined;
    const key = jsonText(this.bytes, this.from, this.to);
    this.#colon();
    return key;
  }

  /** Whether a further element of the list follows; otherwise the list is left. */
  nextElement(): boolean {
    const byte = this.#token();
    if (byte === CLOSE_LIST) {
      this.at++;
      this.#fresh = false;
      return false;
    }
    if (this.#fresh) {
      this.#fresh = false;
      return true;
    }
    if (byte !== COMMA) throw this.#unexpected('"," or "]"');
    this.at++;
    if (this.#token() === CLOSE_LIST) throw this.#unexpected('a value');
    return true;
  }

  /** Passes a string; its bytes are [from, to) of `bytes`. */
  string(): void {
    if (this.#token() !== QUOTE) throw this.#unexpected('a text in double quotes');
    this.#string();
  }

  /** Passes a string. Place of it in `keys`, KEY_UNKNOWN for another one. */
  stringIn(keys: JsonKeys): number {
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at];
    while (BLANKS[byte] === 1) byte = bytes[++at];
    if (byte === QUOTE) {
      const from = at + 1;
      do byte = bytes[++at];
      while (STOPS[byte] === 0);
      if (byte === QUOTE) {
        this.from = from;
        this.to = at;
        this.at = at + 1;
        this.escaped = false;
        return keys.match(bytes, from, at);
      }
    }
    this.string();
    if (!this.escaped) return keys.match(this.bytes, this.from, this.to);
    return keys.indexOf(jsonText(this.bytes, this.from, this.to));
  }

  /** A string as text. */
  text(): string {
    this.string();
    return jsonText(this.bytes, this.from, this.to);
  }

  /** Passes a number; its bytes are [from, to) of `bytes`. */
  passNumber(): void {
    this.#token();
    this.#number();
  }

  /** A number, the nearest double of it. */
  number(): number {
    this.#token();
    this.#number();
    if (this.#isInteger && this.#digits <= EXACT_DIGITS) return this.#value;
    const text = this.numberText();
    return NUMBER_WORDS.get(text) ?? Number(text);
  }

  /** A number that is an integer and exact as a double; NaN for any other, whose text `numberText` gives. */
  integer(): number {
    const value = this.number();
    if (this.#isInteger && this.#digits <= EXACT_DIGITS) return value;
    return Number.isSafeInteger(value) ? value : NaN;
  }

  /** Text of the last number; until the cursor moves. */
  numberText(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.from, this.to - this.from).toString('latin1');
  }

  boolean(): boolean {
    const isTrue = this.#token() === 0x74;
    this.#word(isTrue ? 'true' : 'false');
    return isTrue;
  }

  null(): void {
    this.#token();
    this.#word('null');
  }

  /** Passes a value, whatever it is. */
  skip(): void {
    const byte = this.#token();
    if (byte === QUOTE) this.#string();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#skipNested();
    else this.#scalar(byte);
    this.#fresh = false;
  }

  /** Demands that nothing but blanks follows. */
  finish(): void {
    if (this.#token() >= 0) throw this.#unexpected('the end of the file');
  }

  /** An error at what comes next. */
  problem(message: string, offset = this.offset): JsonSyntaxError {
    return new JsonSyntaxError(offset, message);
  }

  /** Passes blanks. The byte that comes next, −1 at the end of the source. */
  #token(): number {
    let at = this.at;
    for (;;) {
      const byte = this.bytes[at];
      if (byte > 0x20) {
        this.at = at;
        return byte;
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        at++;
        continue;
      }
      this.at = at;
      if (byte !== 0 || at < this.#end) return byte;
      if (!this.#more()) return -1;
      at = this.at;
    }
  }

  #byteAfter(): number {
    if (this.at + 1 >= this.#end) this.#more();
    return this.bytes[this.at + 1];
  }

  /** To the string of the next key; `false` when the object ended. */
  #toKey(): boolean {
    let byte = this.#token();
    if (byte === CLOSE_OBJECT) {
      this.at++;
      this.#fresh = false;
      return false;
    }
    if (!this.#fresh) {
      if (byte !== COMMA) throw this.#unexpected('"," or "}"');
      this.at++;
      byte = this.#token();
    }
    this.#fresh = false;
    if (byte !== QUOTE) throw this.#unexpected('a key in double quotes');
    this.#string();
    return true;
  }

  #colon(): void {
    if (this.#token() !== COLON) throw this.#unexpected('":" after the key');
    this.at++;
  }

  #string(): void {
    for (;;) {
      const { bytes } = this;
      let at = this.at + 1;
      let escaped = false;
      for (;;) {
        const byte = bytes[at];
        if (STOPS[byte] === 0) {
          at++;
        } else if (byte === QUOTE) {
          this.from = this.at + 1;
          this.to = at;
          this.at = at + 1;
          this.escaped = escaped;
          return;
        } else if (byte === BACKSLASH) {
          escaped = true;
          at += 2;
        } else if (at < this.#end) {
          at++; // a raw zero
        } else {
          break;
        }
      }
      const start = this.offset;
      if (!this.#more()) throw this.problem('a text without an end, the file ends inside it', start);
    }
  }

  #skipNested(): void {
    let depth = 0;
    let inObject = false;
    let byte = this.bytes[this.at];
    for (;;) {
      // A value begins with `byte`.
      if (byte === QUOTE) {
        this.#string();
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === this.#stack.length) this.#stack = grown(this.#stack, 2 * depth);
        this.#stack[depth++] = inObject ? 1 : 0;
        inObject = byte === OPEN_OBJECT;
        this.at++;
        byte = this.#token();
        if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_LIST)) {
          if (inObject) byte = this.#skippedKey(byte);
          continue;
        }
        this.at++;
        inObject = this.#stack[--depth] === 1;
      } else {
        this.#scalar(byte);
      }
      // A value ended.
      for (;;) {
        if (depth === 0) return;
        byte = this.#token();
        this.at++;
        if (byte === COMMA) break;
        if (byte !== (inObject ? CLOSE_OBJECT : CLOSE_LIST)) {
          this.at--;
          throw this.#unexpected(inObject ? '"," or "}"' : '"," or "]"');
        }
        inObject = this.#stack[--depth] === 1;
      }
      byte = this.#token();
      if (inObject) byte = this.#skippedKey(byte);
    }
  }

  /** Passes a key and its colon. The byte that the value begins with. */
  #skippedKey(byte: number): number {
    if (byte !== QUOTE) throw this.#unexpected('a key in double quotes');
    this.#string();
    this.#colon();
    return this.#token();
  }

  #scalar(byte: number): void {
    if (byte === 0x74) this.#word('true');
    else if (byte === 0x66) this.#word('false');
    else if (byte === 0x6e && this.#byteAfter() === 0x75) this.#word('null');
    else this.#number();
  }

  /** Passes a number that begins at the place: an integer of few digits at once, all else by its text. */
  #number(): void {
    for (;;) {
      const { bytes } = this;
      let at = this.at;
      const negative = bytes[at] === MINUS;
      if (negative) at++;
      const first = at;
      let value = 0;
      let digit = bytes[at] - 0x30;
      while (digit >= 0 && digit <= 9) {
        value = 10 * value + digit;
        digit = bytes[++at] - 0x30;
      }
      const digits = at - first;
      let byte = bytes[at];
      if (at >= this.#end && this.#more()) continue;
      const isInteger = byte !== DOT && (byte | 0x20) !== 0x65;
      if (digits === 0 || (!isInteger && digits > 0)) {
        if (digits === 0) {
          this.#numberWord();
          return;
        }
        if (byte === DOT) {
          const start = ++at;
          while ((digit = bytes[at] - 0x30) >= 0 && digit <= 9) at++;
          if (at >= this.#end && this.#more()) continue;
          if (at === start) throw this.problem('expected a digit behind the decimal point', this.#base + at);
        }
        byte = bytes[at];
        if ((byte | 0x20) === 0x65) {
          byte = bytes[++at];
          if (byte === 0x2b || byte === MINUS) at++;
          const start = at;
          while ((digit = bytes[at] - 0x30) >= 0 && digit <= 9) at++;
          if (at >= this.#end && this.#more()) continue;
          if (at === start) throw this.problem('expected the digits of an exponent', this.#base + at);
        }
      }
      if (digits > 1 && bytes[first] === 0x30) {
        throw this.problem('a number that begins with 0', this.#base + first);
      }
      this.from = this.at;
      this.to = at;
      this.at = at;
      this.#isInteger = isInteger;
      this.#digits = digits;
      this.#value = negative ? -value : value;
      return;
    }
  }

  #numberWord(): void {
    while (this.at + LONGEST_WORD > this.#end && this.#more());
    let at = this.at;
    if (this.bytes[at] === MINUS) at++;
    let letter = this.bytes[at] | 0x20;
    while (letter >= 0x61 && letter <= 0x7a) letter = this.bytes[++at] | 0x20;
    this.from = this.at;
    this.to = Math.min(at, this.from + LONGEST_WORD + 1);
    if (!NUMBER_WORDS.has(this.numberText())) throw this.#unexpected('a value');
    this.at = at;
    this.#isInteger = false;
  }

  #word(word: string): void {
    while (this.at + word.length >= this.#end && this.#more());
    for (let place = 0; place < word.length; place++) {
      if (this.bytes[this.at + place] !== word.charCodeAt(place)) throw this.#unexpected(`"${word}"`);
    }
    this.at += word.length;
  }

  /** What stands there instead of what was expected. */
  #unexpected(expected: string): JsonSyntaxError {
    if (this.at >= this.#end) return this.problem(`the file ends, expected ${expected}`);
    const byte = this.bytes[this.at];
    const shown =
      byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
    return this.problem(`expected ${expected}, got ${shown}`);
  }

  /** Fetches further bytes behind the window and drops those before the place. `false` at the end of the source. */
  #more(): boolean {
    const offset = this.#base + this.#end;
    const left = this.#source.length - offset;
    if (left <= 0) return false;
    const kept = this.#hold >= 0 ? Math.min(this.#hold, this.at) : this.at;
    const length = this.#end - kept;
    const capacity = this.bytes.length - 2;
    // A token or what is held fills most of the window: take twice as much, so that each byte is moved few times.
    if (length > capacity >> 1 && length + left > capacity) {
      const larger = new Uint8Array(2 * capacity + 2);
      larger.set(this.bytes.subarray(kept, this.#end));
      this.bytes = larger;
    } else {
      this.bytes.copyWithin(0, kept, this.#end);
    }
    const wanted = Math.min(this.bytes.length - 2 - length, left);
    this.bytes.set(this.#source.read(offset, wanted), length);
    this.#base += kept;
    this.#end = length + wanted;
    this.bytes[this.#end] = this.bytes[this.#end + 1] = 0;
    this.at -= kept;
    if (this.#hold >= 0) this.#hold -= kept;
    return true;
  }
}
