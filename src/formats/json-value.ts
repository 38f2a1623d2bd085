import type { ByteSource } from '../base/byte-source.js';
import { JsonScanner, JsonSyntaxError, type JsonToken } from './json-scan.js';

/** A number as it is written, since a double would lose digits and the way it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** Whether it is written as an integer. */
  get isInteger(): boolean {
    return /^-?[0-9]+$/.test(this.text);
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;

/** Members in the order in which they are written. */
export type JsonObject = Map<string, JsonValue>;

/** Objects and lists inside each other at most: no form has more, and reading goes into itself. */
const DEEPEST = 64;

/** A strict scanner over a source, behind its byte order mark. */
export function jsonScanner(source: ByteSource): JsonScanner {
  const bom = source.length >= 3 && Buffer.from(source.read(0, 3)).equals(Buffer.from('\ufeff'));
  return new JsonScanner(source, { start: bom ? 3 : 0, strict: true });
}

/**
 * The value that begins with a token.
 * @param token just given by the scanner, no end of anything
 * @throws JsonSyntaxError where the text is not JSON, is nested too deep, or an object has a key twice
 */
export function readJsonValue(scan: JsonScanner, token: JsonToken): JsonValue {
  switch (token) {
    case 'string':
      return scan.text;
    case 'number':
      return new JsonNumber(scan.text);
    case 'true':
    case 'false':
      return token === 'true';
    case 'null':
      return null;
    case 'beginArray': {
      demandDepth(scan);
      const list: JsonValue[] = [];
      for (let next = scan.next(); next !== 'endArray'; next = scan.next()) list.push(readJsonValue(scan, next));
      return list;
    }
    default:
      return readMembers(scan);
  }
}

/**
 * The members of the object that the scanner has just begun.
 * @throws JsonSyntaxError as {@link readJsonValue}
 */
export function readMembers(scan: JsonScanner): JsonObject {
  demandDepth(scan);
  const members: JsonObject = new Map();
  while (scan.next() !== 'endObject') {
    const { text, offset } = scan;
    if (members.has(text)) throw new JsonSyntaxError(offset, `the key ${JSON.stringify(text)} is there twice`);
    members.set(text, readJsonValue(scan, scan.next()));
  }
  return members;
}

function demandDepth({ depth, offset }: JsonScanner): void {
  if (depth > DEEPEST) throw new JsonSyntaxError(offset, `more than ${DEEPEST} objects and lists inside each other`);
}

/** A value for messages, cut where it is long. */
export function shownValue(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text.slice(0, 60);
  if (value instanceof Map) return 'an object';
  if (Array.isArray(value)) return 'a list';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
