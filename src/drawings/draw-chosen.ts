import type { RankTrace } from '../trace/rank-trace.js';
import { contract } from './contracted.js';
import { Copies } from './draw-windows.js';
import { EdgeKind, type DrawingSink, type NodeKey } from './drawing-sink.js';
import type { DrawingTally } from './drawing-tally.js';
import { Grown } from './grown-columns.js';
import { Messages } from './messages.js';
import type { DrawnDependencies } from './neighbourhood.js';
import { NodeFacts } from './node-facts.js';

/** Edges of one rank between places of its drawn nodes; missing ids come behind the nodes. */
interface RankEdges {
  readonly rank: number;
  readonly low: Grown;
  readonly high: Grown;
  readonly copy: Grown;
  readonly from: Grown;
  readonly to: Grown;
  readonly kind: Grown;
  readonly micros: Grown;
}

/** Draws some nodes of some ranks, rank by rank; no trace is needed once its rank is added. */
export class ChosenDrawing {
  readonly #edges: RankEdges[] = [];
  readonly #messages = new Messages();
  readonly #facts = new NodeFacts();

  constructor(
    private readonly sink: DrawingSink,
    private readonly tally: DrawingTally,
    private readonly deps: DrawnDependencies,
    /** Whether dependencies through nodes that are not drawn become edges. */
    private readonly contracts: boolean,
  ) {}

  /** @param drawn [n] 1 for a node that is drawn */
  addRank(trace: RankTrace, drawn: Uint8Array): void {
    const { sink, tally } = this;
    const { length, rank, idLow, idHigh } = trace;
    const edges: RankEdges = {
      rank,
      low: new Grown(),
      high: new Grown(),
      copy: new Grown(),
      from: new Grown(),
      to: new Grown(),
      kind: new Grown(),
      micros: new Grown(),
    };
    const place = new Int32Array(length).fill(-1); // among the drawn
    const copies = new Copies();
    sink.beginRank(rank, trace.file);
    for (let node = 0; node < length; node++) {
      const copy = copies.copyOf(trace, node);
      this.#messages.add(trace, node, copy, drawn[node] === 1);
      if (drawn[node] === 0) continue;
      if (copy > 0) tally.repeated++;
      place[node] = edges.low.length;
      edges.low.push(idLow[node]);
      edges.high.push(idHigh[node]);
      edges.copy.push(copy);
      sink.node(this.#facts.read(trace, node, copy));
      tally.nodes++;
    }
    this.#addDependencies(trace, drawn, place, edges);
    sink.endRank();
    this.#edges.push(edges);
  }

  /** Draws what joins the nodes. */
  finish(): void {
    const { sink, tally } = this;
    for (const edges of this.#edges) {
      const from: NodeKey = { rank: edges.rank, idLow: 0, idHigh: 0, copy: 0 };
      const to: NodeKey = { rank: edges.rank, idLow: 0, idHigh: 0, copy: 0 };
      for (let edge = 0; edge < edges.from.length; edge++) {
        fill(from, edges, edges.from.values[edge]);
        fill(to, edges, edges.to.values[edge]);
        sink.edge(from, to, edges.kind.values[edge], edges.micros.values[edge]);
      }
    }
    const ranks = this.#edges.map(({ rank }) => rank);
    tally.messages = this.#messages.forEach(ranks, (from, to) => sink.edge(from, to, EdgeKind.message, NaN));
  }

  #addDependencies(trace: RankTrace, drawn: Uint8Array, place: Int32Array, edges: RankEdges): void {
    const { sink, tally, deps } = this;
    const { length, rank, danglingLow, danglingHigh, dataStart, dataTarget, controlStart, controlTarget } = trace;
    const ways = this.contracts ? contract(trace, drawn, deps) : undefined;
    if (ways !== undefined) tally.onCycles += ways.onCycles;
    const missing = new Map<number, number>(); // dangling place → place behind the drawn
    const add = (from: number, to: number, kind: number, micros: number): void => {
      edges.from.push(from);
      edges.to.push(to);
      edges.kind.push(kind);
      edges.micros.push(micros);
    };
    const missingPlace = (dangling: number): number => {
      let known = missing.get(dangling);
      if (known !== undefined) return known;
      known = edges.low.length;
      missing.set(dangling, known);
      const [idLow, idHigh] = [danglingLow[dangling], danglingHigh[dangling]];
      edges.low.push(idLow);
      edges.high.push(idHigh);
      edges.copy.push(0);
      sink.missing({ rank, idLow, idHigh, copy: 0 });
      tally.missing++;
      return known;
    };
    const addListed = (node: number, start: Uint32Array, target: Int32Array, kind: number): number => {
      let count = 0;
      for (let edge = start[node]; edge < start[node + 1]; edge++) {
        const other = target[edge];
        const from = other < 0 ? missingPlace(-1 - other) : place[other];
        if (from >= 0) {
          add(from, place[node], kind, NaN);
          count++;
        } else if (ways === undefined) tally.cutDependencies++;
      }
      return count;
    };
    for (let node = 0; node < length; node++) {
      if (drawn[node] === 0) continue;
      tally.data += addListed(node, dataStart, dataTarget, EdgeKind.data);
      if (deps === 'both') tally.control += addListed(node, controlStart, controlTarget, EdgeKind.control);
      else tally.controlLeftOut += controlStart[node + 1] - controlStart[node];
      ways?.forEachPath(node, (from, micros) => {
        add(place[from], place[node], EdgeKind.path, micros);
        tally.paths++;
      });
    }
  }
}

function fill(key: NodeKey, { low, high, copy }: RankEdges, place: number): void {
  key.idLow = low.values[place];
  key.idHigh = high.values[place];
  key.copy = copy.values[place];
}
