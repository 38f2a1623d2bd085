import type { PacketNetworkSpec } from '../settings/packet-settings.js';

/**
 * Whether one part of a network joins some hosts, so that there is a way between any two of them (RT-1). Parts are joined by
 * switches, and by hosts only where those forward.
 */
export function areConnected({ topology, settings }: PacketNetworkSpec, hosts: Iterable<number>): boolean {
  const { nodes, links } = topology;
  const joins = (node: number): boolean => settings.routing.hostsForward || nodes[node].kind !== 'host';
  const partOf = Int32Array.from(nodes, (_, node) => node);
  const part = (node: number): number => {
    let root = node;
    while (partOf[root] !== root) root = partOf[root] = partOf[partOf[root]];
    return root;
  };
  for (const { a, b } of links) if (joins(a) && joins(b)) partOf[part(a)] = part(b);
  const partsOf = new Map<number, Set<number>>();
  for (const { a, b } of links) {
    for (const [host, neighbour] of [
      [a, b],
      [b, a],
    ]) {
      if (nodes[host].kind !== 'host' || !joins(neighbour)) continue;
      partsOf.set(host, (partsOf.get(host) ?? new Set<number>()).add(part(neighbour)));
    }
  }
  let common: Set<number> | undefined;
  for (const host of hosts) {
    const parts = partsOf.get(host) ?? new Set<number>();
    common = common === undefined ? parts : new Set([...common].filter((one) => parts.has(one)));
    if (common.size === 0) return false;
  }
  return true;
}
