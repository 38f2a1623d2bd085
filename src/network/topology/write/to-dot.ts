import { timeText } from '../../../base/units.js';
import type { Topology, TopologyLink } from '../topology.js';
import { decimalText } from './decimal-text.js';

const SHAPES = { host: 'ellipse', switch: 'box', nvswitch: 'hexagon' } as const;

/**
 * A topology as an undirected graph of Graphviz: a rank a tier, spines on top; rate and delay on each link, parallel links that
 * are alike as one with their number.
 */
export function topologyDot({ nodes, links }: Topology): string {
  const lines = ['graph topology {', '  ranksep=1.5;'];
  const tiers = [...new Set(nodes.map(({ tier }) => tier))].sort((a, b) => a - b);
  for (const tier of tiers) {
    lines.push('  {', '    rank=same;');
    nodes.forEach((node, id) => {
      if (node.tier === tier) lines.push(`    n${id} [label=${quoted(node.name)}, shape=${SHAPES[node.kind]}];`);
    });
    lines.push('  }');
  }
  for (const { link, count } of alike(links)) {
    // The end on the upper tier comes first, which puts it above.
    const [from, to] = nodes[link.a].tier <= nodes[link.b].tier ? [link.a, link.b] : [link.b, link.a];
    const parts = [
      `${decimalText(link.gbps)}G`,
      timeText(link.delayPs),
      ...(link.loss === 0 ? [] : [`loss ${link.loss}`]),
      ...(count === 1 ? [] : [`×${count}`]),
    ];
    lines.push(`  n${from} -- n${to} [label=${quoted(parts.join(' '))}];`);
  }
  return [...lines, '}', ''].join('\n');
}

function alike(links: readonly TopologyLink[]): { link: TopologyLink; count: number }[] {
  const counts = new Map<string, { link: TopologyLink; count: number }>();
  for (const link of links) {
    const { a, b, gbps, delayPs, loss } = link;
    const key = `${Math.min(a, b)} ${Math.max(a, b)} ${gbps} ${delayPs} ${loss}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { link, count: 1 });
    else known.count++;
  }
  return [...counts.values()];
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
