import type { Topology } from '../topology.js';

/** What the switches of a tier have towards hosts and towards the tiers above. NV switches do not count. */
export interface TierCapacity {
  readonly tier: number;
  readonly switches: number;
  /** Gbit/s of all links to a lower tier, and to a higher one. */
  readonly downGbps: number;
  readonly upGbps: number;
  /** The one by the other; `undefined` at the top, where nothing goes up. */
  readonly ratio: number | undefined;
  /** The largest of one switch that has links up. */
  readonly worstRatio: number | undefined;
}

/** Tiers from racks upwards. */
export function tierCapacitiesOf({ nodes, links }: Topology): TierCapacity[] {
  const down = new Float64Array(nodes.length); // [nodes] Gbit/s
  const up = new Float64Array(nodes.length); // [nodes] Gbit/s
  for (const { a, b, gbps } of links) {
    const [upper, lower] = nodes[a].tier < nodes[b].tier ? [a, b] : [b, a];
    if (nodes[upper].tier === nodes[lower].tier) continue;
    down[upper] += gbps;
    up[lower] += gbps;
  }
  const tiers = new Map<number, number[]>();
  nodes.forEach(({ kind, tier }, id) => {
    if (kind !== 'switch') return;
    const switches = tiers.get(tier);
    if (switches === undefined) tiers.set(tier, [id]);
    else switches.push(id);
  });
  return [...tiers]
    .sort(([one], [other]) => other - one)
    .map(([tier, switches]) => {
      const sum = (of: Float64Array): number => switches.reduce((total, id) => total + of[id], 0);
      const [downGbps, upGbps] = [sum(down), sum(up)];
      const ratios = switches.filter((id) => up[id] > 0).map((id) => down[id] / up[id]);
      return {
        ...{ tier, switches: switches.length, downGbps, upGbps },
        ratio: upGbps > 0 ? downGbps / upGbps : undefined,
        worstRatio: ratios.length > 0 ? ratios.reduce((most, ratio) => Math.max(most, ratio)) : undefined,
      };
    });
}
