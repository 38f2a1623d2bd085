import type { NodeTimes } from '../replay/outcome.js';
import { controlDependencyIds, dataDependencyIds, nodeId } from '../trace/listed-ids.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { decimalText } from './number-formats.js';

/** When to look at a rank, ps. */
export interface ProfilingTimes {
  /** Start of the rank. */
  readonly startPs: number;
  readonly intervalPs: number;
  /** End of the rank: nothing runs any more. Undefined for a rank that did not end. */
  readonly endPs: number | undefined;
  /** End of the simulation; the last block of a rank that did not end may be at it. */
  readonly simulationEndPs: number;
}

const TEXT_AT_ONCE = 1 << 16; // characters collected before `write` is called

/**
 * The profile of one rank: at each multiple of the interval after its start, until it ends, the nodes that run, by
 * ascending id. A send runs until it is acknowledged. A node that starts at an instant runs at it, one that finishes does not.
 *
 * @param times by index in the trace, ps; NaN where the run did not get there
 * @param write takes text, some whole lines at a time
 */
export function writeProfile(
  trace: RankTrace,
  times: NodeTimes,
  { startPs, intervalPs, endPs, simulationEndPs }: ProfilingTimes,
  write: (text: string) => void,
): void {
  const { order, place } = byId(trace);
  const runs = intervals(trace, times);
  const byStart = runs.started.sort((a, b) => times.start[a] - times.start[b]);
  const lines = new NodeLines(trace);
  let text = 'CHAKRA PROFILING\n';
  let next = 0;
  let running: number[] = []; // places in the order of ids, ascending
  let body = lines.of([]);
  let firstEnd = Infinity; // of those that run, ps
  for (let block = 1; ; block++) {
    const timePs = startPs + block * intervalPs;
    if (endPs === undefined ? timePs > simulationEndPs : timePs >= endPs) break;
    const begun: number[] = [];
    for (; next < byStart.length && times.start[byStart[next]] <= timePs; next++) begun.push(place[byStart[next]]);
    if (begun.length > 0 || firstEnd <= timePs) {
      running = running.concat(begun).filter((at) => !(runs.end[order[at]] <= timePs));
      if (begun.length > 0) running.sort((a, b) => a - b);
      firstEnd = running.reduce((first, at) => (runs.end[order[at]] < first ? runs.end[order[at]] : first), Infinity);
      body = lines.of(running.map((at) => order[at]));
    }
    text += `${'='.repeat(32)}\nsim_time_sec: ${decimalText(timePs, 12)}\n${body}`;
    if (text.length < TEXT_AT_ONCE) continue;
    write(text);
    text = '';
  }
  if (text !== '') write(text);
}

/** The lines of nodes, each made once: a node that runs long is in many blocks. */
class NodeLines {
  readonly #trace: RankTrace;
  readonly #known = new Map<number, string>();

  constructor(trace: RankTrace) {
    this.#trace = trace;
  }

  /** The lists of a block. */
  of(nodes: readonly number[]): string {
    const { type } = this.#trace;
    let sends = 'send_nodes:\n';
    let receives = 'receive_nodes:\n';
    let others = 'computation_nodes:\n';
    for (const node of nodes) {
      if (type[node] === NodeType.send) sends += this.#line(node);
      else if (type[node] === NodeType.receive) receives += this.#line(node);
      else others += this.#line(node);
    }
    return sends + receives + others;
  }

  #line(node: number): string {
    let line = this.#known.get(node);
    if (line === undefined) this.#known.set(node, (line = `${nodeText(this.#trace, node)}\n`));
    return line;
  }
}

/** Nodes that started and took time, and when each node ends: NaN for never. */
function intervals(
  trace: RankTrace,
  { start, finish, acknowledged }: NodeTimes,
): { started: number[]; end: Float64Array } {
  const end = finish.slice();
  const started: number[] = [];
  for (let node = 0; node < trace.length; node++) {
    if (trace.type[node] === NodeType.send) end[node] = acknowledged[node];
    if (!Number.isNaN(start[node]) && end[node] !== start[node]) started.push(node);
  }
  return { started, end };
}

/** Nodes by ascending id, and the place of each among them. */
function byId({ length, idLow, idHigh }: RankTrace): { order: Uint32Array; place: Uint32Array } {
  const order = Uint32Array.from({ length }, (_, node) => node);
  order.sort((a, b) => idHigh[a] - idHigh[b] || idLow[a] - idLow[b]);
  const place = new Uint32Array(length);
  for (let at = 0; at < length; at++) place[order[at]] = at;
  return { order, place };
}

function nodeText(trace: RankTrace, node: number): string {
  if (trace.type[node] === NodeType.send) return transferText('S', trace, node);
  if (trace.type[node] === NodeType.receive) return transferText('R', trace, node);
  return `C(${nodeId(trace, node)},${lists(trace, node)})`;
}

function transferText(letter: 'S' | 'R', trace: RankTrace, node: number): string {
  const bytes = Number.isNaN(trace.commSize[node]) ? 0 : trace.commSize[node];
  return `${letter}(${nodeId(trace, node)},${trace.peer[node]},${bytes},${lists(trace, node)})`;
}

function lists(trace: RankTrace, node: number): string {
  return `[${dataDependencyIds(trace, node).join(',')}],[${controlDependencyIds(trace, node).join(',')}]`;
}
