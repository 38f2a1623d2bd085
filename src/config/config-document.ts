import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type Pair } from 'yaml';
import { requestError, type PrepError } from '../base/errors.js';
import type { StopCode } from '../base/stop-codes.js';

export interface ConfigReading {
  /** Code of its errors; `CONFIG_INVALID` where it is left out. */
  readonly code?: StopCode;
  /** Names and values stay the text that is written: numbers of any length are whole. */
  readonly asWritten?: boolean;
  /** What stands for the place in messages where there is no file to point into. */
  readonly place?: string;
}

/** A YAML (or JSON) file of attributes, whose keys and values know their places. */
export class ConfigDocument {
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;
  readonly #code: StopCode;
  readonly #place: string | undefined;

  /**
   * @param path for messages
   * @throws PrepError `CONFIG_INVALID`, or the code that is given, for broken YAML and for an attribute that is given twice
   */
  constructor(
    text: string,
    readonly path: string,
    { code = 'CONFIG_INVALID', asWritten = false, place }: ConfigReading = {},
  ) {
    this.#code = code;
    this.#place = place;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: false,
      ...(asWritten ? { schema: 'failsafe' } : {}),
    });
    const broken = this.#document.errors[0] ?? this.#document.warnings[0];
    if (broken) throw this.error(broken.pos[0], `YAML: ${broken.message}`);
    this.#demandUniqueNames();
  }

  /** The values as plain data; an empty file holds none. */
  values(): unknown {
    try {
      return this.#document.toJS() ?? {};
    } catch (cause) {
      // An alias without its anchor, or more aliases than any configuration has.
      throw this.error(0, `YAML: ${(cause as Error).message}`);
    }
  }

  /** Whether messages point into a file. */
  get isFile(): boolean {
    return this.#place === undefined;
  }

  /** Names in the order of the file. */
  names(): string[] {
    return this.#pairs().map(nameOf);
  }

  /** `line 3`. */
  line(name: string): string {
    return `line ${this.#lines.linePos(this.keyOffset(name)).line}`;
  }

  /** Where the name of an attribute stands. */
  keyOffset(name: string): number {
    return offsetOf(this.#pair(name)?.key);
  }

  /** Where a value stands: that of an attribute, or one inside it. */
  valueOffset(steps: readonly string[]): number {
    const [name, ...inner] = steps;
    const value = this.#pair(name)?.value;
    if (value === undefined || value === null) return this.keyOffset(name);
    const nested = inner.length === 0 ? value : this.#document.getIn(steps, true);
    return offsetOf(isNode(nested) ? nested : value);
  }

  /** A value of one word as it is written, without quotes. */
  source(name: string): string | undefined {
    const value = this.#pair(name)?.value;
    return isScalar(value) ? (value.source ?? String(value.value)) : undefined;
  }

  /** An error with file, line and column. */
  error(offset: number, message: string): PrepError {
    return requestError(this.#code, `${this.place(offset)}: ${message}`);
  }

  /** `run.yaml:3:21`. */
  place(offset: number): string {
    if (this.#place !== undefined) return this.#place;
    const { line, col } = this.#lines.linePos(offset);
    // An empty file has no line.
    return `${this.path}:${Math.max(1, line)}:${Math.max(1, col)}`;
  }

  #demandUniqueNames(): void {
    const first = new Map<string, Pair>();
    for (const pair of this.#pairs()) {
      const name = nameOf(pair);
      if (first.has(name)) {
        throw this.error(offsetOf(pair.key), `${name} given twice, first on ${this.line(name)}; expected once`);
      }
      first.set(name, pair);
    }
  }

  #pair(name: string): Pair | undefined {
    return this.#pairs().find((pair) => nameOf(pair) === name);
  }

  #pairs(): Pair[] {
    const { contents } = this.#document;
    return isMap(contents) ? (contents.items as Pair[]) : [];
  }
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
