import type { Finding } from '../base/finding.js';
import { formatId } from '../base/ids.js';
import { IdSet } from '../base/id-set.js';
import { DanglingIds } from '../trace/dangling-ids.js';
import type { RankTrace } from '../trace/rank-trace.js';
import type { TraceWindows } from '../trace/trace-windows.js';
import { EdgeKind, type DrawingSink, type NodeKey } from './drawing-sink.js';
import { DrawingTally } from './drawing-tally.js';
import { Messages } from './messages.js';
import type { DrawnDependencies } from './neighbourhood.js';
import { NodeFacts } from './node-facts.js';

/** Nodes in memory at a time. */
const NODES_AT_ONCE = 1 << 13;

/** A rank that can be walked through more than once. */
export interface WindowedRank {
  readonly rank: number;
  readonly file: string;
  /** Calls `use` with the nodes from the beginning. */
  walk<T>(use: (windows: TraceWindows) => T): T;
}

/**
 * Draws everything in the traces of some ranks, in two walks over each: its nodes, then its dependencies. Memory is a bit an
 * id, and what pairs sends with receives where there are several ranks.
 * @returns what was found while reading
 */
export function drawWindows(
  ranks: readonly WindowedRank[],
  deps: DrawnDependencies,
  sink: DrawingSink,
  tally: DrawingTally,
): Finding[] {
  const messages = ranks.length > 1 ? new Messages() : undefined;
  const findings: Finding[] = [];
  const repeats: boolean[] = [];
  for (const one of ranks) {
    sink.beginRank(one.rank, one.file);
    const before = tally.repeated;
    one.walk((windows) => {
      drawNodes(one.rank, windows, deps, sink, tally, messages);
      findings.push(...windows.findings());
    });
    repeats.push(tally.repeated > before);
    sink.endRank();
  }
  for (const [place, one] of ranks.entries()) {
    one.walk((windows) => drawDependencies(one.rank, windows, deps, sink, tally, repeats[place]));
  }
  if (messages !== undefined) {
    const drawn = ranks.map(({ rank }) => rank);
    tally.messages = messages.forEach(drawn, (from, to) => sink.edge(from, to, EdgeKind.message, NaN));
  }
  return findings;
}

function drawNodes(
  rank: number,
  windows: TraceWindows,
  deps: DrawnDependencies,
  sink: DrawingSink,
  tally: DrawingTally,
  messages: Messages | undefined,
): void {
  const copies = new Copies();
  const ids = copies.ids;
  const unknown = new DanglingIds(); // ids that no node before has
  const facts = new NodeFacts();
  for (let window = windows.next(NODES_AT_ONCE); window !== undefined; window = windows.next(NODES_AT_ONCE)) {
    const { length } = window;
    for (let node = 0; node < length; node++) {
      const copy = copies.copyOf(window, node);
      if (copy > 0) tally.repeated++;
      sink.node(facts.read(window, node, copy));
      messages?.add(window, node, copy, true);
    }
    tally.nodes += length;
    noteUnknown(window, window.dataTarget, window.dataStart[length], ids, unknown);
    const controlEdges = window.controlStart[length];
    if (deps === 'both') noteUnknown(window, window.controlTarget, controlEdges, ids, unknown);
    else tally.controlLeftOut += controlEdges;
  }
  const { low, high, count } = unknown;
  for (let place = 0; place < count; place++) {
    if (ids.has(low[place], high[place])) continue;
    sink.missing({ rank, idLow: low[place], idHigh: high[place], copy: 0 });
    tally.missing++;
  }
}

function noteUnknown(
  { danglingLow, danglingHigh }: RankTrace,
  target: Int32Array,
  count: number,
  ids: IdSet,
  unknown: DanglingIds,
): void {
  for (let edge = 0; edge < count; edge++) {
    if (target[edge] >= 0) continue;
    const place = -1 - target[edge];
    if (!ids.has(danglingLow[place], danglingHigh[place])) unknown.placeOf(danglingLow[place], danglingHigh[place]);
  }
}

function drawDependencies(
  rank: number,
  windows: TraceWindows,
  deps: DrawnDependencies,
  sink: DrawingSink,
  tally: DrawingTally,
  repeats: boolean,
): void {
  const copies = repeats ? new Copies() : undefined;
  const from: NodeKey = { rank, idLow: 0, idHigh: 0, copy: 0 };
  const to: NodeKey = { rank, idLow: 0, idHigh: 0, copy: 0 };
  for (let window = windows.next(NODES_AT_ONCE); window !== undefined; window = windows.next(NODES_AT_ONCE)) {
    const { length, idLow, idHigh, dataStart, dataTarget, controlStart, controlTarget } = window;
    for (let node = 0; node < length; node++) {
      to.idLow = idLow[node];
      to.idHigh = idHigh[node];
      to.copy = copies === undefined ? 0 : copies.copyOf(window, node);
      for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
        fill(from, window, dataTarget[edge]);
        sink.edge(from, to, EdgeKind.data, NaN);
      }
      if (deps === 'data') continue;
      for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
        fill(from, window, controlTarget[edge]);
        sink.edge(from, to, EdgeKind.control, NaN);
      }
    }
    tally.data += dataStart[length];
    if (deps === 'both') tally.control += controlStart[length];
  }
}

function fill(key: NodeKey, { idLow, idHigh, danglingLow, danglingHigh }: RankTrace, target: number): void {
  key.idLow = target >= 0 ? idLow[target] : danglingLow[-1 - target];
  key.idHigh = target >= 0 ? idHigh[target] : danglingHigh[-1 - target];
}

/** Tells nodes with the same id apart by the order in which they come. */
export class Copies {
  /** Ids so far. */
  readonly ids = new IdSet();
  readonly #counts = new Map<string, number>();

  /** How many nodes before this one have its id; to be asked once a node, in their order. */
  copyOf({ idLow, idHigh }: RankTrace, node: number): number {
    if (!this.ids.has(idLow[node], idHigh[node])) {
      this.ids.add(idLow[node], idHigh[node]);
      return 0;
    }
    const id = formatId(idLow[node], idHigh[node]);
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count;
  }
}
