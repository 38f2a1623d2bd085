import type { ByteSource } from '../../base/byte-source.js';
import { inputError } from '../../base/errors.js';
import { printableLine } from '../../base/printable.js';
import { MAX_EXACT } from '../../base/units.js';

const TAB = 9;
const LINE_END = 10;
const RETURN = 13;
const SPACE = 32;
const STAR = 42;
const MINUS = 45;
const SLASH = 47;
/** Bytes read at once. */
const WINDOW = 1 << 16;
/** What stands for the end of the file. */
const END = -1;
/** Letters of a word that a message shows. */
const SHOWN = 30;

/** Kinds of byte. */
const DIGIT = 1;
const LETTER = 2;
const UNDERSCORE = 4;
const KIND_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 48 && byte <= 57) return DIGIT;
  if ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)) return LETTER;
  return byte === 95 ? UNDERSCORE : 0;
});

/** A word of the grammar. */
export interface Keyword {
  readonly bytes: Uint8Array;
  /** In quotes, for messages. */
  readonly quoted: string;
}

export function keyword(text: string): Keyword {
  return { bytes: new TextEncoder().encode(text), quoted: `"${text}"` };
}

/** A place in a text: where reading can go on. */
export interface TextPlace {
  /** Bytes before it. */
  readonly offset: number;
  /** Line, from 1. */
  readonly line: number;
  /** Offset of the first byte of that line. */
  readonly lineStart: number;
}

/**
 * Takes GOAL text apart (exchange-formats 1.1), window by window: numbers, words and signs, with blanks before them passed
 * over. Knows the line and column of what it read last, and throws `GOAL_MALFORMED` there.
 */
export class GoalLexer {
  /** The word read last, as a number where it is `l` and digits: no text is built for the usual label; else −1. */
  labelNumber = -1;
  readonly #source: ByteSource;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0; // in #bytes
  #windowStart = 0; // offset of #bytes in the source
  #line = 1;
  #lineStart = 0;
  /** Offset of the first byte of the token read last. */
  #token = 0;
  readonly #word = new Uint8Array(256);
  #wordLength = 0;

  constructor(source: ByteSource) {
    this.#source = source;
    if (source.length >= 3 && Buffer.from(source.read(0, 3)).equals(BYTE_ORDER_MARK))
      this.goTo({ offset: 3, line: 1, lineStart: 3 });
  }

  /** Where the next token, or what is before it, begins. */
  get place(): TextPlace {
    return { offset: this.#windowStart + this.#at, line: this.#line, lineStart: this.#lineStart };
  }

  /** Line of the token read last, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Offset of the token read last. */
  get token(): number {
    return this.#token;
  }

  /** Goes on from a place. */
  goTo({ offset, line, lineStart }: TextPlace): void {
    this.#windowStart = offset;
    this.#bytes = new Uint8Array(0);
    this.#at = 0;
    this.#line = line;
    this.#lineStart = lineStart;
  }

  /** Passes over blanks, and tells the byte behind them without taking it; −1 at the end of the file. */
  peek(): number {
    let byte = this.#byte();
    while (byte === SPACE || byte === TAB) {
      this.#at++;
      byte = this.#byte();
    }
    this.#token = this.#windowStart + this.#at;
    return byte;
  }

  /** Whether a word is next. */
  isAtWord(): boolean {
    return KIND_OF[this.peek()] === LETTER;
  }

  /** Passes over blanks, ends of lines and comments; tells the byte behind them as {@link peek}. */
  peekPastLines(): number {
    for (;;) {
      const byte = this.peek();
      if (byte === LINE_END) {
        this.#at++;
        this.#newLine();
      } else if (byte === RETURN) this.#at++;
      else if (byte === SLASH) this.#comment();
      else return byte;
    }
  }

  /** Takes the end of a line, with a comment before it; a closing brace or the end of the file ends a line too. */
  endOfLine(): void {
    const byte = this.peek();
    if (byte === LINE_END) {
      this.#at++;
      this.#newLine();
    } else if (byte === RETURN || byte === SLASH || byte === 125) this.peekPastLines();
    else if (byte !== END) throw this.expected('the end of the line');
  }

  /** Takes a sign, given as its byte, or throws that it was expected. */
  sign(byte: number): void {
    if (this.peek() !== byte) throw this.expected(`"${String.fromCharCode(byte)}"`);
    this.#at++;
  }

  /** Takes a whole number from 0 to `most`. @param what it is, for messages */
  integer(what: string, most = MAX_EXACT): number {
    let byte = this.peek();
    if (KIND_OF[byte] !== DIGIT) throw this.expected(what);
    let value = 0;
    while (KIND_OF[byte] === DIGIT) {
      value = value * 10 + byte - 48;
      this.#at++;
      byte = this.#byte();
    }
    if (value > most) throw this.malformed(`${what} is above ${most}`);
    return value;
  }

  /** The same, or −1 as `any`. */
  integerOrAny(what: string, most: number, any: number): number {
    if (this.peek() !== MINUS) return this.integer(what, most);
    this.#at++;
    const byte = this.#byte();
    this.#at++;
    if (byte !== 49 || KIND_OF[this.#byte()] === DIGIT) throw this.malformed(`${what} is below 0 and not -1`);
    return any;
  }

  /** Takes a word: a letter, then letters, digits and underscores. @param what it is, for messages */
  word(what: string): void {
    let byte = this.peek();
    if (KIND_OF[byte] !== LETTER) throw this.expected(what);
    const word = this.#word;
    let length = 0;
    let number = byte === 108 ? 0 : -1; // l
    while (KIND_OF[byte] !== 0 && byte !== END) {
      if (length === word.length) throw this.malformed(`${what} has more than ${word.length} letters`);
      if (length > 0 && number >= 0) {
        // l01 and l1 are two labels.
        number = KIND_OF[byte] !== DIGIT || (length > 1 && number === 0) || number > 1e8 ? -1 : number * 10 + byte - 48;
      }
      word[length++] = byte;
      this.#at++;
      byte = this.#byte();
    }
    this.#wordLength = length;
    this.labelNumber = length > 1 ? number : -1;
  }

  /** Whether the word read last is this one. */
  isWord({ bytes }: Keyword): boolean {
    const length = this.#wordLength;
    if (bytes.length !== length) return false;
    for (let at = 0; at < length; at++) if (this.#word[at] !== bytes[at]) return false;
    return true;
  }

  /** Text of the word read last. */
  wordText(): string {
    return String.fromCharCode(...this.#word.subarray(0, this.#wordLength));
  }

  /** Takes a word that must be this one. */
  keyword(keyword: Keyword): void {
    this.word(keyword.quoted);
    if (this.isWord(keyword)) return;
    throw this.malformed(`expected ${keyword.quoted}, found "${printableLine(this.wordText(), SHOWN)}"`);
  }

  /** The error that something else stands at the token ahead. */
  expected(what: string): Error {
    const found = this.#found();
    return this.malformed(`expected ${what}, found ${found}`);
  }

  /** An error at the token read last, at the one ahead after {@link peek}, or at an earlier one of the line. */
  malformed(message: string, token = this.#token): Error {
    const column = token - this.#lineStart + 1;
    return inputError('GOAL_MALFORMED', `${this.#source.name}: ${message} (line ${this.#line}, column ${column})`);
  }

  /** The token ahead, for a message. */
  #found(): string {
    const first = this.peek();
    if (first === END) return 'the end of the file';
    if (first === LINE_END || first === RETURN) return 'the end of the line';
    const token = this.#token;
    const text: number[] = [];
    for (let byte = first; byte > SPACE && byte < 127 && text.length < SHOWN; byte = this.#byte()) {
      const isWord = KIND_OF[byte] !== 0;
      if (text.length > 0 && !(isWord && KIND_OF[first] !== 0)) break;
      text.push(byte);
      this.#at++;
    }
    this.#token = token;
    return text.length === 0 ? `the byte ${first}` : `"${printableLine(String.fromCharCode(...text))}"`;
  }

  #comment(): void {
    this.#at++;
    const byte = this.#byte();
    if (byte === SLASH) {
      for (let next = byte; next !== LINE_END && next !== END; next = this.#byte()) this.#at++;
      return;
    }
    if (byte !== STAR) throw this.malformed('expected // or /* after the "/"');
    const { line } = this;
    this.#at++;
    for (let before = 0; ;) {
      const next = this.#byte();
      if (next === END) {
        this.#token = this.#windowStart + this.#at;
        throw this.malformed(`the comment that begins in line ${line} has no end`);
      }
      this.#at++;
      if (next === SLASH && before === STAR) return;
      if (next === LINE_END) this.#newLine();
      before = next;
    }
  }

  #newLine(): void {
    this.#line++;
    this.#lineStart = this.#windowStart + this.#at;
  }

  /** The byte at hand, −1 at the end of the file. */
  #byte(): number {
    return this.#at < this.#bytes.length ? this.#bytes[this.#at] : this.#refill();
  }

  #refill(): number {
    this.#windowStart += this.#at;
    this.#at = 0;
    const left = this.#source.length - this.#windowStart;
    this.#bytes = left <= 0 ? new Uint8Array(0) : this.#source.read(this.#windowStart, Math.min(WINDOW, left));
    return this.#bytes.length === 0 ? END : this.#bytes[0];
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
