import type { HostTrace } from '../formats/pytorch/host-trace.js';

/** Nodes of ops in the order in which they started, over all threads. */
export interface StartedNodes {
  readonly nodes: Int32Array;
  /** Place of a node in that order: its rf_id or, where the file has none, its id. */
  readonly order: Float64Array; // [host.length]
}

/** Roots of the process and of its threads, in both spellings. */
const ROOT = /^\[pytorch\|profiler\|execution_(?:trace|graph)\|/;

/**
 * The nodes that may have a host event. Record-function handles are given out as ops start, one counter a process, and the
 * roots of the process and of its threads have none; where nothing has one, node ids order instead.
 */
export function startedNodes(host: HostTrace): StartedNodes {
  const numbered = host.recordId.some((id) => id > 0);
  const order = numbered ? host.recordId : host.id;
  const isRoot = host.names.map((name) => ROOT.test(name));
  let count = 0;
  const nodes = new Int32Array(host.length);
  for (let node = 0; node < host.length; node++) {
    if (numbered ? host.recordId[node] > 0 : !isRoot[host.name[node]]) nodes[count++] = node;
  }
  return { nodes: nodes.subarray(0, count).sort((a, b) => order[a] - order[b] || a - b), order };
}
