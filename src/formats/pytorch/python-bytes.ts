import { pythonFloat, pythonText } from '../../base/python-repr.js';
import { jsonText } from '../json/json-text.js';

const encoder = new TextEncoder();

const QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;

/** Bytes that a string has in JSON and in single quotes of Python alike. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x7f);
PLAIN[QUOTE] = PLAIN[SINGLE_QUOTE] = PLAIN[BACKSLASH] = 0;

/** Bytes of a number or a word. */
const SCALAR = new Uint8Array(256);
for (const character of '+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  SCALAR[character.charCodeAt(0)] = 1;
}

const WORDS: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries({
    ...{ true: 'True', false: 'False', null: 'None' },
    ...{ NaN: 'nan', nan: 'nan', '-nan': 'nan', Infinity: 'inf', inf: 'inf', '-Infinity': '-inf', '-inf': '-inf' },
  }).map(([word, text]) => [word, encoder.encode(text)]),
);

/** Digits whose decimal number no shorter one equals as a double. */
const EXACT_DIGITS = 15;
const LARGEST_POSITIONAL = 16;

/**
 * Writes JSON values as Python prints what its JSON reader makes of them, which is how chakra_converter stores inputs and
 * outputs: `[[1, 'cuda:0'], True, None]`. Bytes to bytes; strings are made only of texts with quotes, escapes or characters
 * beyond ASCII, and of floats that are not in their shortest form.
 */
export class PythonBytes {
  bytes = new Uint8Array(1 << 12);
  length = 0;

  /** Writes the value at [from, to) of bytes that are sound JSON. A text by itself is written without quotes, as `str` does. */
  value(bytes: Uint8Array, from: number, to: number): void {
    if (bytes[from] === QUOTE) {
      this.#text(jsonText(bytes, from + 1, to - 1));
      return;
    }
    let at = from;
    while (at < to) {
      if (this.bytes.length - this.length < 8) this.#reserve(8);
      const out = this.bytes;
      const byte = bytes[at];
      if (byte === QUOTE) at = this.#string(bytes, at + 1);
      else if (SCALAR[byte] === 1) at = this.#scalar(bytes, at);
      else {
        // Brackets and braces as they are; blanks only behind commas and colons.
        if (byte > 0x20) out[this.length++] = byte;
        if (byte === 0x2c || byte === 0x3a) out[this.length++] = 0x20;
        at++;
      }
    }
  }

  /** The string whose bytes begin at `start`. Place behind its end. */
  #string(bytes: Uint8Array, start: number): number {
    let end = start;
    while (PLAIN[bytes[end]] === 1) end++;
    if (bytes[end] === QUOTE) {
      const count = end - start;
      this.#reserve(count + 2);
      const out = this.bytes;
      let to = this.length;
      out[to++] = SINGLE_QUOTE;
      for (let at = start; at < end; at++) out[to++] = bytes[at];
      out[to++] = SINGLE_QUOTE;
      this.length = to;
      return end + 1;
    }
    while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
    this.#text(pythonText(jsonText(bytes, start, end, true)));
    return end + 1;
  }

  /** A number or a word. Place behind its end. */
  #scalar(bytes: Uint8Array, start: number): number {
    let end = start;
    let digitsOnly = true;
    while (SCALAR[bytes[end]] === 1) {
      if (bytes[end] > 0x39 || bytes[end] === 0x2e) digitsOnly = false;
      end++;
    }
    if (digitsOnly ? isMinusZero(bytes, start, end) : !isShortestFloat(bytes, start, end)) {
      this.#other(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'));
      return end;
    }
    this.#reserve(end - start);
    for (let at = start; at < end; at++) this.bytes[this.length++] = bytes[at];
    return end;
  }

  #other(text: string): void {
    const word = WORDS.get(text);
    if (word !== undefined) this.#raw(word);
    else if (text === '-0') this.#text('0');
    else this.#text(pythonFloat(Number(text)));
  }

  #text(text: string): void {
    this.#raw(encoder.encode(text));
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #reserve(count: number): void {
    if (this.bytes.length - this.length >= count) return;
    const larger = new Uint8Array(2 * (this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

function isMinusZero(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === MINUS && bytes[start + 1] === 0x30;
}

/** Whether the bytes are a decimal number as Python prints it: few digits, no exponent, no zero behind the last. */
function isShortestFloat(bytes: Uint8Array, start: number, end: number): boolean {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const first = at;
  while (bytes[at] >= 0x30 && bytes[at] <= 0x39) at++;
  const whole = at - first;
  if (whole === 0 || whole > LARGEST_POSITIONAL || bytes[at] !== 0x2e) return false;
  const fraction = ++at;
  while (bytes[at] >= 0x30 && bytes[at] <= 0x39) at++;
  if (at !== end || at === fraction || whole + at - fraction > EXACT_DIGITS) return false;
  if (bytes[at - 1] === 0x30) return at - fraction === 1;
  // Below 1e-4 there is an exponent.
  return (
    whole > 1 ||
    bytes[first] !== 0x30 ||
    !(
      bytes[fraction] === 0x30 &&
      bytes[fraction + 1] === 0x30 &&
      bytes[fraction + 2] === 0x30 &&
      bytes[fraction + 3] === 0x30
    )
  );
}
