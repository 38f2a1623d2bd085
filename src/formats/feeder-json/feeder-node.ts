import type { JsonScanner, JsonToken } from '../json-scan.js';
import { EXPECTED, FEEDER_KEYS } from './feeder-keys.js';

/** An integer as read: a number up to ±(2^53 − 1), a bigint beyond. */
export type Integer = number | bigint;

/** A node of feeder JSON as its object says it. */
export interface FeederJsonNode {
  /** Offset of the object in the source, bytes. */
  readonly offset: number;
  /** Bytes of the object. */
  readonly length: number;
  readonly id: Integer;
  readonly dataDeps: readonly Integer[];
  readonly controlDeps: readonly Integer[];
  /** Every other value that can be used, by key. */
  readonly values: ReadonlyMap<string, string | boolean | Integer>;
  /** Keys whose value is of another kind than expected. */
  readonly unusable: readonly string[];
  /** Keys whose number cannot be one of its kind: a fraction, or a runtime below 0. */
  readonly impossible: readonly string[];
  /** Keys that are not read. */
  readonly unread: readonly string[];
}

/** What a node says that makes it no node; the reader of the file adds the place. */
export class FeederNodeProblem extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

const LARGEST_ID = 2n ** 64n - 1n;

/**
 * Reads the node whose object the scanner has just begun.
 * @throws FeederNodeProblem for an id or a dependency that is none, or a key that repeats; JsonSyntaxError
 */
export function readFeederNode(scan: JsonScanner): FeederJsonNode {
  const { offset } = scan;
  const values = new Map<string, string | boolean | Integer>();
  const unusable: string[] = [];
  const impossible: string[] = [];
  const unread: string[] = [];
  const seen = new Set<string>();
  let id: Integer | undefined;
  let dataDeps: readonly Integer[] = [];
  let controlDeps: readonly Integer[] = [];
  while (scan.next() !== 'endObject') {
    const key = scan.text;
    if (seen.has(key)) throw new FeederNodeProblem(scan.offset, `the key ${JSON.stringify(key)} is there twice`);
    seen.add(key);
    const known = Object.hasOwn(FEEDER_KEYS, key) ? FEEDER_KEYS[key] : undefined;
    const token = scan.next();
    if (known === undefined) {
      unread.push(key);
      skipValue(scan, token);
    } else if (known.value === 'ids') {
      const ids = idList(scan, token, key);
      if (key === 'data_deps') dataDeps = ids;
      else controlDeps = ids;
      values.set(key, true);
    } else {
      const value = scalar(scan, token, known.value === 'text');
      skipValue(scan, token);
      if (known.value === 'id') id = asId(value, scan.offset, key);
      else {
        const belowZero = key === 'runtime' && isInteger(value) && value < 0;
        if (fits(value, known.value) && !belowZero) values.set(key, value);
        else if (known.value === 'integer' && typeof value === 'number') impossible.push(key);
        else unusable.push(key);
      }
    }
  }
  if (id === undefined) throw new FeederNodeProblem(offset, 'the node has no Id');
  const length = scan.offset + 1 - offset;
  return {
    offset,
    length,
    id,
    dataDeps,
    controlDeps,
    values,
    unusable,
    impossible,
    unread,
  };
}

/** Passes over the value that began with `token`. */
export function skipValue(scan: JsonScanner, token: JsonToken): void {
  if (token !== 'beginObject' && token !== 'beginArray') return;
  const outside = scan.depth - 1;
  while (scan.depth > outside) scan.next();
}

function idList(scan: JsonScanner, begin: JsonToken, key: string): Integer[] {
  const { offset } = scan;
  if (begin !== 'beginArray') throw new FeederNodeProblem(offset, `${key} is not ${EXPECTED.ids}`);
  const ids: Integer[] = [];
  for (let token = scan.next(); token !== 'endArray'; token = scan.next()) {
    ids.push(asId(scalar(scan, token, false), scan.offset, key));
  }
  return ids;
}

function asId(value: string | boolean | Integer | undefined, offset: number, key: string): Integer {
  if (isInteger(value) && value >= 0 && value <= LARGEST_ID) return value;
  throw new FeederNodeProblem(offset, `${key} holds a value that is not ${EXPECTED.id}`);
}

function fits(value: string | boolean | Integer | undefined, expected: string): value is string | boolean | Integer {
  if (expected === 'text') return typeof value === 'string';
  if (expected === 'flag') return typeof value === 'boolean';
  return isInteger(value);
}

function isInteger(value: string | boolean | Integer | undefined): value is Integer {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** The value of a token; integers exact, also those that stand as decimal text where no text is expected. */
function scalar(scan: JsonScanner, token: JsonToken, text: boolean): string | boolean | Integer | undefined {
  if (token === 'true' || token === 'false') return token === 'true';
  if (token === 'string' && text) return scan.text;
  if (token !== 'number' && token !== 'string') return undefined;
  if (!/^-?[0-9]+$/.test(scan.text)) return token === 'number' ? Number(scan.text) : undefined;
  const near = Number(scan.text);
  return Number.isSafeInteger(near) ? near : BigInt(scan.text);
}
