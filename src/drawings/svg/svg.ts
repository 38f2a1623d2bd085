import { grouped } from '../../base/counts.js';
import { formatId } from '../../base/ids.js';
import { EdgeKind, type DrawingHead, type DrawingSink, type NodeKey } from '../drawing-sink.js';
import { cutInside, cutText, factLines, shortFacts } from '../node-text.js';
import type { NodeFacts } from '../node-facts.js';
import { TextBytes, XML_ESCAPES } from '../text-bytes.js';
import { layOut, type Layout } from './layout.js';
import { EDGE_LOOKS, lookOf, MISSING_LOOK, STYLE, type NodeLook } from './style.js';

/** px */
const NODE_HEIGHT = 36;
const ROW_HEIGHT = NODE_HEIGHT + 34;
const LETTER_WIDTH = 6.7;
const MARGIN = 16;
const BAND_HEAD = 26;
const BAND_GAP = 28;
const LEAST_BAND = 90;
const LINE_HEIGHT = 16;
/** Letters of the name of a node. */
const LONGEST_LINE = 32;
/** Letters of a line above the picture. */
const LONGEST_NOTE = 110;

interface DrawnNode {
  readonly look: NodeLook;
  readonly lines: readonly string[];
  readonly tooltip: string;
  readonly width: number;
}

/**
 * A picture with a layout of its own: a band a rank, time from top to bottom, in rows by the longest chain of dependencies.
 * It is laid out at the end, from everything it was given.
 */
export class Svg implements DrawingSink {
  upwards = 0;
  readonly #out: TextBytes;
  #head: DrawingHead = { title: '', ranks: [] };
  readonly #files = new Map<number, string>();
  readonly #nodes: DrawnNode[] = [];
  readonly #band: number[] = [];
  readonly #index = new Map<string, number>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #kind: number[] = [];
  readonly #micros: number[] = [];

  constructor(write: (chunk: Uint8Array) => void) {
    this.#out = new TextBytes(write);
  }

  get replaced(): number {
    return this.#out.replaced;
  }

  begin(head: DrawingHead): void {
    this.#head = head;
  }

  beginRank(rank: number, file: string): void {
    this.#files.set(rank, file);
  }

  endRank(): void {}

  node(facts: NodeFacts): void {
    const { name } = facts;
    const second = `#${formatId(facts.idLow, facts.idHigh)} ${shortFacts(facts)}`;
    const lines = [...(name === '' ? [] : [cutInside(name, LONGEST_LINE)]), cutText(second, LONGEST_LINE + 4)];
    this.#add(facts, { look: lookOf(facts.type), lines, tooltip: factLines(facts).join('\n') });
  }

  missing(key: NodeKey): void {
    const id = formatId(key.idLow, key.idHigh);
    const tooltip = `rank ${key.rank}: dependencies name id ${id}, which no node has`;
    this.#add(key, { look: MISSING_LOOK, lines: [`#${id}`, 'no such node'], tooltip });
  }

  edge(from: NodeKey, to: NodeKey, kind: number, throughMicros: number): void {
    this.#from.push(this.#index.get(keyText(from))!);
    this.#to.push(this.#index.get(keyText(to))!);
    this.#kind.push(kind);
    this.#micros.push(throughMicros);
  }

  end(notes: readonly string[]): void {
    const layout = layOut({
      band: this.#band,
      bands: this.#head.ranks.length,
      width: this.#nodes.map(({ width }) => width),
      from: this.#from,
      to: this.#to,
      kind: this.#kind.map((kind) => (kind === EdgeKind.message ? -1 : kind)),
    });
    for (const up of layout.upwards) this.upwards += up;
    this.#write(
      layout,
      notes.flatMap((note) => wrapped(note)),
    );
  }

  #add(key: NodeKey, node: Omit<DrawnNode, 'width'>): void {
    this.#index.set(keyText(key), this.#nodes.length);
    this.#band.push(this.#head.ranks.indexOf(key.rank));
    const letters = Math.max(...node.lines.map(lettersOf));
    this.#nodes.push({ ...node, width: Math.ceil(letters * LETTER_WIDTH) + 26 });
  }

  #write(layout: Layout, notes: readonly string[]): void {
    const out = this.#out;
    const { ranks, title } = this.#head;
    const several = ranks.length > 1;
    const legend = this.#legend();
    const top = MARGIN + 22 + legend.length * LINE_HEIGHT + 12 + notes.length * LINE_HEIGHT + (several ? BAND_HEAD : 0);
    const lefts: number[] = [];
    let right = MARGIN;
    for (const width of layout.bandWidth) {
      lefts.push(right);
      right += Math.max(width, several ? LEAST_BAND : 0) + BAND_GAP;
    }
    const bottom = top + layout.rows * ROW_HEIGHT;
    const longest = Math.max(title.length * 1.3, ...[...legend, ...notes].map(lettersOf));
    const width = Math.ceil(Math.max(right - BAND_GAP + MARGIN, longest * LETTER_WIDTH + 2 * MARGIN + 30));
    const height = bottom + MARGIN;
    out.text('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ');
    out.text(`width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n<title>`);
    out.escaped(title, XML_ESCAPES);
    out.text(`</title>\n${STYLE}<rect class="page" width="${width}" height="${height}"/>\n`);
    this.#writeText(MARGIN, MARGIN + 12, title, 'head');
    legend.forEach((line, at) => this.#writeLegend(MARGIN, MARGIN + 34 + at * LINE_HEIGHT, line));
    notes.forEach((note, at) => {
      this.#writeText(MARGIN, MARGIN + 42 + (legend.length + at) * LINE_HEIGHT, note, 'soft');
    });
    if (several) ranks.forEach((rank, band) => this.#writeBand(rank, lefts[band], top, bottom, layout.bandWidth[band]));
    const x = (node: number): number => Math.round(lefts[this.#band[node]] + layout.x[node]);
    const y = (node: number): number => top + layout.row[node] * ROW_HEIGHT;
    this.#writeTracks(layout, lefts, x, y);
    this.#writeStraight(layout, x, y);
    this.#nodes.forEach((node, at) => this.#writeNode(node, x(at), y(at)));
    out.text('</svg>\n');
    out.end();
  }

  #writeBand(rank: number, left: number, top: number, bottom: number, width: number): void {
    const out = this.#out;
    const across = Math.round(Math.max(width, LEAST_BAND) + 12);
    out.text(`<g><title>`);
    out.escaped(this.#files.get(rank) ?? '', XML_ESCAPES);
    out.text(`</title><rect class="band" x="${Math.round(left - 6)}" y="${top - BAND_HEAD}" width="${across}" `);
    out.text(`height="${bottom - top + BAND_HEAD}" rx="6"/>`);
    out.text(
      `<text class="soft mid" x="${Math.round(left - 6 + across / 2)}" y="${top - 10}">rank ${rank}</text></g>\n`,
    );
  }

  /** Dependencies: what edges of a kind from one node share, then each edge from there to its end. */
  #writeTracks(
    { tracks, row }: Layout,
    lefts: readonly number[],
    x: (node: number) => number,
    y: (node: number) => number,
  ): void {
    const out = this.#out;
    const kindsOf = new Map<string, Set<number>>();
    const ends = (edge: number): string => `${this.#from[edge]} ${this.#to[edge]}`;
    this.#kind.forEach((kind, edge) => kindsOf.set(ends(edge), (kindsOf.get(ends(edge)) ?? new Set()).add(kind)));
    for (const { source, kind, x: across, edges } of tracks) {
      const { name } = EDGE_LOOKS[kind];
      const columns = [x(source), ...across.map((one) => Math.round(lefts[this.#band[source]] + one))];
      const bottomOf = (at: number): number => y(source) + at * ROW_HEIGHT + NODE_HEIGHT;
      if (across.length > 0) {
        let path = `M${columns[0]} ${bottomOf(0)}`;
        for (let at = 1; at < columns.length; at++) {
          const end = bottomOf(at) - NODE_HEIGHT;
          path += curve(columns[at - 1], bottomOf(at - 1), columns[at], end);
          path += `V${bottomOf(at)}`;
        }
        out.text(`<path class="edge ${name}" d="${path}"/>\n`);
      }
      for (const edge of edges) {
        const target = this.#to[edge];
        const at = row[target] - row[source] - 1;
        // Edges of two kinds between the same nodes lie side by side.
        const end = x(target) + (kindsOf.get(ends(edge))!.size > 1 ? SIDE[kind] : 0);
        const path = `M${columns[at]} ${bottomOf(at)}${curve(columns[at], bottomOf(at), end, y(target))}`;
        out.text(`<path class="edge ${name}" d="${path}" marker-end="url(#a-${name})">`);
        this.#writeTooltip(edge);
        out.text('</path>\n');
      }
    }
  }

  /** Messages, and edges that close a cycle: from side to side. */
  #writeStraight({ upwards, row }: Layout, x: (node: number) => number, y: (node: number) => number): void {
    const out = this.#out;
    for (let edge = 0; edge < this.#kind.length; edge++) {
      const kind = this.#kind[edge];
      const [from, to] = [this.#from[edge], this.#to[edge]];
      const isUpwards = upwards[edge] === 1 || row[to] <= row[from];
      if (kind !== EdgeKind.message && !isUpwards) continue;
      const { name } = EDGE_LOOKS[kind];
      const toTheRight = x(to) > x(from);
      const side = (node: number, right: boolean): number => x(node) + (right ? 1 : -1) * (this.#nodes[node].width / 2);
      // Within a band an edge leaves and comes in on the right.
      const sameBand = this.#band[from] === this.#band[to];
      const start = side(from, sameBand || toTheRight);
      const end = side(to, sameBand || !toTheRight);
      const [startY, endY] = [y(from) + NODE_HEIGHT / 2, y(to) + NODE_HEIGHT / 2];
      const bow = sameBand ? 40 : Math.max(30, Math.abs(end - start) / 3) * (toTheRight ? 1 : -1);
      const path = `M${start} ${startY}C${start + bow} ${startY} ${end + (sameBand ? bow : -bow)} ${endY} ${end} ${endY}`;
      out.text(
        `<path class="edge ${name}${isUpwards ? ' up' : ''}" d="${rounded(path)}" marker-end="url(#a-${name})">`,
      );
      this.#writeTooltip(edge);
      out.text('</path>\n');
    }
  }

  #writeTooltip(edge: number): void {
    const [from, to] = [this.#nodes[this.#from[edge]], this.#nodes[this.#to[edge]]];
    const micros = this.#micros[edge];
    const through = micros > 0 ? `, ${grouped(micros)} µs of it` : '';
    this.#out.text('<title>');
    this.#out.escaped(
      `${EDGE_LOOKS[this.#kind[edge]].word}${through}: ${from.lines.join(' ')} → ${to.lines.join(' ')}`,
      XML_ESCAPES,
    );
    this.#out.text('</title>');
  }

  #writeNode({ look, lines, tooltip, width }: DrawnNode, x: number, y: number): void {
    const out = this.#out;
    out.text('<g><title>');
    out.escaped(tooltip, XML_ESCAPES);
    out.text(`</title>${shape(look, Math.round(x - width / 2), y, width, NODE_HEIGHT)}`);
    const first = y + (lines.length === 1 ? 22 : 15);
    lines.forEach((line, at) => {
      const isFacts = at === lines.length - 1;
      this.#writeText(x, first + at * 14, line, `mid${isFacts && lines.length > 1 ? ' soft' : ''}`);
    });
    out.text('</g>\n');
  }

  #writeText(x: number, y: number, text: string, name: string): void {
    this.#out.text(`<text class="${name}" x="${x}" y="${y}">`);
    this.#out.escaped(text, XML_ESCAPES);
    this.#out.text('</text>');
  }

  /** Lines of the legend: what there is in the picture, and how often. */
  #legend(): string[] {
    const looks = new Map<NodeLook['word'], { look: NodeLook; count: number }>();
    for (const { look } of this.#nodes) {
      const known = looks.get(look.word);
      looks.set(look.word, { look, count: (known?.count ?? 0) + 1 });
    }
    const kinds = EDGE_LOOKS.map((look, kind) => ({ look, count: this.#kind.filter((one) => one === kind).length }));
    this.#rows = [
      ...[...looks.values()].map(({ look, count }) => ({ look, text: `${look.word} (${grouped(count)})` })),
      ...kinds
        .filter(({ count }) => count > 0)
        .map(({ look, count }) => ({ look, text: `${look.word} (${grouped(count)})` })),
    ];
    return this.#rows.map(({ text }) => text);
  }

  #rows: { look: NodeLook | (typeof EDGE_LOOKS)[number]; text: string }[] = [];

  #writeLegend(x: number, y: number, line: string): void {
    const { look } = this.#rows.find(({ text }) => text === line)!;
    if ('shape' in look) this.#out.text(shape(look, x, y - 10, 24, 12));
    else
      this.#out.text(
        `<path class="edge ${look.name}" d="M${x} ${y - 4}H${x + 24}" marker-end="url(#a-${look.name})"/>`,
      );
    this.#writeText(x + 32, y, line, 'soft');
    this.#out.text('\n');
  }
}

/** How far from the middle of a node edges of a kind come in, px. */
const SIDE = [-4, 4, 0, 0];

function keyText({ rank, idLow, idHigh, copy }: NodeKey): string {
  return `${rank} ${idHigh} ${idLow} ${copy}`;
}

function curve(fromX: number, fromY: number, toX: number, toY: number): string {
  if (fromX === toX) return `V${toY}`;
  const middle = (fromY + toY) / 2;
  return `C${fromX} ${middle} ${toX} ${middle} ${toX} ${toY}`;
}

function rounded(path: string): string {
  return path.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number))));
}

/** The outline of a node; types differ in shape, not only in colour. */
function shape({ name, shape: kind }: NodeLook, x: number, y: number, width: number, height: number): string {
  const [right, bottom, middle] = [x + width, y + height, y + height / 2];
  const tip = Math.min(8, height / 3);
  switch (kind) {
    case 'right':
      return `<path class="${name}" d="M${x} ${y}H${right - tip}L${right} ${middle} ${right - tip} ${bottom}H${x}z"/>`;
    case 'notch':
      return `<path class="${name}" d="M${x} ${y}H${right}V${bottom}H${x}L${x + tip} ${middle}z"/>`;
    case 'cut':
      return `<path class="${name}" d="M${x + tip} ${y}H${right}V${bottom - tip}L${right - tip} ${bottom}H${x}V${y + tip}z"/>`;
    case 'ellipse':
      return `<ellipse class="${name}" cx="${x + width / 2}" cy="${middle}" rx="${width / 2}" ry="${height / 2}"/>`;
    default:
      return `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${kind === 'pill' ? height / 2 : 2}"/>`;
  }
}

/** Letters wide: those of East Asian scripts and pictures count twice. */
function lettersOf(text: string): number {
  let count = 0;
  for (const character of text) count += character.codePointAt(0)! > 0x2e7f ? 2 : 1;
  return count;
}

/** A line cut into lines at commas and spaces. */
function wrapped(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + word.length >= LONGEST_NOTE) lines.push(`    ${word}`);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
