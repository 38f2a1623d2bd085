import { LineCounter, isMap, isNode, isScalar, parseDocument, type Document, type Pair } from 'yaml';
import type { PrepError } from '../../base/errors.js';
import { ValueFault } from './link-values.js';
import { malformed } from './malformed.js';

/** Keys and indices on the way to a value. */
export type Steps = readonly (string | number)[];

/** A JSON or YAML text whose keys and values know their places. */
export class PlacedDocument {
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;
  /** The values as plain data. */
  readonly root: unknown;

  /**
   * @param file for messages
   * @throws PrepError `TOPOLOGY_MALFORMED` for what is no YAML, and for a key that is given twice
   */
  constructor(
    text: string,
    readonly file: string,
  ) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const broken = this.#document.errors[0] ?? this.#document.warnings[0];
    if (broken !== undefined) throw malformed(this.#placeAt(broken.pos[0]), `YAML: ${broken.message}`);
    try {
      this.root = this.#document.toJS();
    } catch (cause) {
      // An alias without its anchor, or more of them than any topology has.
      throw malformed(file, `YAML: ${(cause as Error).message}`);
    }
  }

  /** `fabric.json:3:21`, of a value, or of what it should stand in. */
  place(steps: Steps): string {
    for (let length = steps.length; length > 0; length--) {
      const node = this.#document.getIn(steps.slice(0, length), true);
      if (isNode(node)) return this.#placeAt(node.range?.[0] ?? 0);
    }
    return this.#placeAt(this.#document.contents?.range[0] ?? 0);
  }

  /** The same of the name of a key. */
  keyPlace(steps: Steps): string {
    const parent = steps.length === 1 ? this.#document.contents : this.#document.getIn(steps.slice(0, -1), true);
    const pair = isMap(parent)
      ? (parent.items as Pair[]).find(({ key }) => isScalar(key) && String(key.value) === String(steps.at(-1)))
      : undefined;
    return isNode(pair?.key) ? this.#placeAt(pair.key.range?.[0] ?? 0) : this.place(steps);
  }

  /** An error of a value, which is named by the way to it. */
  error(steps: Steps, message: string): PrepError {
    return malformed(this.place(steps), message);
  }

  /** Reads one value of a link. @throws PrepError `TOPOLOGY_MALFORMED` */
  value<T>(steps: Steps, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ValueFault) throw this.error(steps, error.message);
      throw error;
    }
  }

  #placeAt(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  }
}
