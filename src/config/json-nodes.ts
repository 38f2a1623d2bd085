/** A value of a JSON text, with its place and, for a number, the digits as they are written. */
export type JsonNode =
  | { readonly kind: 'object'; readonly offset: number; readonly entries: ReadonlyMap<string, JsonEntry> }
  | { readonly kind: 'array'; readonly offset: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string' | 'number' | 'word'; readonly offset: number; readonly source: string };

export interface JsonEntry {
  /** Place of the key. */
  readonly offset: number;
  readonly value: JsonNode;
}

/** What a text that is not JSON, or an object that has a key twice, is refused with. */
export class JsonFault extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
    this.name = 'JsonFault';
  }
}

const BLANKS = /[ \t\r\n]*/y;
/** Of at most 1,000 characters: a longer one, which nobody writes here, could overrun the stack of the matcher. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){0,1000}"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.])/y;
const WORD = /(?:true|false|null)(?![0-9A-Za-z_])/y;

/** Depth at which a text is refused rather than the stack overrun. */
const DEEPEST = 100;

/**
 * Reads a JSON text into nodes that know their place: `JSON.parse` gives neither places, nor doubled keys, nor numbers as
 * they are written, and a YAML reader takes some 60 µs for each small object.
 * @throws JsonFault
 */
export function readJsonNodes(text: string): JsonNode {
  let offset = 0;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) offset += found.length;
    return found;
  };
  const fault = (expected: string): JsonFault => {
    const got = offset < text.length ? JSON.stringify(text.slice(offset, offset + 12)) : 'the end';
    return new JsonFault(offset, `no JSON at ${got}, expected ${expected}`);
  };
  const takes = (character: string): boolean => {
    match(BLANKS);
    if (text[offset] !== character) return false;
    offset++;
    return true;
  };

  const readObject = (start: number, depth: number): JsonNode => {
    const entries = new Map<string, JsonEntry>();
    if (takes('}')) return { kind: 'object', offset: start, entries };
    do {
      match(BLANKS);
      const keyOffset = offset;
      const source = match(STRING);
      if (source === undefined) throw fault('a key in double quotes, of at most 1000 characters');
      const key = JSON.parse(source) as string;
      if (entries.has(key)) throw new JsonFault(keyOffset, `key ${source} given twice`);
      if (!takes(':')) throw fault('a colon');
      entries.set(key, { offset: keyOffset, value: readValue(depth + 1) });
    } while (takes(','));
    if (!takes('}')) throw fault('a comma or }');
    return { kind: 'object', offset: start, entries };
  };

  const readArray = (start: number, depth: number): JsonNode => {
    const items: JsonNode[] = [];
    if (takes(']')) return { kind: 'array', offset: start, items };
    do items.push(readValue(depth + 1));
    while (takes(','));
    if (!takes(']')) throw fault('a comma or ]');
    return { kind: 'array', offset: start, items };
  };

  const readValue = (depth: number): JsonNode => {
    match(BLANKS);
    const start = offset;
    if (depth > DEEPEST) throw new JsonFault(start, `nested deeper than ${DEEPEST} levels`);
    if (takes('{')) return readObject(start, depth);
    if (takes('[')) return readArray(start, depth);
    const string = match(STRING);
    if (string !== undefined) return { kind: 'string', offset: start, source: string };
    const number = match(NUMBER);
    if (number !== undefined) return { kind: 'number', offset: start, source: number };
    const word = match(WORD);
    if (word !== undefined) return { kind: 'word', offset: start, source: word };
    throw fault('a value');
  };

  const root = readValue(0);
  match(BLANKS);
  if (offset < text.length) throw fault('nothing after the value');
  return root;
}
