import type { ByteSource } from '../base/byte-source.js';
import { finding } from '../base/catalogue.js';
import { counted } from '../base/counts.js';
import { inputError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { TracePlace } from './et/et-windows.js';
import { JsonSyntaxError, type JsonScanner } from './json-scan.js';
import { jsonScanner, readJsonValue, readMembers } from './json-value.js';
import { ByteWriter } from './jsonl/byte-writer.js';
import { LINE_SCHEMA } from './jsonl/frame-line.js';
import { writeMetadataFrame, writeNodeFrame } from './jsonl/line-frame.js';
import { LineProblem } from './jsonl/scalars.js';
import { stageNode } from './stage/stage-node.js';
import { STAGE_SCHEMA } from './stage/stage-types.js';

const ADVICE = 'see docs/converters.md for the form of STAGE JSON';
/** How many node ids a finding carries. */
const SHOWN_NODES = 8;

/** What happened to a key on some nodes. */
interface Case {
  count: number;
  readonly nodes: (number | string)[];
}

/**
 * The `.et` bytes that a STAGE JSON file says, `{"nodes": [...]}` (chakra-format section 11): those that STAGE's own protobuf
 * form has, by the rules of docs/converters.md.
 * @throws PrepError `JSON_MALFORMED` (exit status 3) with node, byte and key
 */
export function stageJsonToEt(source: ByteSource, where: TracePlace): { bytes: Uint8Array; findings: Finding[] } {
  const writer = new ByteWriter(Math.max(256, source.length >> 1));
  writeMetadataFrame(writer, { schema: LINE_SCHEMA, attr: [{ name: 'schema', string: STAGE_SCHEMA }] });
  const reader = new StageReader(source, writer);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof LineProblem)) throw error;
    const node = reader.nodes > 0 && !reader.behind ? `node ${reader.nodes - 1} of nodes, ` : '';
    const offset = error instanceof JsonSyntaxError ? error.offset : reader.offset;
    const field = error instanceof LineProblem && error.field !== '' ? `, ${error.field}` : '';
    throw inputError('JSON_MALFORMED', `${where.file}: ${node}byte ${offset}${field}: ${error.message}`, ADVICE);
  }
  const { rank, file } = where;
  return { bytes: writer.bytes, findings: reader.findings().map((found) => ({ ...found, rank, file })) };
}

class StageReader {
  /** Begun so far. */
  nodes = 0;
  /** Whether the list of nodes has ended. */
  behind = false;
  /** Where the node begins. */
  offset = 0;
  readonly #scan: JsonScanner;
  readonly #writer: ByteWriter;
  readonly #unread = new Map<string, Case>();
  readonly #rounded = new Map<string, Case>();
  readonly #beside: string[] = [];

  constructor(source: ByteSource, writer: ByteWriter) {
    this.#scan = jsonScanner(source);
    this.#writer = writer;
  }

  read(): void {
    const scan = this.#scan;
    if (scan.next() !== 'beginObject') throw new JsonSyntaxError(scan.offset, 'expected {"nodes": [...]}');
    while (scan.next() !== 'endObject') {
      const { text, offset } = scan;
      const token = scan.next();
      if (text !== 'nodes') {
        this.#beside.push(text);
        readJsonValue(scan, token);
      } else if (this.behind) throw new JsonSyntaxError(offset, 'the key "nodes" is there twice');
      else if (token !== 'beginArray') throw new JsonSyntaxError(scan.offset, 'nodes is not a list');
      else this.#list();
    }
    if (!this.behind) throw new JsonSyntaxError(scan.offset, 'there are no nodes');
    if (scan.next() !== 'end') throw new JsonSyntaxError(scan.offset, 'something follows the object');
  }

  findings(): Finding[] {
    const found = [...this.#unread].map(([key, one]) =>
      finding('STAGE_KEY_UNREAD', `${key} is not read on ${this.#where(one)}`, { ...one, key }),
    );
    if (this.#beside.length > 0) {
      const keys = this.#beside.slice(0, SHOWN_NODES);
      const message = `keys beside nodes that are not read: ${keys.join(', ')}`;
      found.push(finding('STAGE_KEY_UNREAD', message, { count: this.#beside.length, keys }));
    }
    for (const [key, one] of this.#rounded) {
      const message = `${key} is no whole number on ${this.#where(one)}, rounded up`;
      found.push(finding('STAGE_SIZE_ROUNDED', message, { ...one, key }));
    }
    return found;
  }

  #list(): void {
    const scan = this.#scan;
    for (let token = scan.next(); token !== 'endArray'; token = scan.next()) {
      this.nodes++;
      this.offset = scan.offset;
      if (token !== 'beginObject') throw new JsonSyntaxError(scan.offset, 'expected an object for a node');
      const { line, unread, rounded } = stageNode(readMembers(scan));
      writeNodeFrame(this.#writer, line);
      for (const key of unread) count(this.#unread, key, line.id as string);
      for (const key of rounded) count(this.#rounded, key, line.id as string);
    }
    this.behind = true;
  }

  #where({ count: nodes }: Case): string {
    return this.nodes === 1 ? 'the only node' : `${nodes} of ${counted(this.nodes, 'node')}`;
  }
}

function count(cases: Map<string, Case>, key: string, id: string): void {
  let one = cases.get(key);
  if (one === undefined) cases.set(key, (one = { count: 0, nodes: [] }));
  one.count++;
  if (one.nodes.length < SHOWN_NODES) one.nodes.push(Number.isSafeInteger(Number(id)) ? Number(id) : id);
}
