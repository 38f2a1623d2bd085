import type { Topology } from '../topology.js';
import { sampledStarts, searchedFrom, type SwitchGraph } from './switch-graph.js';

/** How many shortest ways there are between two switches with hosts on them, parallel links each one. */
export interface EqualPaths {
  /** Switches with hosts. */
  readonly leaves: number;
  /** Ordered pairs of two of them that were counted; those without a way are not. */
  readonly pairs: number;
  /** Of the pair with the fewest and of the one with the most; 0 without pairs. */
  readonly least: number;
  readonly most: number;
  /** `false` where the search was from every n-th of them only. */
  readonly exact: boolean;
}

export function equalPathsOf({ nodes, links }: Topology, graph: SwitchGraph): EqualPaths {
  const withHosts = new Set<number>();
  for (const { a, b } of links) {
    if (nodes[a].kind === 'host' && graph.switchOf[b] >= 0) withHosts.add(graph.switchOf[b]);
    if (nodes[b].kind === 'host' && graph.switchOf[a] >= 0) withHosts.add(graph.switchOf[a]);
  }
  const leaves = [...withHosts].sort((a, b) => a - b);
  const { starts, exact } = sampledStarts(leaves.length, graph.neighbours.length + leaves.length);
  let [pairs, least, most] = [0, Infinity, 0];
  for (const start of starts) {
    const { links: far, ways } = searchedFrom([leaves[start]], graph);
    for (const leaf of leaves) {
      if (leaf === leaves[start] || far[leaf] < 0) continue;
      pairs++;
      least = Math.min(least, ways[leaf]);
      most = Math.max(most, ways[leaf]);
    }
  }
  return { leaves: leaves.length, pairs, least: pairs === 0 ? 0 : least, most, exact };
}
