import { grouped } from '../../base/counts.js';
import { inputError, type PrepError } from '../../base/errors.js';
import { MAX_EXACT } from '../../base/units.js';

/** A word of a line, and the column it begins in, from 1. */
interface Word {
  readonly text: string;
  readonly column: number;
}

/** The words of one line of a text workload; errors tell file, line and column. */
export class LineWords {
  readonly #words: readonly Word[];

  /** @param line from 1 */
  constructor(
    text: string,
    readonly file: string,
    readonly line: number,
  ) {
    this.#words = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], column: match.index + 1 }));
  }

  get count(): number {
    return this.#words.length;
  }

  /** '' behind the last word. */
  text(word: number): string {
    return this.#words[word]?.text ?? '';
  }

  /** `workload.txt:3:14`. */
  place(word: number): string {
    const { text, column } = this.#words[Math.min(word, this.count - 1)] ?? { text: '', column: 1 };
    return `${this.file}:${this.line}:${word < this.count ? column : column + text.length}`;
  }

  /**
   * @param what the word is, for the message
   * @throws PrepError `WORKLOAD_MALFORMED` unless it is a whole number from `least` to `most`
   */
  integer(word: number, what: string, least = 0, most = MAX_EXACT): number {
    const text = this.text(word);
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    const upTo = most === MAX_EXACT ? 'up to 2^53 − 1' : `to ${grouped(most)}`;
    throw this.error(word, `${what} ${shown(text)}: expected a whole number from ${grouped(least)} ${upTo}`);
  }

  /** @param word the place of the fault */
  error(word: number, message: string, advice?: string): PrepError {
    return malformed(this.place(word), message, advice);
  }
}

/** An error of one place of a text workload. */
export function malformed(place: string, message: string, advice?: string): PrepError {
  return inputError('WORKLOAD_MALFORMED', `${place}: ${message}`, advice);
}

/** A word as a message shows it. */
export function shown(text: string): string {
  if (text === '') return 'is missing';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
