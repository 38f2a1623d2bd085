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
  let text = 'CHAKRA PROFILING\n';
  let next = 0;
  let running: number[] = []; // places in the order of ids, ascending
  for (let block = 1; ; block++) {
    const timePs = startPs + block * intervalPs;
    if (endPs === undefined ? timePs > simulationEndPs : timePs >= endPs) break;
    const begun: number[] = [];
    for (; next < byStart.length && times.start[byStart[next]] <= timePs; next++) begun.push(place[byStart[next]]);
    running = running.concat(begun).filter((at) => !(runs.end[order[at]] <= timePs));
    if (begun.length > 0) running.sort((a, b) => a - b);
    const nodes = running.map((at) => order[at]);
    const lines = [
      '='.repeat(32),
      `sim_time_sec: ${decimalText(timePs, 12)}`,
      'send_nodes:',
      ...nodes.filter((node) => trace.type[node] === NodeType.send).map((node) => transferLine('S', trace, node)),
      'receive_nodes:',
      ...nodes.filter((node) => trace.type[node] === NodeType.receive).map((node) => transferLine('R', trace, node)),
      'computation_nodes:',
      ...nodes
        .filter((node) => !isTransfer(trace, node))
        .map((node) => `C(${nodeId(trace, node)},${lists(trace, node)})`),
    ];
    text += `${lines.join('\n')}\n`;
    if (text.length < TEXT_AT_ONCE) continue;
    write(text);
    text = '';
  }
  if (text !== '') write(text);
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

function isTransfer({ type }: RankTrace, node: number): boolean {
  return type[node] === NodeType.send || type[node] === NodeType.receive;
}

function transferLine(letter: 'S' | 'R', trace: RankTrace, node: number): string {
  const bytes = Number.isNaN(trace.commSize[node]) ? 0 : trace.commSize[node];
  return `${letter}(${nodeId(trace, node)},${trace.peer[node]},${bytes},${lists(trace, node)})`;
}

function lists(trace: RankTrace, node: number): string {
  return `[${dataDependencyIds(trace, node).join(',')}],[${controlDependencyIds(trace, node).join(',')}]`;
}
