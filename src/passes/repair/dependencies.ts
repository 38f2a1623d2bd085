import { counted } from '../../base/counts.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { danglingId, nodeId } from '../../trace/listed-ids.js';
import { missingIds } from '../../trace/node-label.js';
import { ChangeTally, type Change } from './change.js';

type Kind = 'data' | 'control';

/** Columns of one kind of dependency. */
interface Lists {
  readonly start: Uint32Array;
  readonly target: Int32Array;
}

/**
 * The trace without dependencies on ids that no node has, on the node itself, and repeated in one list; of a repeated
 * one the first stays. The same id in both lists stays in both. Nodes that lose one are marked in `flags`.
 */
export function repairDependencies(trace: RankTrace, flags: Uint16Array): { trace: RankTrace; changes: Change[] } {
  const changes: Change[] = [];
  const data = repairedLists(trace, 'data', flags, changes);
  const control = repairedLists(trace, 'control', flags, changes);
  if (changes.length === 0) return { trace, changes };
  const none = new Uint32Array(0);
  return {
    trace: {
      ...trace,
      dataStart: data.start,
      dataTarget: data.target,
      controlStart: control.start,
      controlTarget: control.target,
      danglingLow: none,
      danglingHigh: none,
    },
    changes,
  };
}

function repairedLists(trace: RankTrace, kind: Kind, flags: Uint16Array, changes: Change[]): Lists {
  const { length } = trace;
  const before = kind === 'data' ? trace.dataStart : trace.controlStart;
  const targets = kind === 'data' ? trace.dataTarget : trace.controlTarget;
  const orphans = new ChangeTally(trace);
  const selves = new ChangeTally(trace);
  const repeats = new ChangeTally(trace);
  const missing = new Uint8Array(trace.danglingLow.length);
  let distinct = 0;
  let first = -1;
  const start = new Uint32Array(length + 1);
  const kept = new Int32Array(targets.length);
  const namedBy = new Int32Array(targets.length === 0 ? 0 : length); // node + 1 that named the target last
  let at = 0;
  for (let node = 0; node < length; node++) {
    start[node] = at;
    for (let edge = before[node]; edge < before[node + 1]; edge++) {
      const target = targets[edge];
      if (target < 0) {
        const id = -1 - target;
        if (first < 0) first = id;
        if (missing[id] === 0) distinct++;
        missing[id] = 1;
        orphans.add(node, danglingId(trace, id));
      } else if (target === node) {
        selves.add(node);
      } else if (namedBy[target] === node + 1) {
        repeats.add(node, nodeId(trace, target));
      } else {
        namedBy[target] = node + 1;
        kept[at++] = target;
      }
    }
    if (at - start[node] < before[node + 1] - before[node]) flags[node] |= NodeFlag.touched;
  }
  start[length] = at;
  if (at === targets.length) return { start: before, target: targets };
  const dependencies = (count: number, what = ''): string =>
    counted(count, `${what}${kind} dependency`, `${what}${kind} dependencies`);
  const order = (count: number): string =>
    kind === 'data' ? `, which loses the order ${count === 1 ? 'it' : 'they'} stood for` : '';
  const lost =
    kind === 'data'
      ? ({ severity: 'warning', advice: 'add the missing nodes where the order they stood for matters' } as const)
      : {};
  changes.push(
    ...orphans.changes(
      `orphan-${kind}`,
      (count, places) =>
        `${dependencies(count)} on ${missingIds(distinct, danglingId(trace, first))}, ` +
        `dropped${order(count)}: ${places}`,
      { ...lost, missingIds: distinct },
    ),
    ...selves.changes(
      `self-${kind}`,
      (count, places) => `${dependencies(count)} of a node on itself dropped: ${places}`,
    ),
    ...repeats.changes(`repeated-${kind}`, (count, places) => `${dependencies(count, 'repeated ')} dropped: ${places}`),
  );
  return { start, target: kept.slice(0, at) };
}
