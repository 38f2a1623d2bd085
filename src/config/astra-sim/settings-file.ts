import { readFileSync } from 'node:fs';
import { requestError, type PrepError } from '../../base/errors.js';
import type { StopCode } from '../../base/stop-codes.js';
import { JsonFault, readJsonNodes, type JsonNode } from '../json-nodes.js';

/** Codes of a file that cannot be opened, and of one that is wrong. */
export interface SettingsCodes {
  readonly unreadable: StopCode;
  readonly malformed: StopCode;
}

/** A JSON file of settings whose keys and values know their places. */
export class SettingsFile {
  /** As plain data. */
  readonly values: unknown;
  readonly #text: string;
  readonly #root: JsonNode;

  /**
   * @param path for messages
   * @throws PrepError `codes.malformed` for a text that is not JSON, and for a key that is given twice
   */
  constructor(
    text: string,
    readonly path: string,
    readonly codes: SettingsCodes,
  ) {
    // ASTRA-sim's reader passes over a byte order mark.
    this.#text = text.replace(/^\ufeff/, '');
    try {
      this.#root = readJsonNodes(this.#text);
    } catch (error) {
      if (error instanceof JsonFault) throw this.error(error.offset, error.message);
      throw error;
    }
    this.values = JSON.parse(this.#text);
  }

  /** Keys of the outermost object in the order of the file. */
  keys(): string[] {
    return this.#root.kind === 'object' ? [...this.#root.entries.keys()] : [];
  }

  /** Where a value stands: a key, then positions in its list. 0 where it is not there. */
  valueOffset(steps: readonly string[]): number {
    let node: JsonNode | undefined = this.#root;
    for (const step of steps) {
      if (node?.kind === 'object') node = node.entries.get(step)?.value;
      else node = node?.kind === 'array' ? node.items[Number(step)] : undefined;
    }
    return node?.offset ?? 0;
  }

  /** Line of a key, from 1. */
  line(key: string): number {
    const entry = this.#root.kind === 'object' ? this.#root.entries.get(key) : undefined;
    return this.#linePosition(entry?.offset ?? 0).line;
  }

  /** An error with file, line and column. */
  error(offset: number, message: string, advice?: string): PrepError {
    const { line, column } = this.#linePosition(offset);
    return requestError(this.codes.malformed, `${this.path}:${line}:${column}: ${message}`, advice);
  }

  #linePosition(offset: number): { line: number; column: number } {
    const before = this.#text.slice(0, offset);
    return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
  }
}

/** The text of a file. @throws PrepError `code` */
export function readSettingsText(path: string, code: StopCode): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw requestError(code, `${path}: cannot be read (${(cause as Error).message})`);
  }
}
