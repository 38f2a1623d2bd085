import { generatedTopology, GENERATORS } from '../../../../src/network/topology/generators/generators.js';
import { hostsOf, type Topology } from '../../../../src/network/topology/topology.js';
import { generated } from '../../../support/packet-topologies.js';

const links = ({ links }: Topology): string[] => links.map(({ a, b }) => `${a}-${b}`);
const countsOf = (topology: Topology): [number, number, number] => {
  const hosts = hostsOf(topology).length;
  return [hosts, topology.nodes.length - hosts, topology.links.length];
};

describe('TOPO-5: generators', () => {
  // The rows of the text are those of V-17.
  test.each([
    ['single-switch', { hosts: 8 }, [8, 1, 8]],
    // 3 segments of 4 rails, 2 spines: 20 hosts, 12 + 2 switches, 20 + 12 · 2 links
    ['rail-optimised', { servers: 5, gpusPerServer: 4, serversPerSegment: 2, spines: 2 }, [20, 14, 44]],
    ['leaf-spine', { leaves: 3, spines: 2, hostsPerLeaf: 5, linksPerSpine: 2 }, [15, 5, 27]],
  ])('TOPO-5: %s %j has %j hosts, switches, links', (type, parameters, counts) => {
    expect(countsOf(generated(type, parameters))).toEqual(counts);
  });

  test('TOPO-5: leaf-spine puts host h on leaf floor(h / H) and joins every leaf with every spine', () => {
    const topology = generated('leaf-spine', { leaves: 2, spines: 2, hostsPerLeaf: 2, linksPerSpine: 2 });
    expect(links(topology)).toEqual([
      ...['0-4', '1-4', '2-5', '3-5'],
      ...['4-6', '4-6', '4-7', '4-7', '5-6', '5-6', '5-7', '5-7'],
    ]);
    expect(topology.nodes.map(({ name, tier }) => `${name} ${tier}`)).toEqual([
      ...['h0 3', 'h1 3', 'h2 3', 'h3 3'],
      ...['leaf0 2', 'leaf1 2', 'spine0 1', 'spine1 1'],
    ]);
  });

  test('TOPO-5: fat-tree of 4: aggregation switch j of each pod goes to the cores 2j and 2j + 1', () => {
    const topology = generated('fat-tree', { k: 4 });
    const name = (id: number): string => topology.nodes[id].name;
    const named = topology.links.map(({ a, b }) => `${name(a)}-${name(b)}`);
    expect(named.filter((link) => link.startsWith('agg'))).toEqual([
      ...['agg0-core0', 'agg0-core1', 'agg1-core2', 'agg1-core3'],
      ...['agg2-core0', 'agg2-core1', 'agg3-core2', 'agg3-core3'],
      ...['agg4-core0', 'agg4-core1', 'agg5-core2', 'agg5-core3'],
      ...['agg6-core0', 'agg6-core1', 'agg7-core2', 'agg7-core3'],
    ]);
    expect(named.slice(0, 4)).toEqual(['h0-edge0', 'h1-edge0', 'h2-edge1', 'h3-edge1']);
    expect(named.slice(16, 20)).toEqual(['edge0-agg0', 'edge0-agg1', 'edge1-agg0', 'edge1-agg1']);
  });

  test('TOPO-5: rail-optimised puts GPU r of server s, host s · R + r, on rail r of its segment', () => {
    const parameters = { servers: 3, gpusPerServer: 2, serversPerSegment: 2, spines: 1 };
    const topology = generated('rail-optimised', parameters);
    expect(links(topology)).toEqual([
      ...['0-6', '1-7', '2-6', '3-7'], // servers 0 and 1 on the rails of segment 0
      ...['4-8', '5-9'], // server 2 on those of segment 1
      ...['6-10', '7-10', '8-10', '9-10'],
    ]);
    expect(topology.nodes.slice(6).map(({ name }) => name)).toEqual(['rail0', 'rail1', 'rail2', 'rail3', 'spine0']);
  });

  test('TOPO-5: dragonfly (1, 2, 1, 3): global port k of group i goes to port g − 2 − k of group i + k + 1', () => {
    const parameters = { hostsPerRouter: 1, routersPerGroup: 2, globalLinksPerRouter: 1, groupCount: 3 };
    // Routers 6 + 2i + r. Port 0 of 0 to port 1 of 1, port 1 of 0 to port 0 of 2, port 0 of 1 to port 1 of 2.
    expect(links(generated('dragonfly', parameters)).slice(6)).toEqual(['6-7', '8-9', '10-11', '6-9', '7-10', '8-11']);
  });

  test('TOPO-5: links between switches have upGbps and upDelayNs, by default those of hosts', () => {
    const leafSpine = { leaves: 1, spines: 1, hostsPerLeaf: 1 };
    const [down, up] = generatedTopology('leaf-spine', {
      ...leafSpine,
      gbps: 100,
      delayNs: 10,
      upGbps: 400,
      upDelayNs: 50.5,
    }).links;
    expect([down.gbps, down.delayPs, up.gbps, up.delayPs]).toEqual([100, 10_000, 400, 50_500]);
    const [, same] = generatedTopology('leaf-spine', { ...leafSpine, gbps: 100, delayNs: 10 }).links;
    expect([same.gbps, same.delayPs]).toEqual([100, 10_000]);
  });

  test.each([
    [
      'torus',
      {},
      'unknown type of topology: torus, expected one of single-switch, leaf-spine, fat-tree, rail-optimised, dragonfly',
    ],
    ['single-switch', {}, 'single-switch: hosts missing, expected the number of hosts'],
    ['single-switch', { hosts: 0 }, 'single-switch: hosts 0: expected a whole number, at least 1'],
    ['single-switch', { hosts: 1.5 }, 'single-switch: hosts 1.5: expected a whole number, at least 1'],
    ['single-switch', { hosts: 1, upGbps: 1 }, 'single-switch: unknown parameter upGbps (did you mean gbps?)'],
    ['fat-tree', { k: 5 }, 'fat-tree: k 5: expected an even number'],
    ['fat-tree', { k: 200 }, 'fat-tree: 2050000 nodes, expected at most 1000000'],
    [
      'dragonfly',
      { hostsPerRouter: 1, routersPerGroup: 2, globalLinksPerRouter: 2, groupCount: 6 },
      'dragonfly: groupCount 6: expected at most routersPerGroup · globalLinksPerRouter + 1 = 5',
    ],
    [
      'leaf-spine',
      { leaves: 1, spins: 1, hostsPerLeaf: 1 },
      'leaf-spine: unknown parameter spins (did you mean spines?)',
    ],
  ])('TOPO-5: %s %j is refused', (type, parameters, message) => {
    expect(() => generated(type, parameters)).toThrow(expect.objectContaining({ code: 'TOPOLOGY_GENERATOR', message }));
  });

  test.each([
    [{ delayNs: 1 }, 'single-switch: gbps missing'],
    [{ gbps: 1 }, 'single-switch: delayNs missing'],
    [{ gbps: 0, delayNs: 1 }, 'single-switch: gbps: rate 0: expected a rate above 0'],
    [{ gbps: 1, delayNs: -1 }, 'single-switch: delayNs: delay -1: expected a number of ns, 0 or more'],
  ])('TOPO-5: rates %j are refused', (rates, message) => {
    expect(() => generatedTopology('single-switch', { hosts: 2, ...rates })).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_GENERATOR', message }),
    );
  });

  test('every type has its own name and a closed form', () => {
    expect(GENERATORS.map(({ type }) => type)).toEqual([
      'single-switch',
      'leaf-spine',
      'fat-tree',
      'rail-optimised',
      'dragonfly',
    ]);
  });
});
