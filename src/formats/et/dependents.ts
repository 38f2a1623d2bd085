import type { RankTrace } from '../../trace/rank-trace.js';

/** Which nodes depend on each node, by data or control, each once, in file order. */
export interface Dependents {
  readonly start: Uint32Array; // [n + 1] first entry of each node in nodes
  readonly nodes: Uint32Array; // node index
}

export function dependentsOf(trace: RankTrace): Dependents {
  const { length } = trace;
  const start = new Uint32Array(length + 2);
  const last = new Int32Array(length);
  // Counted one place too far on, so that filling moves every start to where it belongs.
  last.fill(-1);
  for (let node = 0; node < length; node++) {
    countTargets(trace.dataTarget, trace.dataStart[node], trace.dataStart[node + 1], node, start, last);
    countTargets(trace.controlTarget, trace.controlStart[node], trace.controlStart[node + 1], node, start, last);
  }
  for (let place = 1; place < start.length; place++) start[place] += start[place - 1];
  const nodes = new Uint32Array(start[length + 1]);
  last.fill(-1);
  for (let node = 0; node < length; node++) {
    fillTargets(trace.dataTarget, trace.dataStart[node], trace.dataStart[node + 1], node, start, last, nodes);
    fillTargets(trace.controlTarget, trace.controlStart[node], trace.controlStart[node + 1], node, start, last, nodes);
  }
  return { start: start.subarray(0, length + 1), nodes };
}

function countTargets(
  target: Int32Array,
  from: number,
  to: number,
  node: number,
  start: Uint32Array,
  last: Int32Array,
): void {
  for (let edge = from; edge < to; edge++) {
    const other = target[edge];
    if (other < 0 || last[other] === node) continue;
    last[other] = node;
    start[other + 2]++;
  }
}

function fillTargets(
  target: Int32Array,
  from: number,
  to: number,
  node: number,
  start: Uint32Array,
  last: Int32Array,
  nodes: Uint32Array,
): void {
  for (let edge = from; edge < to; edge++) {
    const other = target[edge];
    if (other < 0 || last[other] === node) continue;
    last[other] = node;
    nodes[start[other + 1]++] = node;
  }
}
