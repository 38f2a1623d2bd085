import { grouped } from '../base/counts.js';
import { formatId } from '../base/ids.js';
import { collectiveName } from '../trace/collective-type.js';
import { NodeType, nodeTypeName } from '../trace/node-type.js';
import { EdgeKind, keyPrefix, type DrawingHead, type DrawingSink, type NodeKey } from './drawing-sink.js';
import { cutText, factLines, shortFacts } from './node-text.js';
import type { NodeFacts } from './node-facts.js';
import { DOT_ESCAPES, DOT_VALUE_ESCAPES, TextBytes, type Escapes } from './text-bytes.js';

/** Letters of a name in a label; the tooltip has all. */
const LONGEST_LABEL = 60;

const STYLES: Readonly<Record<number, string>> = {
  [NodeType.metadata]: 'shape=box style="rounded,filled,dashed" fillcolor="#f1f3f4"',
  [NodeType.memoryLoad]: 'shape=cylinder style=filled fillcolor="#ede7f6"',
  [NodeType.memoryStore]: 'shape=cylinder style=filled fillcolor="#ede7f6"',
  [NodeType.compute]: 'shape=box style=filled fillcolor="#e3f2fd"',
  [NodeType.send]: 'shape=cds style=filled fillcolor="#e8f5e9"',
  [NodeType.receive]: 'shape=house style=filled fillcolor="#fff8e1"',
  [NodeType.collective]: 'shape=hexagon style=filled fillcolor="#fde8e4"',
};
const OTHER_STYLE = 'shape=box style=dotted';

const EDGE_STYLES: Readonly<Record<number, string>> = {
  [EdgeKind.data]: 'dependency=data arrowhead=normal',
  [EdgeKind.control]: 'dependency=control arrowhead=tee style=dashed color="#777777"',
  [EdgeKind.message]: 'dependency=message arrowhead=vee style=bold color="#00796b" constraint=false',
  [EdgeKind.path]: 'dependency=path arrowhead=onormal style=dotted',
};

/** DOT of Graphviz: a cluster a rank where there are several, a statement a line, no positions. */
export class Dot implements DrawingSink {
  readonly #out: TextBytes;
  #clusters = false;
  #prefix: (rank: number) => string = () => '';

  constructor(write: (chunk: Uint8Array) => void) {
    this.#out = new TextBytes(write);
  }

  get replaced(): number {
    return this.#out.replaced;
  }

  begin(head: DrawingHead): void {
    this.#prefix = keyPrefix(head);
    this.#clusters = head.ranks.length > 1;
    this.#out.text('digraph trace {\n  charset="UTF-8"\n  node [fontname="Helvetica" fontsize=11]\n');
  }

  beginRank(rank: number, file: string): void {
    if (!this.#clusters) return;
    this.#out.text(`  subgraph cluster_rank${rank} {\n    label="rank ${rank}" tooltip=`);
    this.#quoted(file);
    this.#out.text('\n');
  }

  endRank(): void {
    if (this.#clusters) this.#out.text('  }\n');
  }

  node(facts: NodeFacts): void {
    const out = this.#out;
    out.text('  ');
    this.#key(facts);
    out.text(' [label=');
    const id = formatId(facts.idLow, facts.idHigh);
    const { name } = facts;
    this.#quoted(`${name === '' ? '' : `${cutText(name, LONGEST_LABEL)}\n`}#${id} ${shortFacts(facts)}`);
    out.text(` ${STYLES[facts.type] ?? OTHER_STYLE} type=${nodeTypeName(facts.type)} rank_of_job=${facts.rank}`);
    if (facts.durationMicros > 0) this.#number('duration_us', facts.durationMicros);
    this.#number('start_us', facts.startMicros);
    this.#number('bytes', facts.sizeBytes);
    if (facts.commType >= 0) out.text(` collective=${collectiveName(facts.commType)}`);
    if (facts.group !== undefined) {
      out.text(' process_group=');
      this.#quoted(facts.group, DOT_VALUE_ESCAPES);
    }
    if (facts.peer >= 0) this.#number('peer', facts.peer);
    this.#number('tag', facts.tag);
    this.#number('root_of_collective', facts.root);
    this.#number('stream', facts.stream);
    this.#number('thread', facts.thread);
    this.#number('ops', facts.operations);
    if (facts.onHost !== undefined) out.text(` on_host=${facts.onHost}`);
    out.text(' tooltip=');
    this.#quoted(factLines(facts).join('\n'));
    out.text(']\n');
  }

  missing(key: NodeKey): void {
    this.#out.text('  ');
    this.#key(key);
    const id = formatId(key.idLow, key.idHigh);
    this.#out.text(` [label="#${id}\\nno node has this id" shape=ellipse style=dotted missing=true]\n`);
  }

  edge(from: NodeKey, to: NodeKey, kind: number, throughMicros: number): void {
    const out = this.#out;
    out.text('  ');
    this.#key(from);
    out.text(' -> ');
    this.#key(to);
    out.text(` [${EDGE_STYLES[kind]}`);
    if (throughMicros > 0) out.text(` through_us=${throughMicros} label="${grouped(throughMicros)} µs"`);
    out.text(']\n');
  }

  end(notes: readonly string[]): void {
    // Behind the clusters, which would take it over.
    if (notes.length > 0) {
      this.#out.text('  labelloc=t label=');
      this.#quoted(notes.join('\n'));
      this.#out.text('\n');
    }
    this.#out.text('}\n');
    this.#out.end();
  }

  #number(name: string, value: number): void {
    if (Number.isNaN(value)) return;
    const text = String(value);
    // A number with an exponent is none to Graphviz.
    this.#out.text(` ${name}=${text.includes('e') ? `"${text}"` : text}`);
  }

  #quoted(text: string, escapes: Escapes = DOT_ESCAPES): void {
    this.#out.text('"');
    this.#out.escaped(text, escapes);
    this.#out.text('"');
  }

  #key({ rank, idLow, idHigh, copy }: NodeKey): void {
    const name = `${this.#prefix(rank)}${formatId(idLow, idHigh)}`;
    this.#out.text(copy > 0 ? `"${name}_${copy + 1}"` : name);
  }
}
