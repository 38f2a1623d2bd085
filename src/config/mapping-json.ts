import { JsonFault, readJsonNodes, type JsonNode } from './json-nodes.js';
import { MappingBuilder, type MappingFile } from './mapping-builder.js';

const RANK_KEYS = ['rank', 'server', 'group', 'subgroup'];
const GROUP_KEYS = ['id', 'bandwidthGbps', 'switchLatencyNs', 'cableLatencyNs'];

/**
 * Parses the JSON form of a mapping; every value is held to the rules of the text form.
 * @param path for messages
 * @throws PrepError `MAPPING_MALFORMED`
 */
export function parseMappingJson(text: string, path: string): MappingFile {
  const builder = new MappingBuilder(path);
  const lineAt = lineFinder(text);
  const fields = (node: JsonNode, what: string, known: readonly string[]): Fields =>
    fieldsOf(builder, lineAt, node, what, known);
  try {
    const top = fields(readJsonNodes(text), 'the file', ['ranks', 'groups']);
    for (const item of top.list('ranks', true)) {
      const entry = fields(item, 'an item of ranks', RANK_KEYS);
      const group = entry.pair('group', 'subgroup');
      builder.addRank(entry.line, entry.number('rank'), entry.number('server'), group);
    }
    for (const item of top.list('groups', false)) {
      const entry = fields(item, 'an item of groups', GROUP_KEYS);
      const [id, bandwidth, switchLatency, cableLatency] = GROUP_KEYS.map((key) => entry.number(key));
      builder.addGroup(entry.line, id, bandwidth, switchLatency, cableLatency);
    }
  } catch (error) {
    if (error instanceof JsonFault) throw builder.error(lineAt(error.offset), error.message);
    throw error;
  }
  return builder.finish();
}

/** The keys of one object. */
interface Fields {
  readonly line: number;
  /** Digits of a number as they are written. */
  number(key: string): string;
  /** Two numbers that come together or not at all. */
  pair(first: string, second: string): [string, string] | undefined;
  list(key: string, required: boolean): readonly JsonNode[];
}

function fieldsOf(
  builder: MappingBuilder,
  lineAt: (offset: number) => number,
  node: JsonNode,
  what: string,
  known: readonly string[],
): Fields {
  const line = lineAt(node.offset);
  if (node.kind !== 'object') throw builder.error(line, `${what} is ${kindOf(node)}, expected an object`);
  const { entries } = node;
  for (const [key, { offset }] of entries) {
    if (known.includes(key)) continue;
    throw builder.error(lineAt(offset), `unknown key ${JSON.stringify(key)}, expected one of ${known.join(', ')}`);
  }
  const missing = (key: string): Error => builder.error(line, `${key} missing in ${what}`);
  const number = (key: string): string => {
    const value = entries.get(key)?.value;
    if (value === undefined) throw missing(key);
    if (value.kind === 'number') return value.source;
    throw builder.error(lineAt(value.offset), `${key} is ${kindOf(value)}, expected a number`);
  };
  return {
    line,
    number,
    pair: (first, second) => {
      if (!entries.has(first) && !entries.has(second)) return undefined;
      return [number(first), number(second)];
    },
    list: (key, required) => {
      const value = entries.get(key)?.value;
      if (value === undefined) {
        if (required) throw missing(key);
        return [];
      }
      if (value.kind === 'array') return value.items;
      throw builder.error(lineAt(value.offset), `${key} is ${kindOf(value)}, expected a list`);
    },
  };
}

function kindOf(node: JsonNode): string {
  if (node.kind === 'object') return 'an object';
  if (node.kind === 'array') return 'a list';
  return node.source.length > 40 ? `${node.source.slice(0, 40)}…` : node.source;
}

/** Lines, from 1, of offsets; quick where they ascend. */
function lineFinder(text: string): (offset: number) => number {
  let line = 1;
  let start = 0; // of that line
  let end = text.indexOf('\n'); // of that line; negative for the last one
  return (offset) => {
    if (offset < start) {
      [line, start] = [1, 0];
      end = text.indexOf('\n');
    }
    for (; end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return line;
  };
}
