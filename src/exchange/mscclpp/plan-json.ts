import type { ByteSource } from '../../base/byte-source.js';
import { requestError, type PrepError } from '../../base/errors.js';
import { JsonCursor, JsonKind } from '../../formats/json/json-cursor.js';
import { jsonValue } from '../../formats/json/json-value.js';
import { JsonSyntaxError } from '../../formats/json-scan.js';

/** Values inside of values; a plan has eight. */
const MOST_DEPTH = 64;

type PlacedObject = Map<string, Placed>;

/** A value of the file and the byte where it begins. */
interface Placed {
  readonly value: PlacedObject | Placed[] | string | number | boolean | null;
  readonly offset: number;
}

/** What the values of one plan share. */
interface PlanFile {
  readonly name: string;
  /** Offsets of the line ends, ascending. */
  readonly lineEnds: readonly number[];
  /** Keys that were asked for, and those that are there, by the kind of their object. */
  readonly unknown: Set<string>;
}

/**
 * A value of a plan, with its path. What is not as demanded is refused with file, line and path.
 */
export class PlanValue {
  readonly #file: PlanFile;
  readonly #placed: Placed;
  readonly path: string;

  constructor(file: PlanFile, placed: Placed, path: string) {
    this.#file = file;
    this.#placed = placed;
    this.path = path;
  }

  /** Line of the file, from 1. */
  get line(): number {
    const { lineEnds } = this.#file;
    let [low, high] = [0, lineEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lineEnds[middle] < this.#placed.offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  error(problem: string): PrepError {
    return requestError('PLAN_MALFORMED', `${this.#file.name}:${this.line}: ${this.path || 'the plan'} ${problem}`);
  }

  unsupported(problem: string): PrepError {
    return requestError('PLAN_UNSUPPORTED', `${this.#file.name}:${this.line}: ${this.path} ${problem}`);
  }

  /** Says which keys the object may have; others are remembered. */
  keys(...known: readonly string[]): void {
    for (const key of this.#object().keys()) if (!known.includes(key)) this.#file.unknown.add(key);
  }

  has(key: string): boolean {
    return this.#object().has(key);
  }

  member(key: string): PlanValue {
    const value = this.#object().get(key);
    if (value === undefined) throw this.error(`has no "${key}"`);
    return new PlanValue(this.#file, value, this.path === '' ? key : `${this.path}.${key}`);
  }

  /** The elements of a list. */
  elements(): PlanValue[] {
    const { value } = this.#placed;
    if (!Array.isArray(value)) throw this.error(`is ${this.shown}, expected a list`);
    return value.map((element, place) => new PlanValue(this.#file, element, `${this.path}[${place}]`));
  }

  /** The elements of a list that may be left out. */
  list(key: string): PlanValue[] {
    return this.has(key) ? this.member(key).elements() : [];
  }

  text(): string {
    const { value } = this.#placed;
    if (typeof value !== 'string') throw this.error(`is ${this.shown}, expected a text`);
    return value;
  }

  oneOf<T extends string>(...names: readonly T[]): T {
    const stated = this.text();
    const found = names.find((name) => name === stated);
    if (found !== undefined) return found;
    throw this.error(`is ${this.shown}, expected ${names.join(', ')}`);
  }

  boolean(): boolean {
    const { value } = this.#placed;
    if (typeof value !== 'boolean') throw this.error(`is ${this.shown}, expected true or false`);
    return value;
  }

  /** An integer from `least` on; one above 2^53 is the nearest double. */
  integer(least = 0): number {
    const { value } = this.#placed;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
      throw this.error(`is ${this.shown}, expected an integer from ${least} on`);
    }
    return value;
  }

  /** An index into a list. @param of what the list holds, for messages */
  indexInto<T>(list: readonly T[], of: string): T {
    const index = this.integer();
    if (index < list.length) return list[index];
    const has = list.length === 0 ? 'there is none' : `expected 0 to ${list.length - 1}`;
    throw this.error(`is ${index}, and names one of the ${of}: ${has}`);
  }

  get shown(): string {
    const { value } = this.#placed;
    if (Array.isArray(value)) return 'a list';
    if (value instanceof Map) return 'an object';
    return JSON.stringify(value);
  }

  #object(): PlacedObject {
    const { value } = this.#placed;
    if (value instanceof Map) return value;
    throw this.error(`is ${this.shown}, expected an object`);
  }
}

/** A document of a plan. @param unknown takes keys that `keys` does not name. @throws PrepError `PLAN_MALFORMED` */
export function planDocument(source: ByteSource, unknown: Set<string>): PlanValue {
  const bytes = source.read(0, source.length);
  const lineEnds: number[] = [];
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lineEnds.push(at);
  const file = { name: source.name, lineEnds, unknown };
  try {
    const cursor = new JsonCursor(source);
    const document = placed(cursor, 0);
    cursor.finish();
    return new PlanValue(file, document, '');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const at = new PlanValue(file, { value: null, offset: error.offset }, '');
    throw requestError('PLAN_MALFORMED', `${source.name}:${at.line}: byte ${error.offset}: no JSON: ${error.message}`);
  }
}

function placed(cursor: JsonCursor, depth: number): Placed {
  const offset = cursor.valueOffset();
  if (depth > MOST_DEPTH) throw cursor.problem(`values nested more than ${MOST_DEPTH} deep`);
  const kind = cursor.kind();
  if (kind === JsonKind.array) {
    const list: Placed[] = [];
    cursor.enterArray();
    while (cursor.nextElement()) list.push(placed(cursor, depth + 1));
    return { value: list, offset };
  }
  if (kind === JsonKind.object) {
    const object: PlacedObject = new Map();
    cursor.enterObject();
    for (let key = cursor.nextKeyText(); key !== undefined; key = cursor.nextKeyText()) {
      if (object.has(key)) throw cursor.problem(`the key ${JSON.stringify(key)} is there twice`);
      object.set(key, placed(cursor, depth + 1));
    }
    return { value: object, offset };
  }
  return { value: jsonValue(cursor) as string | number | boolean | null, offset };
}
