import type { Topology } from '../topology.js';

/**
 * The switches of a topology and the links between them, in rows: as hosts do not forward, these are all that a frame crosses between the
 * first switch and the last.
 */
export interface SwitchGraph {
  /** Number of a switch, by node id: Int32Array // [nodes] -1 for a host */
  readonly switchOf: Int32Array;
  /** Node id of each switch: [switches] */
  readonly nodeOf: readonly number[];
  /** Where the neighbours of each switch begin: Int32Array // [switches + 1] */
  readonly offsets: Int32Array;
  /** Neighbouring switches, each once: Int32Array // [offsets of the end] */
  readonly neighbours: Int32Array;
  /** Links to each neighbour: Int32Array // as `neighbours` */
  readonly parallel: Int32Array;
}

export function switchGraphOf({ nodes, links }: Topology): SwitchGraph {
  const nodeOf = nodes.flatMap(({ kind }, id) => (kind === 'host' ? [] : [id]));
  const switchOf = new Int32Array(nodes.length).fill(-1);
  nodeOf.forEach((id, index) => (switchOf[id] = index));
  const counts = nodeOf.map(() => new Map<number, number>());
  for (const { a, b } of links) {
    const [from, to] = [switchOf[a], switchOf[b]];
    if (from < 0 || to < 0) continue;
    counts[from].set(to, (counts[from].get(to) ?? 0) + 1);
    counts[to].set(from, (counts[to].get(from) ?? 0) + 1);
  }
  const offsets = new Int32Array(nodeOf.length + 1);
  counts.forEach((beside, index) => (offsets[index + 1] = offsets[index] + beside.size));
  const neighbours = Int32Array.from(counts.flatMap((beside) => [...beside.keys()]));
  const parallel = Int32Array.from(counts.flatMap((beside) => [...beside.values()]));
  return { switchOf, nodeOf, offsets, neighbours, parallel };
}

/** What a breadth-first search fills in. */
export interface Distances {
  /** Links from the nearest start: Int32Array // [switches] -1 where there is no way */
  readonly links: Int32Array;
  /** Shortest ways from the starts, parallel links each one: Float64Array // [switches] */
  readonly ways: Float64Array;
}

/** Distances of all switches from the nearest of some (RT-1). */
export function searchedFrom(starts: readonly number[], graph: SwitchGraph): Distances {
  const { offsets, neighbours, parallel, nodeOf } = graph;
  const links = new Int32Array(nodeOf.length).fill(-1);
  const ways = new Float64Array(nodeOf.length);
  const queue = new Int32Array(nodeOf.length);
  let end = 0;
  for (const start of starts) {
    links[start] = 0;
    ways[start] = 1;
    queue[end++] = start;
  }
  for (let begin = 0; begin < end; begin++) {
    const at = queue[begin];
    for (let i = offsets[at]; i < offsets[at + 1]; i++) {
      const next = neighbours[i];
      if (links[next] < 0) {
        links[next] = links[at] + 1;
        queue[end++] = next;
      }
      if (links[next] === links[at] + 1) ways[next] += ways[at] * parallel[i];
    }
  }
  return { links, ways };
}

/** Steps of search and comparison that are taken at most; beyond, every n-th start stands for all. */
const MOST_STEPS = 100_000_000;

/** Starts of a search, all or evenly chosen, so that it ends soon. */
export function sampledStarts(count: number, stepsOfOne: number): { starts: number[]; exact: boolean } {
  const most = Math.max(1, Math.floor(MOST_STEPS / Math.max(1, stepsOfOne)));
  if (count <= most) return { starts: Array.from({ length: count }, (_, index) => index), exact: true };
  return { starts: Array.from({ length: most }, (_, index) => Math.floor((index * count) / most)), exact: false };
}
