import { COLLECTIVE_NAMES } from '../trace/collective-type.js';
import { controlDependencyIds, dataDependencyIds, nodeId } from '../trace/listed-ids.js';
import { nodeName } from '../trace/node-label.js';
import { NodeType, nodeTypeName } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';

/*
 * The prepared trace as people and other programs read it, one node a line, in the order of the trace:
 *
 *   {"id":17,"type":"COMM_SEND_NODE","ctrlDeps":[12],"dataDeps":[9],"commSize":125,"partner":3,"commTag":65541,"dependents":[18]}
 *
 * `id`, `type`, `ctrlDeps`, `dataDeps` and `dependents` are always there; the others only where the trace has them:
 * `name`, `isCpuOp` (only true), `durationMicros` (not 0), `commType` and `pgName` (collectives that were not
 * expanded), `commSize`, `partner`, `commTag`. `dependents` are the nodes that wait for this one, each once, in the
 * order of the trace. Ids and sizes are numbers up to 2^53 − 1, ids beyond are decimal text. Written only; the `.et`
 * file beside it is the whole trace.
 */

const LINES_AT_ONCE = 1 << 16; // characters collected before `write` is called

/**
 * Writes the annotated form.
 * @param write takes text, some whole lines at a time
 * @param more members of a node to put behind the others, as text that begins with a comma
 */
export function writeAnnotatedJson(
  trace: RankTrace,
  write: (text: string) => void,
  more?: (node: number) => string,
): void {
  const { start, target } = dependents(trace);
  let text = '';
  for (let node = 0; node < trace.length; node++) {
    text += `${fields(trace, node)},"dependents":[`;
    for (let at = start[node]; at < start[node + 1]; at++) {
      text += at === start[node] ? idText(trace, target[at]) : `,${idText(trace, target[at])}`;
    }
    text += more === undefined ? ']}\n' : `]${more(node)}}\n`;
    if (text.length < LINES_AT_ONCE) continue;
    write(text);
    text = '';
  }
  if (text !== '') write(text);
}

/** Ids of the nodes without any dependency, which start at once; in the order of the trace. */
export function initiallyReady(trace: RankTrace): (number | string)[] {
  const { dataStart, controlStart } = trace;
  const ready: (number | string)[] = [];
  for (let node = 0; node < trace.length; node++) {
    const free = dataStart[node] === dataStart[node + 1] && controlStart[node] === controlStart[node + 1];
    if (free) ready.push(nodeId(trace, node));
  }
  return ready;
}

/** The members before the dependents, with the brace that opens them: a line at a time this is most of the time of writing. */
function fields(trace: RankTrace, node: number): string {
  const { type, flags, durationMicros, commType, commSize, commTag, peer, group, groupNames } = trace;
  const name = nodeName(trace, node);
  const isCollective = type[node] === NodeType.collective;
  let text = `{"id":${idText(trace, node)}`;
  if (name !== '') text += `,"name":${JSON.stringify(name)}`;
  text += `,"type":"${nodeTypeName(type[node])}"`;
  if ((flags[node] & NodeFlag.cpu) !== 0) text += ',"isCpuOp":true';
  text += `,"ctrlDeps":${JSON.stringify(controlDependencyIds(trace, node))}`;
  text += `,"dataDeps":${JSON.stringify(dataDependencyIds(trace, node))}`;
  if (durationMicros[node] !== 0) text += `,"durationMicros":${durationMicros[node]}`;
  if (isCollective && commType[node] >= 0) text += `,"commType":"${COLLECTIVE_NAMES[commType[node]].schema}"`;
  if (isCollective && group[node] >= 0) text += `,"pgName":${JSON.stringify(groupNames[group[node]])}`;
  if (!Number.isNaN(commSize[node])) text += `,"commSize":${commSize[node]}`;
  if (peer[node] >= 0) text += `,"partner":${peer[node]}`;
  if (!Number.isNaN(commTag[node])) text += `,"commTag":${commTag[node]}`;
  return text;
}

/** An id as JSON. */
function idText(trace: RankTrace, node: number): string {
  const id = nodeId(trace, node);
  return typeof id === 'number' ? String(id) : `"${id}"`;
}

/** The nodes that wait for each node: node k's are target[start[k] … start[k + 1]). */
function dependents(trace: RankTrace): { start: Uint32Array; target: Int32Array } {
  const n = trace.length;
  const lists = [
    [trace.dataStart, trace.dataTarget],
    [trace.controlStart, trace.controlTarget],
  ] as const;
  // A node that names another one twice counts once: `last` holds the last node that was counted for each target.
  const last = new Int32Array(n).fill(-1);
  const start = new Uint32Array(n + 1);
  const visit = (count: (target: number, node: number) => void): void => {
    last.fill(-1);
    for (let node = 0; node < n; node++) {
      for (const [edgeStart, edgeTarget] of lists) {
        for (let edge = edgeStart[node]; edge < edgeStart[node + 1]; edge++) {
          const other = edgeTarget[edge];
          if (other < 0 || last[other] === node) continue;
          last[other] = node;
          count(other, node);
        }
      }
    }
  };
  visit((other) => start[other + 1]++);
  for (let node = 0; node < n; node++) start[node + 1] += start[node];
  const next = start.slice(0, n);
  const target = new Int32Array(start[n]);
  visit((other, node) => (target[next[other]++] = node));
  return { start, target };
}
