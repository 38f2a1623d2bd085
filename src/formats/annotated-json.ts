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
 * @param more members of a node to put behind the others
 */
export function writeAnnotatedJson(
  trace: RankTrace,
  write: (text: string) => void,
  more?: (node: number) => Record<string, unknown>,
): void {
  const { start, target } = dependents(trace);
  let text = '';
  for (let node = 0; node < trace.length; node++) {
    const waiting = Array.from(target.subarray(start[node], start[node + 1]), (other) => nodeId(trace, other));
    text += `${JSON.stringify({ ...fields(trace, node), dependents: waiting, ...more?.(node) })}\n`;
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

function fields(trace: RankTrace, node: number): Record<string, unknown> {
  const { type, flags, durationMicros, commType, commSize, commTag, peer, group, groupNames } = trace;
  const name = nodeName(trace, node);
  const isCollective = type[node] === NodeType.collective;
  return {
    id: nodeId(trace, node),
    ...(name === '' ? {} : { name }),
    type: nodeTypeName(type[node]),
    ...((flags[node] & NodeFlag.cpu) === 0 ? {} : { isCpuOp: true }),
    ctrlDeps: controlDependencyIds(trace, node),
    dataDeps: dataDependencyIds(trace, node),
    ...(durationMicros[node] === 0 ? {} : { durationMicros: durationMicros[node] }),
    ...(isCollective && commType[node] >= 0 ? { commType: COLLECTIVE_NAMES[commType[node]].schema } : {}),
    ...(isCollective && group[node] >= 0 ? { pgName: groupNames[group[node]] } : {}),
    ...(Number.isNaN(commSize[node]) ? {} : { commSize: commSize[node] }),
    ...(peer[node] < 0 ? {} : { partner: peer[node] }),
    ...(Number.isNaN(commTag[node]) ? {} : { commTag: commTag[node] }),
  };
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
