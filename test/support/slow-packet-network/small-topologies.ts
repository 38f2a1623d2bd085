import type { NodeKind, Topology, TopologyLink } from '../../../src/network/topology/topology.js';

export type LinkSpeed = Partial<Pick<TopologyLink, 'gbps' | 'delayPs' | 'loss'>>;

/** Hosts first, then switches (TOPO-5). */
export function topologyOf(
  hosts: number,
  switches: number,
  pairs: readonly (readonly [number, number])[],
  speed: LinkSpeed = {},
): Topology {
  const node = (kind: NodeKind) => (_: unknown, at: number) => ({
    kind,
    name: `${kind}${at}`,
    tier: kind === 'host' ? 3 : 2,
  });
  const links = pairs.map(([a, b]) => ({ a, b, gbps: 400, delayPs: 500_000, loss: 0, plane: 0, ...speed }));
  return {
    nodes: [...Array.from({ length: hosts }, node('host')), ...Array.from({ length: switches }, node('switch'))],
    links,
  };
}

export function singleSwitch(hosts: number, speed?: LinkSpeed): Topology {
  return topologyOf(
    hosts,
    1,
    range(hosts).map((host) => [host, hosts] as const),
    speed,
  );
}

export function leafSpine(
  leaves: number,
  spines: number,
  hostsPerLeaf: number,
  speed?: LinkSpeed,
  parallel = 1,
): Topology {
  const hosts = leaves * hostsPerLeaf;
  const pairs: [number, number][] = range(hosts).map((host) => [host, hosts + Math.floor(host / hostsPerLeaf)]);
  for (const leaf of range(leaves)) {
    for (const spine of range(spines)) {
      for (let link = 0; link < parallel; link++) pairs.push([hosts + leaf, hosts + leaves + spine]);
    }
  }
  return topologyOf(hosts, leaves + spines, pairs, speed);
}

export function fatTree(k: number, speed?: LinkSpeed): Topology {
  const half = k / 2;
  const hosts = k * half * half;
  const edge = (pod: number, at: number): number => hosts + pod * half + at;
  const aggregation = (pod: number, at: number): number => hosts + k * half + pod * half + at;
  const core = (at: number): number => hosts + 2 * k * half + at;
  const pairs: [number, number][] = [];
  for (const host of range(hosts)) pairs.push([host, hosts + Math.floor(host / half)]);
  for (const pod of range(k)) {
    for (const low of range(half)) for (const high of range(half)) pairs.push([edge(pod, low), aggregation(pod, high)]);
    for (const high of range(half)) {
      for (const up of range(half)) pairs.push([aggregation(pod, high), core(high * half + up)]);
    }
  }
  return topologyOf(hosts, k * k + half * half, pairs, speed);
}

/** Hosts linked in a ring, without a switch. */
export function hostRing(hosts: number, speed?: LinkSpeed): Topology {
  return topologyOf(
    hosts,
    0,
    range(hosts).map((host) => [host, (host + 1) % hosts] as const),
    speed,
  );
}

export function range(n: number): number[] {
  return Array.from({ length: n }, (_, at) => at);
}
