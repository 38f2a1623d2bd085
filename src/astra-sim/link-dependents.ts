import type { RankTrace } from '../trace/rank-trace.js';
import type { SystemNodes } from './system-nodes.js';

/**
 * Links the nodes of the rank added last with those that depend on them. A dependency in both lists, or twice in one, counts
 * once; those on missing nodes are the caller's to refuse.
 *
 * @param order indices in ascending id, `undefined` where the file has that order
 */
export function linkDependents(
  nodes: SystemNodes,
  trace: RankTrace,
  order: Int32Array | undefined,
  deps: 'both' | 'data',
): void {
  const { length } = trace;
  const first = nodes.length - length;
  const start = nodes.dependentStart;
  const namedBy = new Int32Array(length).fill(-1);
  const cursor = new Int32Array(length + 1);
  const lists = deps === 'data' ? 1 : 2;
  const forEach = (index: number, visit: (dependency: number) => void): void => {
    for (let list = 0; list < lists; list++) {
      const target = list === 0 ? trace.dataTarget : trace.controlTarget;
      const from = list === 0 ? trace.dataStart : trace.controlStart;
      for (let edge = from[index]; edge < from[index + 1]; edge++) {
        const dependency = target[edge];
        if (dependency < 0 || namedBy[dependency] === index) continue;
        namedBy[dependency] = index;
        visit(dependency);
      }
    }
  };
  let edges = 0;
  for (let index = 0; index < length; index++) {
    forEach(index, (dependency) => {
      cursor[dependency]++;
      edges++;
    });
  }
  nodes.reserveDependents(start[first] + edges);
  let place = start[first];
  for (let node = 0; node < length; node++) {
    const index = order === undefined ? node : order[node];
    const count = cursor[index];
    cursor[index] = place;
    place += count;
    start[first + node + 1] = place;
  }
  namedBy.fill(-1);
  // In ascending id, so that the dependents of a node are too.
  for (let node = 0; node < length; node++) {
    const index = order === undefined ? node : order[node];
    let waiting = 0;
    forEach(index, (dependency) => {
      nodes.dependents[cursor[dependency]++] = first + node;
      waiting++;
    });
    nodes.waiting[first + node] = waiting;
  }
}
