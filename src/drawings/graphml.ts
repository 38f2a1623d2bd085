import { collectiveName } from '../trace/collective-type.js';
import { nodeTypeName } from '../trace/node-type.js';
import { EDGE_NAMES, keyPrefix, type DrawingHead, type DrawingSink, type NodeKey } from './drawing-sink.js';
import type { NodeFacts } from './node-facts.js';
import { TextBytes, utf8, XML_ESCAPES } from './text-bytes.js';

/** Data of a node by key: type of GraphML, and what it is. */
const NODE_KEYS = {
  label: 'string',
  type: 'string',
  rank: 'int',
  duration_us: 'double',
  start_us: 'double',
  bytes: 'double',
  group: 'string',
  collective: 'string',
  peer: 'int',
  tag: 'double',
  root: 'int',
  stream: 'long',
  thread: 'long',
  ops: 'double',
  on_host: 'boolean',
  missing: 'boolean',
} as const;

const HEAD = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
  ...Object.entries(NODE_KEYS).map(
    ([name, type]) => `<key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`,
  ),
  '<key id="dependency" for="edge" attr.name="dependency" attr.type="string"/>',
  '<key id="through_us" for="edge" attr.name="through_us" attr.type="double"/>',
  '<key id="title" for="graph" attr.name="title" attr.type="string"/>',
  '<key id="left_out" for="graph" attr.name="left_out" attr.type="string"/>',
  '<graph id="trace" edgedefault="directed" parse.order="nodesfirst">',
  '<data key="title">',
].join('\n');

const data = (key: keyof typeof NODE_KEYS): Uint8Array => utf8(`</data><data key="${key}">`);
const NODE = utf8('<node id="');
const TYPE_OF_NODE = utf8('"><data key="type">');
const LABEL = data('label');
const RANK = data('rank');
const DURATION = data('duration_us');
const START = data('start_us');
const BYTES = data('bytes');
const GROUP = data('group');
const COLLECTIVE = data('collective');
const PEER = data('peer');
const TAG = data('tag');
const ROOT = data('root');
const STREAM = data('stream');
const THREAD = data('thread');
const OPERATIONS = data('ops');
const ON_HOST = data('on_host');
const END_OF_NODE = utf8('</data></node>\n');
const MISSING = utf8('"><data key="missing">true</data><data key="rank">');
const EDGE = utf8('<edge id="e');
const SOURCE = utf8('" source="');
const TARGET = utf8('" target="');
const KIND = utf8('"><data key="dependency">');
const THROUGH = utf8('</data><data key="through_us">');
const END_OF_EDGE = utf8('</data></edge>\n');
const TRUE = utf8('true');
const FALSE = utf8('false');

/**
 * GraphML 1.0: one flat directed graph with the rank of each node as data, as readers skip nested graphs; nodes before
 * edges, parallel edges with ids of their own.
 */
export class GraphMl implements DrawingSink {
  readonly #out: TextBytes;
  #edges = 0;
  #prefix: (rank: number) => string = () => '';
  #rankPrefix: Uint8Array = new Uint8Array(0);
  #rankOfPrefix = -1;
  readonly #types = Array.from({ length: 256 }, (_, type) => utf8(nodeTypeName(type)));
  readonly #kinds = EDGE_NAMES.map(utf8);

  constructor(write: (chunk: Uint8Array) => void) {
    this.#out = new TextBytes(write);
  }

  get replaced(): number {
    return this.#out.replaced;
  }

  begin(head: DrawingHead): void {
    this.#prefix = keyPrefix(head);
    this.#out.text(HEAD);
    this.#out.escaped(head.title, XML_ESCAPES);
    this.#out.text('</data>\n');
  }

  beginRank(): void {}

  endRank(): void {}

  node(facts: NodeFacts): void {
    const out = this.#out;
    out.raw(NODE);
    this.#key(facts);
    out.raw(TYPE_OF_NODE);
    out.raw(this.#types[facts.type]);
    if (facts.nameEnd > facts.nameStart) {
      out.raw(LABEL);
      out.escapedBytes(facts.bytes, facts.nameStart, facts.nameEnd, XML_ESCAPES);
    }
    out.raw(RANK);
    out.number(facts.rank);
    if (facts.durationMicros > 0) this.#number(DURATION, facts.durationMicros);
    this.#number(START, facts.startMicros);
    this.#number(BYTES, facts.sizeBytes);
    if (facts.group !== undefined) {
      out.raw(GROUP);
      out.escaped(facts.group, XML_ESCAPES);
    }
    if (facts.commType >= 0) {
      out.raw(COLLECTIVE);
      out.text(collectiveName(facts.commType));
    }
    if (facts.peer >= 0) this.#number(PEER, facts.peer);
    this.#number(TAG, facts.tag);
    this.#number(ROOT, facts.root);
    this.#number(STREAM, facts.stream);
    this.#number(THREAD, facts.thread);
    this.#number(OPERATIONS, facts.operations);
    if (facts.onHost !== undefined) {
      out.raw(ON_HOST);
      out.raw(facts.onHost ? TRUE : FALSE);
    }
    out.raw(END_OF_NODE);
  }

  missing(key: NodeKey): void {
    const out = this.#out;
    out.raw(NODE);
    this.#key(key);
    out.raw(MISSING);
    out.number(key.rank);
    out.raw(END_OF_NODE);
  }

  edge(from: NodeKey, to: NodeKey, kind: number, throughMicros: number): void {
    const out = this.#out;
    out.raw(EDGE);
    out.number(this.#edges++);
    out.raw(SOURCE);
    this.#key(from);
    out.raw(TARGET);
    this.#key(to);
    out.raw(KIND);
    out.raw(this.#kinds[kind]);
    this.#number(THROUGH, throughMicros);
    out.raw(END_OF_EDGE);
  }

  end(notes: readonly string[]): void {
    const out = this.#out;
    for (const note of notes.length === 0 ? [] : [notes.join('\n')]) {
      out.text('<data key="left_out">');
      out.escaped(note, XML_ESCAPES);
      out.text('</data>\n');
    }
    out.text('</graph>\n</graphml>\n');
    out.end();
  }

  #number(key: Uint8Array, value: number): void {
    if (Number.isNaN(value)) return;
    this.#out.raw(key);
    this.#out.number(value);
  }

  #key({ rank, idLow, idHigh, copy }: NodeKey): void {
    const out = this.#out;
    if (rank !== this.#rankOfPrefix) {
      this.#rankPrefix = utf8(this.#prefix(rank));
      this.#rankOfPrefix = rank;
    }
    out.raw(this.#rankPrefix);
    out.id(idLow, idHigh);
    if (copy > 0) out.text(`_${copy + 1}`);
  }
}
