import { counted, grouped } from '../../base/counts.js';
import type { PrepError } from '../../base/errors.js';
import { ValueFault } from './link-values.js';
import { malformed } from './malformed.js';

/** Words of a text between blanks and ends of lines, each with its line: what ns-3 and SimAI read. */
export class Tokens {
  readonly #words = /\S+|\n/g;
  #line = 1;
  /** Line of the word that was read last. */
  #lineOfLast = 1;

  /** @param file for messages */
  constructor(
    readonly text: string,
    readonly file: string,
  ) {}

  /** The next word. @throws PrepError `TOPOLOGY_MALFORMED` at the end of the text: `missing` says what is not there */
  next(missing: () => string): string {
    const word = this.#advance();
    if (word === undefined) throw this.error(`the file ends, ${missing()}`);
    return word;
  }

  /** The next word as a whole number from `least` to `most`. @throws PrepError `TOPOLOGY_MALFORMED` */
  integer(what: string, least: number, most: number, missing = () => `${what} missing`): number {
    const word = this.next(missing);
    const value = /^[0-9]+$/.test(word) ? Number(word) : NaN;
    if (value >= least && value <= most) return value;
    throw this.error(`${what} ${word}: expected a whole number from ${grouped(least)} to ${grouped(most)}`);
  }

  /** The next word through a reader of one value. @throws PrepError `TOPOLOGY_MALFORMED` */
  value<T>(read: (word: string) => T, missing: () => string): T {
    const word = this.next(missing);
    try {
      return read(word);
    } catch (error) {
      if (error instanceof ValueFault) throw this.error(error.message);
      throw error;
    }
  }

  /** Words that are left, with the place of the first; `undefined` for none. */
  left(): { count: number; first: string; place: string } | undefined {
    const first = this.#advance();
    if (first === undefined) return undefined;
    const place = this.place();
    let count = 1;
    while (this.#advance() !== undefined) count++;
    return { count, first, place };
  }

  /** `fabric.txt:3`, of the word that was read last. */
  place(): string {
    return `${this.file}:${this.#lineOfLast}`;
  }

  error(message: string): PrepError {
    return malformed(this.place(), message);
  }

  #advance(): string | undefined {
    for (let match = this.#words.exec(this.text); match !== null; match = this.#words.exec(this.text)) {
      if (match[0] !== '\n') {
        this.#lineOfLast = this.#line;
        return match[0];
      }
      this.#line++;
    }
    return undefined;
  }
}

/** `2 words`, and what the first one is. */
export function wordsLeft({ count, first }: { count: number; first: string }): string {
  return `${counted(count, 'word')} left, the first "${first.slice(0, 40)}"`;
}
