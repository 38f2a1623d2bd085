import fc from 'fast-check';
import { checkTopology } from '../../src/network/topology/check/check-topology.js';
import { readTopology } from '../../src/network/topology/read-topology.js';
import { hostsOf, NODE_KINDS, type Topology } from '../../src/network/topology/topology.js';
import { writtenTopology } from '../../src/network/topology/write/forms.js';
import { generated } from '../support/packet-topologies.js';

const small = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most });

/** A generator's parameters with its numbers of hosts, switches and links by the table of TOPO-5. */
type Sized = readonly [type: string, parameters: Record<string, number>, counts: readonly [number, number, number]];

const sized: fc.Arbitrary<Sized> = fc.oneof(
  small(20).map((hosts): Sized => ['single-switch', { hosts }, [hosts, 1, hosts]]),
  fc.tuple(small(5), small(5), small(5), small(3)).map(([leaves, spines, hostsPerLeaf, linksPerSpine]): Sized => {
    const hosts = leaves * hostsPerLeaf;
    const counts = [hosts, leaves + spines, hosts + leaves * spines * linksPerSpine] as const;
    return ['leaf-spine', { leaves, spines, hostsPerLeaf, linksPerSpine }, counts];
  }),
  small(4).map((half): Sized => {
    const k = 2 * half;
    return ['fat-tree', { k }, [k ** 3 / 4, (5 * k ** 2) / 4, (3 * k ** 3) / 4]];
  }),
  fc.tuple(small(7), small(4), small(4), small(3)).map(([servers, gpusPerServer, serversPerSegment, spines]): Sized => {
    const rails = gpusPerServer * Math.ceil(servers / serversPerSegment);
    const hosts = servers * gpusPerServer;
    const counts = [hosts, rails + spines, hosts + rails * spines] as const;
    return ['rail-optimised', { servers, gpusPerServer, serversPerSegment, spines }, counts];
  }),
  dragonflies().map((parameters): Sized => {
    const { hostsPerRouter: p, routersPerGroup: a, groupCount: g } = parameters;
    return ['dragonfly', parameters, [p * a * g, a * g, p * a * g + (g * a * (a - 1)) / 2 + (g * (g - 1)) / 2]];
  }),
);

function dragonflies(): fc.Arbitrary<
  Record<'hostsPerRouter' | 'routersPerGroup' | 'globalLinksPerRouter' | 'groupCount', number>
> {
  return fc.tuple(small(3), small(4), small(3)).chain(([hostsPerRouter, routersPerGroup, globalLinksPerRouter]) =>
    small(routersPerGroup * globalLinksPerRouter + 1).map((groupCount) => ({
      ...{ hostsPerRouter, routersPerGroup, globalLinksPerRouter, groupCount },
    })),
  );
}

test('TOPO-5: a generated topology has the counts of its closed form and connects all hosts', () => {
  fc.assert(
    fc.property(sized, ([type, parameters, counts]) => {
      const topology = generated(type, parameters);
      const hosts = hostsOf(topology);
      expect([hosts.length, topology.nodes.length - hosts.length, topology.links.length]).toEqual(counts);
      expect(hosts).toEqual(hosts.map((_, index) => index));
      const { facts, findings } = checkTopology(topology, 'f');
      expect(facts.reach.pairsWithoutRoute).toBe(0);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
  );
});

test('TOPO-5: in a dragonfly every two groups have one link, and no router more than its global links', () => {
  fc.assert(
    fc.property(dragonflies(), (parameters) => {
      const { hostsPerRouter: p, routersPerGroup: a, globalLinksPerRouter: h, groupCount: g } = parameters;
      const { links } = generated('dragonfly', parameters);
      const groupOf = (id: number): number => Math.floor((id - p * a * g) / a);
      const between = links.filter(({ a: from, b: to }) => from >= p * a * g && groupOf(from) !== groupOf(to));
      const pairs = between.map(({ a: from, b: to }) => [groupOf(from), groupOf(to)].sort((x, y) => x - y).join(' '));
      expect(new Set(pairs).size).toBe((g * (g - 1)) / 2);
      expect(pairs.length).toBe((g * (g - 1)) / 2);
      const used = new Map<number, number>();
      for (const { a: from, b: to } of between) {
        for (const end of [from, to]) used.set(end, (used.get(end) ?? 0) + 1);
      }
      expect(Math.max(0, ...used.values())).toBeLessThanOrEqual(h);
    }),
  );
});

/** Any topology: kinds, names, tiers, parallel and lossy links, limits. */
const anyTopology: fc.Arbitrary<Topology> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...NODE_KINDS),
      name: fc.string({ minLength: 1 }),
      tier: fc.integer({ min: 0, max: 3 }),
    }),
    {
      minLength: 2,
      maxLength: 8,
    },
  )
  .filter((nodes) => nodes.some(({ kind }) => kind === 'host'))
  .chain((nodes) => {
    const link = fc
      .record({
        a: fc.integer({ min: 0, max: nodes.length - 1 }),
        b: fc.integer({ min: 0, max: nodes.length - 1 }),
        gbps: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
        delayPs: fc.integer({ min: 0, max: 1e12 }),
        loss: fc.double({ min: 0, max: 0.999, noNaN: true }).map((loss) => loss + 0), // -0 is 0
        plane: fc.integer({ min: 0, max: 3 }),
        count: small(3),
        queueBytes: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
      })
      .filter(({ a, b }) => a !== b)
      .map(({ count, queueBytes, ...link }) =>
        new Array<Topology['links'][number]>(count).fill(queueBytes === undefined ? link : { ...link, queueBytes }),
      );
    return fc.array(link, { maxLength: 10 }).map((links) => ({ nodes, links: links.flat() }));
  });

test('reading the JSON that was written gives the same topology', () => {
  fc.assert(
    fc.property(anyTopology, (topology) => {
      const { text, findings } = writtenTopology(topology, 'json', 'f');
      expect(readTopology(text, 'f')).toEqual({ form: 'own', topology, findings: [] });
      expect(findings).toEqual([]);
    }),
  );
});

test('reading the ns-3 text that was written gives the same hosts and links, and what it cannot hold was told', () => {
  fc.assert(
    fc.property(anyTopology, (topology) => {
      const { text, findings } = writtenTopology(topology, 'ns3', 'f');
      const back = readTopology(text, 'f').topology;
      const plain = topology.links.map(({ a, b, gbps, delayPs, loss }) => ({ a, b, gbps, delayPs, loss, plane: 0 }));
      expect(back.links).toEqual(plain);
      expect(hostsOf(back)).toEqual(hostsOf(topology));
      const { nodes, links } = topology;
      const same =
        JSON.stringify(back) === JSON.stringify({ nodes, links: plain }) &&
        JSON.stringify(links) === JSON.stringify(plain);
      expect(findings.length === 0).toBe(same);
    }),
  );
});

test('hosts that are connected in the topology are those that the search reaches', () => {
  fc.assert(
    fc.property(anyTopology, (topology) => {
      const { facts } = checkTopology(topology, 'f');
      expect(facts.reach.pairsWithoutRoute).toBe(slowPairsWithoutRoute(topology));
      expect(facts.reach.mostHops).toBe(slowMostHops(topology));
    }),
  );
});

/** Links on the way from a host to every node, hosts not forwarding: a search over all nodes, one host at a time. */
function slowDistances({ nodes, links }: Topology, from: number): number[] {
  const far = nodes.map((_, id) => (id === from ? 0 : Infinity));
  for (let changed = true; changed;) {
    changed = false;
    for (const { a, b } of links) {
      for (const [at, next] of [
        [a, b],
        [b, a],
      ]) {
        const forwards = at === from || nodes[at].kind !== 'host';
        if (!forwards || far[at] + 1 >= far[next]) continue;
        far[next] = far[at] + 1;
        changed = true;
      }
    }
  }
  return far;
}

function slowHostDistances(topology: Topology): number[] {
  const hosts = hostsOf(topology);
  return hosts.flatMap((from, index) => hosts.slice(index + 1).map((to) => slowDistances(topology, from)[to]));
}

function slowPairsWithoutRoute(topology: Topology): number {
  return slowHostDistances(topology).filter((far) => far === Infinity).length;
}

function slowMostHops(topology: Topology): number {
  return Math.max(0, ...slowHostDistances(topology).filter((far) => far < Infinity));
}
