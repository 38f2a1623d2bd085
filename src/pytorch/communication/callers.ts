import type { HostTrace } from '../../formats/pytorch/host-trace.js';

/** Places that an array by id may have for each node; ids have gaps because tensors draw from the same counter. */
const MOST_IDS_A_NODE = 16;

/**
 * Place of the caller of each host node; −1 for roots and where the caller is not in the trace. A node that is its own
 * caller is a root.
 */
export function callersOf(host: HostTrace): Int32Array {
  const { length, id, parent } = host;
  const callers = new Int32Array(length).fill(-1);
  let largest = 0;
  for (let node = 0; node < length; node++) if (id[node] > largest) largest = id[node];
  if (largest < MOST_IDS_A_NODE * length + 1024) {
    const places = new Int32Array(largest + 1).fill(-1);
    for (let node = 0; node < length; node++) places[id[node]] = node;
    for (let node = 0; node < length; node++) {
      const caller = parent[node] <= largest ? places[parent[node]] : -1;
      if (caller !== node) callers[node] = caller;
    }
    return callers;
  }
  const places = new Map<number, number>();
  for (let node = 0; node < length; node++) places.set(id[node], node);
  for (let node = 0; node < length; node++) {
    const caller = places.get(parent[node]) ?? -1;
    if (caller !== node) callers[node] = caller;
  }
  return callers;
}

/**
 * The first node at or above `node` that `holds` accepts, −1 for none. Gives up after as many steps as there are nodes: broken
 * traces may have callers in a circle.
 */
export function nearestCaller(callers: Int32Array, node: number, holds: (node: number) => boolean): number {
  let steps = callers.length;
  for (let at = node; at >= 0 && steps >= 0; at = callers[at], steps--) if (holds(at)) return at;
  return -1;
}
