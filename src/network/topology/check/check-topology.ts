import { finding, type FindingCode } from '../../../base/catalogue.js';
import { counted, grouped } from '../../../base/counts.js';
import type { Finding } from '../../../base/finding.js';
import { hostsOf, type Topology, type TopologyLink } from '../topology.js';
import { equalPathsOf, type EqualPaths } from './equal-paths.js';
import { tierCapacitiesOf, type TierCapacity } from './oversubscription.js';
import { reachOf, type Reach } from './reach.js';
import { switchGraphOf } from './switch-graph.js';
import { linkCountsOf, nodeCountsOf, type LinkCount, type NodeCount } from './topology-counts.js';

/** What a topology is, in numbers. */
export interface TopologyFacts {
  readonly hosts: number;
  readonly switches: number;
  readonly links: number;
  readonly nodeCounts: readonly NodeCount[];
  readonly linkCounts: readonly LinkCount[];
  readonly capacities: readonly TierCapacity[];
  readonly reach: Reach;
  readonly equalPaths: EqualPaths;
}

export interface TopologyCheck {
  readonly facts: TopologyFacts;
  readonly findings: readonly Finding[];
}

/**
 * Numbers of a topology, and what is wrong or unusual about it.
 * @param file for messages
 */
export function checkTopology(topology: Topology, file: string): TopologyCheck {
  const graph = switchGraphOf(topology);
  const hosts = hostsOf(topology).length;
  const facts: TopologyFacts = {
    ...{ hosts, switches: topology.nodes.length - hosts, links: topology.links.length },
    nodeCounts: nodeCountsOf(topology),
    linkCounts: linkCountsOf(topology),
    capacities: tierCapacitiesOf(topology),
    reach: reachOf(topology, graph),
    equalPaths: equalPathsOf(topology, graph),
  };
  const found = (code: FindingCode, message: string, count: number): Finding =>
    finding(code, `${file}: ${message}`, { file, count });
  const findings = [
    ...unconnected(topology, facts, found),
    ...linkFindings(topology, found),
    ...ratesAtHosts(topology, found),
    ...oversubscribed(facts.capacities, found),
  ];
  return { facts, findings };
}

type Found = (code: FindingCode, message: string, count: number) => Finding;

function unconnected({ nodes, links }: Topology, { reach, hosts }: TopologyFacts, found: Found): Finding[] {
  const findings: Finding[] = [];
  const linked = new Uint8Array(nodes.length); // [nodes]
  for (const { a, b } of links) linked[a] = linked[b] = 1;
  const alone = (isHost: boolean): number[] =>
    nodes.flatMap(({ kind }, id) => (linked[id] === 0 && (kind === 'host') === isHost ? [id] : []));
  const nameOf = (id: number): string => nodes[id].name;
  const hostsAlone = alone(true);
  if (hostsAlone.length > 0 && hosts > 1) {
    const message = `${counted(hostsAlone.length, 'host')} without a link: ${named(hostsAlone.map(nameOf))}`;
    findings.push(found('TOPOLOGY_UNCONNECTED', message, hostsAlone.length));
  }
  const parts = reach.parts.filter((part) => !(part.length === 1 && linked[part[0]] === 0));
  if (parts.length > 1) {
    const sizes = named(parts.map((part) => `${counted(part.length, 'host')} with ${nameOf(part[0])}`));
    findings.push(
      found('TOPOLOGY_UNCONNECTED', `${parts.length} parts without a link between them: ${sizes}`, parts.length),
    );
  }
  const within = reach.parts.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  const forwarded = reach.pairsWithoutRoute - (reach.pairs - within);
  if (forwarded > 0) {
    const message = `${grouped(forwarded)} of ${counted(reach.pairs, 'pair')} of hosts reach each other only through other hosts, which do not forward`;
    findings.push(found('TOPOLOGY_HOSTS_FORWARD', message, forwarded));
  }
  const switchesAlone = alone(false);
  if (switchesAlone.length > 0) {
    const message = `${counted(switchesAlone.length, 'switch', 'switches')} without a link: ${named(switchesAlone.map(nameOf))}`;
    findings.push(found('TOPOLOGY_SWITCH_UNLINKED', message, switchesAlone.length));
  }
  return findings;
}

function linkFindings({ nodes, links }: Topology, found: Found): Finding[] {
  const shown = (some: readonly TopologyLink[]): string =>
    named(
      some.slice(0, SHOWN + 1).map(({ a, b }) => `${nodes[a].name}–${nodes[b].name}`),
      some.length,
    );
  const about = (code: FindingCode, what: string, some: readonly TopologyLink[]): Finding[] =>
    some.length === 0 ? [] : [found(code, `${counted(some.length, 'link')} ${what}: ${shown(some)}`, some.length)];
  const losing = links.filter(({ loss }) => loss > 0);
  const limited = links.filter(({ queueBytes }) => queueBytes !== undefined);
  const losses = [...new Set(losing.map(({ loss }) => loss))];
  const limits = [...new Set(limited.map(({ queueBytes }) => queueBytes!))];
  return [
    ...about(
      'TOPOLOGY_DELAY_ZERO',
      'with delay 0',
      links.filter(({ delayPs }) => delayPs === 0),
    ),
    ...parallelLinks({ nodes, links }, found),
    ...about('TOPOLOGY_LOSS', `with loss (probability ${named(losses.map(String))})`, losing),
    ...about(
      'TOPOLOGY_QUEUE_LIMIT',
      `with a queue limit (${named(limits.map((limit) => `${grouped(limit)} B`))})`,
      limited,
    ),
  ];
}

function parallelLinks({ nodes, links }: Topology, found: Found): Finding[] {
  const counts = new Map<string, { link: TopologyLink; count: number; turned: number }>();
  for (const link of links) {
    const { a, b } = link;
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { link, count: 1, turned: 0 });
    else {
      known.count++;
      if (known.link.a !== a) known.turned++;
    }
  }
  const several = [...counts.values()].filter(({ count }) => count > 1);
  if (several.length === 0) return [];
  const most = several.reduce((largest, { count }) => Math.max(largest, count), 0);
  const pairs = named(
    several.slice(0, SHOWN + 1).map(({ link: { a, b }, count }) => `${nodes[a].name}–${nodes[b].name} ×${count}`),
    several.length,
  );
  const turned = several.filter((pair) => pair.turned > 0).length;
  const hint = turned === 0 ? '' : `; ${grouped(turned)} are given in both directions, and a link has both already`;
  const message = `${counted(several.length, 'pair')} of nodes with up to ${most} parallel links: ${pairs}${hint}`;
  return [found('TOPOLOGY_PARALLEL', message, several.length)];
}

function ratesAtHosts({ nodes, links }: Topology, found: Found): Finding[] {
  const rates = new Map<number, Set<number>>();
  for (const { a, b, gbps } of links) {
    for (const end of [a, b]) {
      if (nodes[end].kind !== 'host') continue;
      const known = rates.get(end);
      if (known === undefined) rates.set(end, new Set([gbps]));
      else known.add(gbps);
    }
  }
  const hostsOfRates = new Map<string, string[]>();
  for (const [host, some] of rates) {
    if (some.size === 1) continue;
    const key = [...some].sort((one, other) => one - other).join(' and ');
    const known = hostsOfRates.get(key);
    if (known === undefined) hostsOfRates.set(key, [nodes[host].name]);
    else known.push(nodes[host].name);
  }
  return [...hostsOfRates].map(([some, hosts]) => {
    const message = `${counted(hosts.length, 'host')} with links of ${some} Gbit/s: ${named(hosts)}`;
    return found('TOPOLOGY_RATES_DIFFER', message, hosts.length);
  });
}

function oversubscribed(capacities: readonly TierCapacity[], found: Found): Finding[] {
  return capacities
    .filter(({ worstRatio }) => worstRatio !== undefined && worstRatio > 1)
    .map(({ tier, switches, downGbps, upGbps, worstRatio }) => {
      const message =
        `tier ${tier}: ${counted(switches, 'switch', 'switches')} with ${rateText(downGbps)} Gbit/s down and ${rateText(upGbps)} up, ` +
        `at most ${ratioText(worstRatio!)} at one`;
      return found('TOPOLOGY_OVERSUBSCRIBED', message, switches);
    });
}

/** A sum of rates, with at most three decimals: `3,200`, `0.125`. */
export function rateText(gbps: number): string {
  const [whole, fraction] = String(Number(gbps.toFixed(3))).split('.');
  return fraction === undefined ? grouped(Number(whole)) : `${grouped(Number(whole))}.${fraction}`;
}

/** `2 : 1`, with at most two decimals. */
export function ratioText(ratio: number): string {
  return `${Number(ratio.toFixed(2))} : 1`;
}

/** Names that are shown; the rest is counted. */
const SHOWN = 4;

function named(names: readonly string[], count = names.length): string {
  if (count <= SHOWN) return names.join(', ');
  return `${names.slice(0, SHOWN).join(', ')} and ${grouped(count - SHOWN)} more`;
}
