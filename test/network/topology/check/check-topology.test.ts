import { checkTopology, type TopologyCheck } from '../../../../src/network/topology/check/check-topology.js';
import { generatedTopology } from '../../../../src/network/topology/generators/generators.js';
import { generated, ns3Of, topologyOfText } from '../../../support/packet-topologies.js';

const check = (text: string, ranks?: number): TopologyCheck => checkTopology(topologyOfText(text, ranks), 'f');
const messages = ({ findings }: TopologyCheck): string[] => findings.map(({ code, message }) => `${code} ${message}`);

describe('facts', () => {
  test.each([
    // hops between hosts; shortest paths between two leaves, fewest and most
    ['single-switch', { hosts: 8 }, 2, [0, 0]],
    ['leaf-spine', { leaves: 2, spines: 4, hostsPerLeaf: 4 }, 4, [4, 4]],
    ['leaf-spine', { leaves: 2, spines: 3, hostsPerLeaf: 1, linksPerSpine: 2 }, 4, [12, 12]], // 3 spines, 2 · 2 links each
    ['fat-tree', { k: 4 }, 6, [2, 4]], // k/2 within a pod, (k/2)² between pods
    ['fat-tree', { k: 8 }, 6, [4, 16]],
    ['rail-optimised', { servers: 4, gpusPerServer: 2, serversPerSegment: 2, spines: 3 }, 4, [3, 3]],
    ['dragonfly', { hostsPerRouter: 1, routersPerGroup: 1, globalLinksPerRouter: 4, groupCount: 5 }, 3, [1, 1]], // a mesh
  ])('%s %j: at most %d links on the way, %j shortest paths', (type, parameters, hops, [least, most]) => {
    const { facts } = checkTopology(generated(type, parameters), 'f');
    expect(facts.reach).toMatchObject({ mostHops: hops, pairsWithoutRoute: 0, exact: true });
    expect(facts.equalPaths).toMatchObject({ least, most, exact: true });
  });

  test('nodes, links and capacities of leaf-spine(2, 4, 4) with slower links up', () => {
    const topology = generatedTopology('leaf-spine', {
      ...{ leaves: 2, spines: 4, hostsPerLeaf: 4, gbps: 400, delayNs: 500, upGbps: 100 },
    });
    const { facts, findings } = checkTopology(topology, 'f');
    expect(facts.nodeCounts).toEqual([
      { kind: 'host', tier: 3, count: 8, leastLinks: 1, mostLinks: 1 },
      { kind: 'switch', tier: 2, count: 2, leastLinks: 8, mostLinks: 8 },
      { kind: 'switch', tier: 1, count: 4, leastLinks: 2, mostLinks: 2 },
    ]);
    expect(facts.linkCounts.map(({ between, gbps, count }) => `${between} ${gbps} ${count}`)).toEqual([
      'host–switch 400 8',
      'switch–switch 100 8',
    ]);
    // Down 8 · 400, up 8 · 100: 4 : 1
    expect(facts.capacities[0]).toEqual({ tier: 2, switches: 2, downGbps: 3200, upGbps: 800, ratio: 4, worstRatio: 4 });
    expect(facts.capacities[1]).toMatchObject({ tier: 1, downGbps: 800, upGbps: 0, ratio: undefined });
    expect(findings).toMatchObject([{ code: 'TOPOLOGY_OVERSUBSCRIBED', severity: 'note' }]);
  });

  test('the worst switch is told where switches of a tier differ', () => {
    // Switch 3 has two hosts and one link up, switch 4 one and one.
    const links = [
      ...[
        [0, 3],
        [1, 3],
        [2, 4],
      ],
      ...[
        [3, 5],
        [4, 5],
      ],
    ] as [number, number][];
    const { facts } = check(ns3Of(6, [3, 4, 5], links));
    expect(facts.capacities[0]).toMatchObject({ ratio: 1.5, worstRatio: 2 });
  });

  test('NV switches do not count for oversubscription', () => {
    const text = '4 2 1 1 4 H100\n2 3\n0 2 900Gbps 1ns 0\n1 2 900Gbps 1ns 0\n0 3 100Gbps 1ns 0\n1 3 100Gbps 1ns 0\n';
    expect(check(text).facts.capacities).toMatchObject([{ tier: 2, switches: 1, downGbps: 200 }]);
  });
});

describe('checks', () => {
  test('a sound topology has none', () => {
    expect(checkTopology(generated('fat-tree', { k: 4 }), 'f').findings).toEqual([]);
  });

  test('a ring of eight hosts: 20 of 28 pairs would need a host to forward', () => {
    const ring = Array.from({ length: 8 }, (_, host) => [host, (host + 1) % 8] as const);
    const found = check(ns3Of(8, [], ring));
    expect(messages(found)).toEqual([
      'TOPOLOGY_HOSTS_FORWARD f: 20 of 28 pairs of hosts reach each other only through other hosts, which do not forward',
    ]);
    expect(found.facts.reach).toMatchObject({ mostHops: 1, pairs: 28, pairsWithoutRoute: 20 });
    expect(found.findings[0].severity).toBe('warning');
  });

  test('two switches that a host alone joins: the others need it to forward', () => {
    // 0 and 1 on switch 4, 2 and 3 on switch 5, host 1 on both: only 0 with 2 and 3 is missing.
    const links = [
      [0, 4],
      [1, 4],
      [1, 5],
      [2, 5],
      [3, 5],
    ] as [number, number][];
    const found = check(ns3Of(6, [4, 5], links));
    expect(found.facts.reach.pairsWithoutRoute).toBe(2);
    expect(messages(found)[0]).toMatch(/^TOPOLOGY_HOSTS_FORWARD f: 2 of 6 pairs/);
  });

  test('hosts and switches without a link, and parts: errors and a warning', () => {
    const links = [
      [0, 5],
      [1, 5],
      [2, 6],
      [3, 6],
    ] as [number, number][];
    const found = check(ns3Of(8, [5, 6, 7], links));
    expect(messages(found)).toEqual([
      'TOPOLOGY_UNCONNECTED f: 1 host without a link: h4',
      'TOPOLOGY_UNCONNECTED f: 2 parts without a link between them: 2 hosts with h0, 2 hosts with h2',
      'TOPOLOGY_SWITCH_UNLINKED f: 1 switch without a link: s7',
    ]);
    expect(found.findings.map(({ severity }) => severity)).toEqual(['error', 'error', 'warning']);
    // 1 + 1 of the 10 pairs are in one part
    expect(found.facts.reach).toMatchObject({ pairs: 10, pairsWithoutRoute: 8, parts: [[0, 1], [2, 3], [4]] });
  });

  test('a single host without a link is alone, and nothing is wrong', () => {
    expect(check('1 0 0\n').findings).toEqual([]);
  });

  test('links with delay 0, with loss, with a limit, and unequal rates at a host', () => {
    const found = check('0 2 100 0 0.01 5000\n1 2 100 1 0\n1 2 200 1 0\n', 2);
    expect(messages(found)).toEqual([
      'TOPOLOGY_DELAY_ZERO f: 1 link with delay 0: h0–s2',
      'TOPOLOGY_PARALLEL f: 1 pair of nodes with up to 2 parallel links: h1–s2 ×2',
      'TOPOLOGY_LOSS f: 1 link with loss (probability 0.01): h0–s2',
      'TOPOLOGY_QUEUE_LIMIT f: 1 link with a queue limit (5,000 B): h0–s2',
      'TOPOLOGY_RATES_DIFFER f: 1 host with links of 100 and 200 Gbit/s: h1',
    ]);
  });

  test('links that are given in both directions are told', () => {
    expect(
      messages(
        check(
          ns3Of(
            3,
            [2],
            [
              [0, 2],
              [1, 2],
              [2, 0],
              [2, 1],
            ],
          ),
        ),
      ),
    ).toEqual([
      'TOPOLOGY_PARALLEL f: 2 pairs of nodes with up to 2 parallel links: h0–s2 ×2, h1–s2 ×2; ' +
        '2 are given in both directions, and a link has both already',
    ]);
  });

  test('direct links between hosts count as ways beside switches', () => {
    // Hosts 0 and 1 are linked and on no switch in common: a mesh of GPUs, each with a leaf of its own.
    const found = check(
      ns3Of(
        4,
        [2, 3],
        [
          [0, 1],
          [0, 2],
          [1, 3],
        ],
      ),
    );
    expect(found.facts.reach).toMatchObject({ pairs: 1, pairsWithoutRoute: 0, mostHops: 1 });
    expect(found.findings).toEqual([]);
  });
});
