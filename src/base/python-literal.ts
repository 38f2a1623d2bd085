/** A value written as Python literal or JSON text. Lists and tuples are arrays; integers above 2^53 are bigint. */
export type PythonValue = null | boolean | number | bigint | string | PythonValue[] | PythonDict;

/** A dict with its entries as written: order kept, repeated keys kept, keys of any kind. */
export class PythonDict {
  readonly entries: [PythonValue, PythonValue][] = [];

  /** Value of a text key, the last one where it repeats (as in Python); `undefined` when it is absent. */
  get(key: string): PythonValue | undefined {
    return this.entries.findLast((entry) => entry[0] === key)?.[1];
  }
}

/** The text is not a Python literal; `offset` counts UTF-16 units. */
export class PythonSyntaxError extends Error {
  constructor(
    readonly offset: number,
    message: string,
    /** Whether the text merely stops too early. */
    readonly cut: boolean,
  ) {
    super(message);
    this.name = 'PythonSyntaxError';
  }
}

/**
 * Parses Python literal text, as `repr` writes it, or JSON text: lists, tuples, dicts, strings in either quote with
 * escapes, numbers, True, False, None and their JSON spellings, inf and nan.
 * @throws PythonSyntaxError
 */
export function parsePythonLiteral(text: string): PythonValue {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.skipBlanks();
  if (parser.position < text.length) throw parser.error('text after the value');
  return value;
}

/** The part of a list that could be read. */
export interface ListPrefix {
  /** Its complete elements. */
  readonly elements: PythonValue[];
  /** What there is of a string element that never ends. */
  readonly cutText: string | undefined;
  /** Why reading stopped; `undefined` when the list is whole. */
  readonly error: PythonSyntaxError | undefined;
}

/** Parses a list (or tuple) as far as it goes: recorders cut long texts off. An element that is cut itself is left out. */
export function parseListPrefix(text: string): ListPrefix {
  const parser = new Parser(text);
  const elements: PythonValue[] = [];
  try {
    parser.list(0, elements);
    parser.skipBlanks();
    if (parser.position < text.length) throw parser.error('text after the list');
    return { elements, cutText: undefined, error: undefined };
  } catch (error) {
    if (!(error instanceof PythonSyntaxError)) throw error;
    return { elements, cutText: error.cut ? parser.cutText : undefined, error };
  }
}

const NUMBER = /[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[+-]?[A-Za-z_]+/y;
const WORDS = new Map<string, PythonValue>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['nan', NaN],
  ['NaN', NaN],
]);
const ESCAPES: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const MAX_DEPTH = 500;

class Parser {
  position = 0;
  /** What was read of a string in the list itself that has no end. */
  cutText: string | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): PythonValue {
    this.skipBlanks();
    if (depth > MAX_DEPTH) throw this.error(`nested more than ${MAX_DEPTH} deep`);
    const first = this.#text[this.position];
    if (first === '[' || first === '(') return this.list(depth, []);
    if (first === '{') return this.#dict(depth);
    if (first === "'" || first === '"') return this.#string(first, depth);
    return this.#match(NUMBER, toNumber) ?? this.#word();
  }

  /** A list or tuple; its elements are added to `elements` as they are completed. */
  list(depth: number, elements: PythonValue[]): PythonValue[] {
    this.skipBlanks();
    const open = this.#text[this.position];
    if (open !== '[' && open !== '(') throw this.error('expected a list');
    const close = open === '[' ? ']' : ')';
    this.position++;
    for (;;) {
      if (this.#take(close)) return elements;
      const value = this.value(depth + 1);
      // A number at the end of the text may lack digits.
      if (typeof value !== 'number' || this.position < this.#text.length) elements.push(value);
      if (this.#take(',')) continue;
      if (!this.#take(close)) throw this.error(`expected "," or "${close}"`);
      return elements;
    }
  }

  #dict(depth: number): PythonDict {
    const dict = new PythonDict();
    this.position++;
    for (;;) {
      if (this.#take('}')) return dict;
      const key = this.value(depth + 1);
      if (!this.#take(':')) throw this.error('expected ":"');
      dict.entries.push([key, this.value(depth + 1)]);
      if (this.#take(',')) continue;
      if (!this.#take('}')) throw this.error('expected "," or "}"');
      return dict;
    }
  }

  #string(quote: string, depth: number): string {
    const text = this.#text;
    let value = '';
    let position = this.position + 1;
    for (;;) {
      const start = position;
      while (position < text.length && text[position] !== quote && text[position] !== '\\') position++;
      value += text.slice(start, position);
      if (position >= text.length) {
        if (depth === 1) this.cutText = value;
        this.position = position;
        throw this.error('string without an end');
      }
      if (text[position] === quote) {
        this.position = position + 1;
        return value;
      }
      const [meaning, length] = this.#escape(position, quote);
      value += meaning;
      position += length;
    }
  }

  /** What the escape at `position` stands for, and its length. */
  #escape(position: number, quote: string): [string, number] {
    const rest = this.#text.slice(position + 1, position + 11);
    const letter = rest[0] ?? '';
    if (letter in ESCAPES) return [ESCAPES[letter], 2];
    // JSON escapes the slash; Python's repr never does.
    if (letter === '/' && quote === '"') return ['/', 2];
    const octal = /^[0-7]{1,3}/.exec(rest);
    if (octal) return [String.fromCodePoint(parseInt(octal[0], 8)), 1 + octal[0].length];
    const hex = /^(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/.exec(rest);
    if (hex) {
      const code = parseInt(hex[0].slice(1), 16);
      if (code <= 0x10ffff) return [String.fromCodePoint(code), 1 + hex[0].length];
    }
    if (letter === 'x' || letter === 'u' || letter === 'U') {
      const whole = { x: 4, u: 6, U: 10 }[letter];
      this.position = position + whole > this.#text.length ? this.#text.length : position;
      throw this.error('malformed escape');
    }
    return ['\\', 1]; // Python keeps a backslash that begins no escape
  }

  #word(): PythonValue {
    const start = this.position;
    const word = this.#match(WORD, (match) => match);
    const value = word === undefined ? undefined : WORDS.get(word);
    if (value !== undefined) return value;
    if (word !== undefined && this.position === this.#text.length) throw this.error('text ends in a word');
    this.position = start;
    throw this.error(word === undefined ? 'expected a value' : `"${word}" is not a value`);
  }

  #match<T>(pattern: RegExp, convert: (match: string) => T): T | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.position = pattern.lastIndex;
    return convert(match[0]);
  }

  #take(character: string): boolean {
    this.skipBlanks();
    if (this.#text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  skipBlanks(): void {
    const text = this.#text;
    while (' \t\r\n'.includes(text[this.position] ?? 'x')) this.position++;
  }

  error(message: string): PythonSyntaxError {
    return new PythonSyntaxError(this.position, message, this.position >= this.#text.length);
  }
}

function toNumber(literal: string): number | bigint {
  const value = Number(literal);
  return /^[+-]?[0-9]+$/.test(literal) && !Number.isSafeInteger(value) ? BigInt(literal.replace('+', '')) : value;
}
