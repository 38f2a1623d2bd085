import { counted, grouped } from '../../base/counts.js';
import { textTable } from '../../base/text-table.js';
import { timeText } from '../../base/units.js';
import { rateText, ratioText, type TopologyFacts } from '../../network/topology/check/check-topology.js';
import type { LogicalTopology } from '../../network/topology/logical-topology.js';

const TIER_NAMES = ['0 spine', '1 fabric', '2 rack', '3 host'];

/** The facts of a topology for a person. */
export function topologyLines(title: string, facts: TopologyFacts, logical?: LogicalTopology): string[] {
  return [
    `${title}, ${countsText(facts)}`,
    '',
    ...nodeTable(facts),
    ...linkTable(facts),
    ...capacityTable(facts),
    ...reachLines(facts),
    ...(logical === undefined ? [] : [`logical topology: ${logical.dimensions.join(' × ')} ranks`]),
  ];
}

/** `8 hosts, 6 switches, 16 links`. */
export function countsText({ hosts, switches, links }: TopologyFacts): string {
  return `${counted(hosts, 'host')}, ${counted(switches, 'switch', 'switches')}, ${counted(links, 'link')}`;
}

function nodeTable({ nodeCounts }: TopologyFacts): string[] {
  const rows = nodeCounts.map(({ kind, tier, count, leastLinks, mostLinks }) => [
    kind,
    TIER_NAMES[tier],
    grouped(count),
    leastLinks === mostLinks ? grouped(mostLinks) : `${grouped(leastLinks)}–${grouped(mostLinks)}`,
  ]);
  return textTable([['kind', 'tier', 'nodes', 'links each'], ...rows], 'llrr');
}

function linkTable({ linkCounts }: TopologyFacts): string[] {
  if (linkCounts.length === 0) return [];
  const rows = linkCounts.map(({ between, tiers, gbps, delayPs, loss, queueBytes, count }) => [
    between,
    tiers.join('–'),
    String(gbps),
    timeText(delayPs),
    loss === 0 ? '–' : String(loss),
    queueBytes === undefined ? '–' : `${grouped(queueBytes)} B`,
    grouped(count),
  ]);
  const header = ['links between', 'tiers', 'Gbit/s', 'delay', 'loss', 'queue limit', 'links'];
  return ['', ...textTable([header, ...rows], 'llrrrrr')];
}

function capacityTable({ capacities }: TopologyFacts): string[] {
  if (capacities.length === 0) return [];
  const rows = capacities.map(({ tier, switches, downGbps, upGbps, ratio, worstRatio }) => [
    TIER_NAMES[tier],
    grouped(switches),
    rateText(downGbps),
    rateText(upGbps),
    ratio === undefined ? '–' : ratioText(ratio),
    worstRatio === undefined ? '–' : ratioText(worstRatio),
  ]);
  const header = ['tier', 'switches', 'Gbit/s down', 'Gbit/s up', 'down : up', 'most at one'];
  return ['', ...textTable([header, ...rows], 'lrrrrr')];
}

function reachLines({ reach, equalPaths }: TopologyFacts): string[] {
  const lines: string[] = [];
  if (reach.pairs > 0) {
    const without =
      reach.pairsWithoutRoute === 0
        ? ''
        : `; ${grouped(reach.pairsWithoutRoute)} of ${counted(reach.pairs, 'pair')} have none`;
    lines.push(
      `links on the way between two hosts: at most ${reach.mostHops}${reach.exact ? '' : ' (sampled)'}${without}`,
    );
  }
  const { leaves, pairs, least, most, exact } = equalPaths;
  if (pairs > 0) {
    const range = least === most ? grouped(most) : `${grouped(least)} to ${grouped(most)}`;
    const basis = exact ? 'all pairs counted' : `${counted(pairs, 'pair')} sampled`;
    lines.push(`shortest paths between two of ${grouped(leaves)} switches with hosts: ${range} (${basis})`);
  }
  return lines.length === 0 ? [] : ['', ...lines];
}
