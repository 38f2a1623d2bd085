import type { NodeKind, Topology } from '../topology.js';

/** Nodes of one kind on one tier. */
export interface NodeCount {
  readonly kind: NodeKind;
  readonly tier: number;
  readonly count: number;
  /** Links of the node with the fewest and of the one with the most. */
  readonly leastLinks: number;
  readonly mostLinks: number;
}

/** Links that are alike: between the same kinds and tiers, with the same rate, delay, loss and limit. */
export interface LinkCount {
  /** Such as `host–switch`; the end on the higher tier, 0, comes second. */
  readonly between: string;
  readonly tiers: readonly [number, number];
  readonly gbps: number;
  readonly delayPs: number;
  readonly loss: number;
  readonly queueBytes: number | undefined;
  readonly count: number;
}

/** In the order of tiers, hosts first. */
export function nodeCountsOf({ nodes, links }: Topology): NodeCount[] {
  const degree = new Int32Array(nodes.length); // [nodes]
  for (const { a, b } of links) {
    degree[a]++;
    degree[b]++;
  }
  const counts = new Map<string, NodeCount>();
  nodes.forEach(({ kind, tier }, id) => {
    const key = `${kind} ${tier}`;
    const known = counts.get(key) ?? { kind, tier, count: 0, leastLinks: Infinity, mostLinks: 0 };
    counts.set(key, {
      ...known,
      count: known.count + 1,
      leastLinks: Math.min(known.leastLinks, degree[id]),
      mostLinks: Math.max(known.mostLinks, degree[id]),
    });
  });
  return [...counts.values()].sort((one, other) => other.tier - one.tier || (one.kind < other.kind ? -1 : 1));
}

/** In the order of tiers, those of hosts first. */
export function linkCountsOf({ nodes, links }: Topology): LinkCount[] {
  const counts = new Map<string, LinkCount>();
  for (const { a, b, gbps, delayPs, loss, queueBytes } of links) {
    const [lower, upper] = nodes[a].tier >= nodes[b].tier ? [nodes[a], nodes[b]] : [nodes[b], nodes[a]];
    const between = `${lower.kind}–${upper.kind}`;
    const key = `${between} ${lower.tier} ${upper.tier} ${gbps} ${delayPs} ${loss} ${queueBytes}`;
    const known = counts.get(key)?.count ?? 0;
    const tiers = [lower.tier, upper.tier] as const;
    counts.set(key, { between, tiers, gbps, delayPs, loss, queueBytes, count: known + 1 });
  }
  return [...counts.values()].sort(
    (one, other) =>
      other.tiers[0] - one.tiers[0] ||
      other.tiers[1] - one.tiers[1] ||
      one.gbps - other.gbps ||
      one.delayPs - other.delayPs,
  );
}
