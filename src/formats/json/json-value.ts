import { setOwn } from '../../base/named-values.js';
import { JsonKind, type JsonCursor } from './json-cursor.js';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Values inside of values; more is refused, because each is a call. */
const MOST_DEPTH = 1000;

/**
 * The next value as a whole, as `JSON.parse` gives it: for small parts of a document.
 * @throws JsonSyntaxError
 */
export function jsonValue(cursor: JsonCursor, depth = 0): JsonValue {
  if (depth > MOST_DEPTH) throw cursor.problem(`values nested more than ${MOST_DEPTH} deep`);
  switch (cursor.kind()) {
    case JsonKind.object: {
      const object: { [key: string]: JsonValue } = {};
      cursor.enterObject();
      for (let key = cursor.nextKeyText(); key !== undefined; key = cursor.nextKeyText()) {
        setOwn(object, key, jsonValue(cursor, depth + 1));
      }
      return object;
    }
    case JsonKind.array: {
      const list: JsonValue[] = [];
      cursor.enterArray();
      while (cursor.nextElement()) list.push(jsonValue(cursor, depth + 1));
      return list;
    }
    case JsonKind.string:
      return cursor.text();
    case JsonKind.boolean:
      return cursor.boolean();
    case JsonKind.null:
      cursor.null();
      return null;
    default:
      return cursor.number();
  }
}
