import { ATTRIBUTE_KINDS, LineProblem } from '../jsonl/scalars.js';
import { JsonNumber, shownValue, type JsonObject, type JsonValue } from '../json-value.js';

/*
 * Objects of protobuf's JSON mapping as the lines of Chakra JSON lines, from which frames are made. Readers of the mapping
 * take the schema's own names beside the camel case ones, numbers as texts, and null for what is not there.
 */

type Line = Record<string, unknown>;
type Reader = (value: JsonValue, path: string) => unknown;

interface Member {
  /** Name in a line. */
  readonly name: string;
  readonly read: Reader;
}

/** Members by both of their names. */
function members(table: Record<string, [name: string, read: Reader]>): ReadonlyMap<string, Member> {
  const entries = Object.entries(table).flatMap(([key, [name, read]]) => {
    const member = { name, read };
    const original = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [key, original].map((known) => [known, member] as const);
  });
  return new Map(entries);
}

const IO_MEMBERS = members({ values: ['values', text], shapes: ['shapes', text], types: ['types', text] });

const ATTRIBUTE_MEMBERS = members({
  name: ['name', text],
  docString: ['doc', text],
  ...Object.fromEntries(
    ATTRIBUTE_KINDS.flatMap(({ name }) => [
      [`${name}Val`, [name, scalarReader(name)]],
      [`${name}List`, [name, valuesOf(scalarReader(name))]],
    ]),
  ),
});

const NODE_MEMBERS = members({
  id: ['id', integer],
  name: ['name', text],
  type: ['type', enumeration],
  ctrlDeps: ['ctrlDeps', listOf(integer)],
  dataDeps: ['dataDeps', listOf(integer)],
  startTimeMicros: ['startTimeMicros', integer],
  durationMicros: ['durationMicros', integer],
  inputs: ['inputs', objectOf(IO_MEMBERS)],
  outputs: ['outputs', objectOf(IO_MEMBERS)],
  attr: ['attr', listOf(objectOf(ATTRIBUTE_MEMBERS))],
});

const METADATA_MEMBERS = members({
  version: ['version', text],
  attr: ['attr', listOf(objectOf(ATTRIBUTE_MEMBERS))],
});

/** The line of a node's object. @throws LineProblem */
export function nodeLineOf(object: JsonObject): Line {
  return lineOf(object, NODE_MEMBERS, '');
}

/** What the first line says of the metadata's object. @throws LineProblem */
export function metadataLineOf(object: JsonObject): Line {
  return lineOf(object, METADATA_MEMBERS, '');
}

function lineOf(object: JsonObject, known: ReadonlyMap<string, Member>, path: string): Line {
  const line: Line = {};
  for (const [key, value] of object) {
    const member = known.get(key);
    if (member === undefined) {
      const names = [...known.keys()].filter((name) => !name.includes('_') && !/(?:Val|List)$/.test(name));
      throw new LineProblem(path + key, `the schema has no such field (known here: ${names.join(', ')})`);
    }
    if (value === null) continue; // the mapping's word for a default
    if (Object.hasOwn(line, member.name)) {
      throw new LineProblem(path + key, 'the field is there twice, or the attribute has a second value');
    }
    line[member.name] = member.read(value, path + key);
  }
  return line;
}

function objectOf(known: ReadonlyMap<string, Member>): Reader {
  return (value, path) => {
    if (value instanceof Map) return lineOf(value, known, `${path}.`);
    throw new LineProblem(path, `expected an object, got ${shownValue(value)}`);
  };
}

function listOf(read: Reader): Reader {
  return (value, path) => {
    if (Array.isArray(value)) return value.map((one, place) => read(one, `${path}[${place}]`));
    throw new LineProblem(path, `expected a list, got ${shownValue(value)}`);
  };
}

/** The message of a list arm: `{"values": [...]}`, or `{}` for an empty one. */
function valuesOf(read: Reader): Reader {
  const list = objectOf(new Map([['values', { name: 'values', read: listOf(read) }]]));
  return (value, path) => (list(value, path) as { values?: unknown[] }).values ?? [];
}

function scalarReader(kind: string): Reader {
  if (kind === 'double' || kind === 'float') return real;
  if (kind === 'bool') return flag;
  if (kind === 'string') return text;
  return kind === 'bytes' ? base64 : integer;
}

function text(value: JsonValue, path: string): string {
  if (typeof value === 'string') return value;
  throw new LineProblem(path, `expected a text, got ${shownValue(value)}`);
}

function flag(value: JsonValue, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new LineProblem(path, `expected true or false, got ${shownValue(value)}`);
}

/** A number where it is exact, text beyond; whoever writes it checks the range. */
function integer(value: JsonValue, path: string): number | string {
  const written = value instanceof JsonNumber ? value.text : value;
  if (typeof written === 'string' && /^-?[0-9]+$/.test(written)) {
    const near = Number(written);
    return Number.isSafeInteger(near) ? near + 0 : written;
  }
  // 5.0 and 1e3 are integers to readers of the mapping.
  const near = value instanceof JsonNumber ? Number(value.text) : NaN;
  if (Number.isSafeInteger(near)) return near + 0;
  throw new LineProblem(path, `expected an integer, got ${shownValue(value)}`);
}

function real(value: JsonValue, path: string): number | string {
  if (value instanceof JsonNumber) return Number(value.text);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  const written = typeof value === 'string' && /^-?[0-9]/.test(value) ? Number(value) : NaN;
  if (!Number.isNaN(written)) return written;
  throw new LineProblem(path, `expected a number, "NaN", "Infinity" or "-Infinity", got ${shownValue(value)}`);
}

/** Either alphabet of base64, with or without padding, as readers of the mapping take it. */
function base64(value: JsonValue, path: string): string {
  const written = text(value, path).replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return written.padEnd(Math.ceil(written.length / 4) * 4, '=');
}

function enumeration(value: JsonValue, path: string): string | number {
  return value instanceof JsonNumber ? (integer(value, path) as number) : text(value, path);
}
