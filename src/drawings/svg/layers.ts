/** Edges by their two ends; `from` stands above `to`. */
export interface Edges {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Which layer each node is in, 0 at the top. */
export interface Layers {
  readonly layer: Int32Array; // [n]
  /** [edges] 1 for an edge that closes a cycle and points upwards. */
  readonly upwards: Uint8Array;
  readonly count: number;
}

/**
 * Layers by the longest chain of edges that ends at a node. A node without edges into it stands right above the first that
 * waits for it. Where a cycle leaves no node to go on with, the first of those left is taken, and edges into it from the
 * others point upwards.
 */
export function layersOf(nodes: number, { from, to }: Edges): Layers {
  const layer = new Int32Array(nodes);
  const upwards = new Uint8Array(from.length);
  const waiting = new Int32Array(nodes); // edges into it that are not done
  const outgoing: number[][] = Array.from({ length: nodes }, () => []);
  const incoming: number[][] = Array.from({ length: nodes }, () => []);
  for (let edge = 0; edge < from.length; edge++) {
    if (from[edge] === to[edge]) {
      upwards[edge] = 1;
      continue;
    }
    waiting[to[edge]]++;
    outgoing[from[edge]].push(edge);
    incoming[to[edge]].push(edge);
  }
  const isDone = new Uint8Array(nodes);
  const ready: number[] = [];
  for (let node = 0; node < nodes; node++) if (waiting[node] === 0) ready.push(node);
  let next = 0;
  let firstLeft = 0;
  for (let done = 0; done < nodes; done++) {
    if (next === ready.length) {
      while (isDone[firstLeft] === 1) firstLeft++;
      for (const edge of incoming[firstLeft]) if (isDone[from[edge]] === 0) upwards[edge] = 1;
      ready.push(firstLeft);
    }
    const node = ready[next++];
    isDone[node] = 1;
    for (const edge of outgoing[node]) {
      if (upwards[edge] === 1) continue;
      const target = to[edge];
      layer[target] = Math.max(layer[target], layer[node] + 1);
      if (--waiting[target] === 0) ready.push(target);
    }
  }
  let count = 0;
  for (let node = 0; node < nodes; node++) {
    if (incoming[node].length === 0 && outgoing[node].length > 0) {
      layer[node] = Math.min(...outgoing[node].map((edge) => layer[to[edge]])) - 1;
    }
    count = Math.max(count, layer[node] + 1);
  }
  return { layer, upwards, count };
}
