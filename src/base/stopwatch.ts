/** Something that took wall-clock time. */
export interface Span {
  /** What did it: `load`, `replay`, `write`, … */
  readonly executor: string;
  readonly name: string;
  /** A file; '' for a phase of work. */
  readonly path: string;
  /** Bytes that it moved; null for work that moves none. */
  readonly bytes: number | null;
  readonly startMs: number;
  /** Null while it runs. */
  readonly endMs: number | null;
  /** Place of the span of the same executor that was running when this one began; −1 for none. */
  readonly within: number;
}

/** What a stopwatch has seen so far. */
export interface StopwatchReading {
  readonly spans: readonly Span[];
  readonly startMs: number;
  /** When it was read. */
  readonly endMs: number;
}

type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

/**
 * Collects what took how long while a command runs. Work that lies between `begin` and `end` may hold further `begin` and
 * `end`; work that runs beside other work, in a thread, is told with `add` once it is over.
 *
 *     const span = stopwatch.begin('load', 'rank 3', file.path);
 *     …
 *     stopwatch.end(span, file.size);
 *
 * A stopwatch that is off ({@link NO_STOPWATCH}) takes the same calls, keeps nothing and asks no clock.
 */
export class Stopwatch {
  readonly #now: (() => number) | null;
  readonly #startMs: number;
  readonly #spans: OpenSpan[] = [];
  readonly #open: number[] = []; // places of the spans that run, the innermost last

  /** @param now a clock, ms; null for a stopwatch that is off */
  constructor(now: (() => number) | null = () => performance.now()) {
    this.#now = now;
    this.#startMs = now === null ? 0 : now();
  }

  get on(): boolean {
    return this.#now !== null;
  }

  /**
   * Work begins.
   * @returns what `end` wants to know; −1 when the stopwatch is off
   */
  begin(executor: string, name: string, path = ''): number {
    if (this.#now === null) return -1;
    const within = this.#open.findLast((place) => this.#spans[place].executor === executor) ?? -1;
    const place =
      this.#spans.push({ executor, name, path, bytes: null, startMs: this.#now(), endMs: null, within }) - 1;
    this.#open.push(place);
    return place;
  }

  /**
   * Work that began has ended, and with it whatever began within it and was left by an error.
   * @param bytes that it moved, without those of spans within it
   * @throws RangeError for a span that is not running
   */
  end(span: number, bytes: number | null = null): void {
    if (this.#now === null) return;
    const depth = this.#open.lastIndexOf(span);
    if (depth < 0) throw new RangeError(`span ${span} is not running`);
    const endMs = this.#now();
    for (const place of this.#open.splice(depth)) this.#spans[place].endMs = endMs;
    this.#spans[span].bytes = bytes;
  }

  /** Work that was timed by somebody else, by a clock that reads as this one's. */
  add(executor: string, name: string, path: string, bytes: number | null, startMs: number, endMs: number): void {
    if (this.#now === null) return;
    this.#spans.push({ executor, name, path, bytes, startMs, endMs, within: -1 });
  }

  /** Everything so far; spans that run have no end. */
  read(): StopwatchReading {
    const endMs = this.#now === null ? 0 : this.#now();
    return { spans: this.#spans.map((span) => ({ ...span })), startMs: this.#startMs, endMs };
  }
}

/** For callers that need no times. */
export const NO_STOPWATCH = new Stopwatch(null);
