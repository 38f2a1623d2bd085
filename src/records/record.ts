import type { ReplayOutcome } from '../replay/outcome.js';

/** Facts about a run that its outcome does not hold. */
export interface RunFacts {
  /** Name of the traceset: ranks are `<prefix>.<rank>.et`. */
  readonly prefix: string;
}

/** One file of records, written as CSV: a header line, commas, LF (section 13). */
export interface RecordFile {
  /** As in `<run>-<name>-0.csv`. */
  readonly name: string;
  /**
   * Writes the file in pieces of whole lines.
   * @throws PrepError `TRANSFERS_NOT_RECORDED` when it needs the transfers and the run did not keep them
   */
  write(outcome: ReplayOutcome, write: (text: string) => void, run: RunFacts): void;
}

/** Collects lines and hands them on in pieces, so that a file of any length takes little memory. */
export class CsvLines {
  readonly #write: (text: string) => void;
  #lines: string[] = [];

  constructor(write: (text: string) => void, header: readonly string[]) {
    this.#write = write;
    this.add(...header);
  }

  add(...fields: (string | number)[]): void {
    this.#lines.push(fields.join(','));
    if (this.#lines.length >= 1024) this.end();
  }

  /** Hands on what is left. */
  end(): void {
    if (this.#lines.length > 0) this.#write(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
  }
}
