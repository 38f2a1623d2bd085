import type { NodeKind, Topology, TopologyLink, TopologyNode } from './topology.js';
import { malformed } from './malformed.js';

/** A node as a description has it: what is left out is the default of TOPO-4. */
export interface DescribedNode {
  readonly kind: NodeKind;
  readonly name?: string | undefined;
  readonly tier?: number | undefined;
}

/** Tiers of what is no host: by how far hosts are (TOPO-4). */
const RACK = 2;
const HOST = 3;

const NAME_LETTERS: Readonly<Record<NodeKind, string>> = { host: 'h', switch: 's', nvswitch: 'nv' };

/**
 * A topology of what a description says. A tier that is not given is 3 for a host, 2 for a switch with a host beside it, 1 for
 * one beside tier 2, else 0 (TOPO-4); a name is a letter and the id: `h0`, `s8`, `nv4`.
 * @param file for messages
 * @throws PrepError `TOPOLOGY_MALFORMED` where there is no host
 */
export function topologyOf(nodes: readonly DescribedNode[], links: readonly TopologyLink[], file: string): Topology {
  if (!nodes.some(({ kind }) => kind === 'host')) throw malformed(file, 'no hosts, expected at least one');
  const tiers = tiersOf(nodes, links);
  const named = nodes.map(({ kind, name }, id): TopologyNode => ({
    kind,
    name: name ?? `${NAME_LETTERS[kind]}${id}`,
    tier: tiers[id],
  }));
  return { nodes: named, links };
}

function tiersOf(nodes: readonly DescribedNode[], links: readonly TopologyLink[]): Int32Array {
  // [nodes] -1 where it is not known yet
  const tiers = Int32Array.from(nodes, ({ kind, tier }) => tier ?? (kind === 'host' ? HOST : -1));
  const besideKind = (isBeside: (node: number) => boolean, tier: number): void => {
    const found = new Set<number>();
    for (const { a, b } of links) {
      if (tiers[a] < 0 && isBeside(b)) found.add(a);
      if (tiers[b] < 0 && isBeside(a)) found.add(b);
    }
    for (const node of found) tiers[node] = tier;
  };
  besideKind((node) => nodes[node].kind === 'host', RACK);
  besideKind((node) => tiers[node] === RACK, RACK - 1);
  return tiers.map((tier) => (tier < 0 ? 0 : tier));
}
