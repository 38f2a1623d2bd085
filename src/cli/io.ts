import type { Readable, Writable } from 'node:stream';
import type { Severity } from '../base/finding.js';
import { printableLine, printableText } from '../base/printable.js';

/** The process as a command sees it; tests give their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How much goes to stderr: each level includes those before it. */
export const LOG_LEVELS = ['silent', 'error', 'warning', 'note'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Letters of a line with names in it that are printed; the document of `--json` has all. */
const LONGEST_LINE = 2000;

/** Writes for people on stderr, data on stdout. */
export class Printer {
  readonly #color: boolean;
  #warningsLeft: number;

  constructor(
    readonly io: Io,
    readonly level: LogLevel,
    color: boolean,
    /** Warnings logged at most. */
    readonly maxWarnings = Infinity,
  ) {
    this.#warningsLeft = maxWarnings;
    this.#color = color && io.stderr.isTTY === true && !io.env.NO_COLOR;
  }

  /** Whether messages of a level are shown. */
  shows(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(this.level);
  }

  /** One line for a person; what else a terminal would act on in it is shown. */
  say(line: string, level: LogLevel = 'note'): void {
    if (this.shows(level)) this.io.stderr.write(`${printableLine(line)}\n`);
  }

  /** One line that begins with a severity, coloured on a terminal; a very long one is cut. */
  sayFound(severity: Severity, line: string, level: LogLevel = severity): void {
    if (!this.shows(level)) return;
    this.io.stderr.write(`${this.#coloured(severity)} ${printableLine(line, LONGEST_LINE)}\n`);
  }

  /** How many of `count` further warnings are within the limit; they count as logged, the others are held back. */
  admitWarnings(count: number): number {
    const admitted = Math.min(count, this.#warningsLeft);
    this.#warningsLeft -= admitted;
    return admitted;
  }

  /** Lines for a person on stdout; a very long one is cut. */
  async lines(lines: readonly string[]): Promise<void> {
    await this.data(`${lines.map((line) => printableLine(line, LONGEST_LINE)).join('\n')}\n`);
  }

  /** Data on stdout: bytes, or text without colours; resolves when the stream has room again. */
  async data(chunk: string | Uint8Array): Promise<void> {
    if (!this.io.stdout.write(typeof chunk === 'string' ? printableText(chunk) : chunk)) {
      await new Promise<void>((resolve) => this.io.stdout.once('drain', () => resolve()));
    }
  }

  /** Whether a progress bar makes sense. */
  get interactive(): boolean {
    return this.io.stderr.isTTY === true && this.shows('note');
  }

  #coloured(word: Severity): string {
    if (!this.#color) return word;
    const code = word === 'error' ? 31 : word === 'warning' ? 33 : 36;
    return `\u001b[${code}m${word}\u001b[0m`;
  }
}
