import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readTopology, type ReadTopology } from '../../../../src/network/topology/read-topology.js';
import { REPOSITORY } from '../../../support/repository.js';
import { describeShared, shared } from '../../../support/shared.js';

const sample = (name: string): string => readFileSync(join(REPOSITORY, 'samples', 'topologies', name), 'utf8');
const read = (text: string): ReadTopology => readTopology(text, 'f');
const codes = ({ findings }: ReadTopology): string[] => findings.map(({ code }) => code);
/** `host.0.xpu.0–leaf.0 400 500000`: ends, Gbit/s, ps. */
const linksOf = ({ topology: { nodes, links } }: ReadTopology): string[] =>
  links.map(({ a, b, gbps, delayPs }) => `${nodes[a].name}–${nodes[b].name} ${gbps} ${delayPs}`);

const FOUR_ON_A_LEAF = [
  'host.0.xpu.0–leaf.0 400 500000',
  'host.0.xpu.1–leaf.0 400 500000',
  'host.1.xpu.0–leaf.0 400 500000',
  'host.1.xpu.1–leaf.0 400 500000',
];

describe('InfraGraph, exchange-formats 10', () => {
  test('the example: four ranks on a leaf, NICs part of their links', () => {
    const found = read(sample('two-hosts.yaml'));
    expect(found.topology.nodes).toEqual([
      ...['host.0.xpu.0', 'host.0.xpu.1', 'host.1.xpu.0', 'host.1.xpu.1'].map((name) => ({
        kind: 'host',
        name,
        tier: 3,
      })),
      { kind: 'switch', name: 'leaf.0', tier: 2 },
    ]);
    expect(linksOf(found)).toEqual(FOUR_ON_A_LEAF);
    expect(codes(found)).toEqual(['TOPOLOGY_JOINED']);
  });

  test('JSON, and its content under infrastructure, say the same', () => {
    const document: unknown = parse(sample('two-hosts.yaml'));
    const inner = read(JSON.stringify({ infrastructure: document }));
    expect(inner.topology).toEqual(read(sample('two-hosts.yaml')).topology);
    expect(inner.form).toBe('infragraph');
  });

  test('the older form: dotted connections, bandwidth at the link, no counts', () => {
    const found = read(sample('dotted.yaml'));
    expect(linksOf(found)).toEqual(FOUR_ON_A_LEAF.map((link) => link.replace('host', 'server').replace('xpu', 'npu')));
    expect(codes(found)).toEqual(['TOPOLOGY_DEFAULT', 'TOPOLOGY_DEFAULT', 'TOPOLOGY_JOINED']);
  });

  describeShared('the specification', () => {
    test('its example is the sample', () => {
      const text = readFileSync(shared('docs', 'exchange-formats.md'), 'utf8');
      expect(/```yaml\n(name: two-hosts[^]*?)```/.exec(text)![1]).toBe(sample('two-hosts.yaml'));
    });
  });
});

/** A box with these components, links and edges beside another one of ports, and the cables between them. */
function boxes(parts: { components: string; links: string; edges: string; cables?: string; devices?: string }): string {
  return `
links: [{name: eth, physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 400}, latency: {choice: ns, ns: 500}}}]
devices:
  - {name: box, components: [${parts.components}], links: [${parts.links}], edges: [${parts.edges}]}
  - {name: sw, components: [{name: port, count: 8, choice: port}]}
  ${parts.devices ?? ''}
instances: [{name: host, device: box, count: 2}, {name: leaf, device: sw, count: 1}]
edges: [${parts.cables ?? ''}]
`;
}

const XPU = '{name: xpu, count: 2, choice: xpu}';
const NIC = '{name: nic, count: 2, choice: nic}';
const edge = (one: string, other: string, scheme: string, link: string): string =>
  `{ep1: {component: "${one}"}, ep2: {component: "${other}"}, scheme: ${scheme}, link: ${link}}`;
const cable = (one: string, port: string, scheme = 'one2one'): string =>
  `{ep1: {instance: host, component: "${one}"}, ep2: {instance: leaf, component: "${port}"}, scheme: ${scheme}, link: eth}`;
const physical = (bandwidth: string, value: number, unit: string, latency: number): string =>
  `physical: {bandwidth: {choice: ${bandwidth}, ${bandwidth}: ${value}}, latency: {choice: ${unit}, ${unit}: ${latency}}}`;

describe('InfraGraph: from components to links', () => {
  test('a NIC with one edge on each side: the smaller bandwidth, the sum of the latencies', () => {
    const text = boxes({
      components: `${XPU}, ${NIC}`,
      links: `{name: pcie, ${physical('gigabytes_per_second', 32.1, 'us', 0.1)}}`,
      edges: edge('xpu', 'nic', 'one2one', 'pcie'),
      cables: cable('nic', 'port[0:4]'),
    });
    // 32.1 GB/s = 256.8 Gbit/s < 400; 100 ns + 500 ns
    expect(linksOf(read(text))[0]).toBe('host.0.xpu.0–leaf.0 256.8 600000');
  });

  test('a chain inside nested devices is one link; slots without a card lead nowhere', () => {
    const text = boxes({
      components: `${XPU}, {name: bridge, count: 1, choice: switch}, {name: slot, count: 2, choice: custom, custom: {type: pcie_slot}}, {name: card, count: 1, choice: device}, {name: dram, count: 1, choice: memory}`,
      links: `{name: pcie, ${physical('gigabits_per_second', 256, 'ns', 100)}}, {name: ddr}`,
      edges: [
        edge('bridge', 'xpu', 'many2many', 'pcie'),
        edge('bridge', 'slot', 'many2many', 'pcie'),
        edge('xpu[0]', 'dram', 'one2one', 'ddr'),
        '{ep1: {component: "slot[0]"}, ep2: {device: "card[0]", component: "endpoint"}, scheme: one2one, link: pcie}',
      ].join(', '),
      devices: `- name: card
    components: [{name: endpoint, count: 1, choice: custom}, {name: asic, count: 1, choice: cpu}, {name: jack, count: 1, choice: port}]
    links: [{name: serdes}]
    edges: [${edge('endpoint', 'asic', 'one2one', 'serdes')}, ${edge('asic', 'jack', 'one2one', 'serdes')}]`,
      cables: cable('card[0].jack[0]', 'port[0:2]'),
    });
    const found = read(text);
    expect(found.topology.nodes.map(({ name }) => name)).toEqual([
      ...['host.0.xpu.0', 'host.0.xpu.1', 'host.1.xpu.0', 'host.1.xpu.1'],
      ...['host.0.bridge.0', 'host.1.bridge.0', 'leaf.0'],
    ]);
    // bridge – slot 0 – endpoint – asic – jack – leaf: 100 + 100 + 500 ns, the slowest of 256, 256 and 400
    expect(linksOf(found).filter((link) => link.includes('leaf'))).toEqual([
      'host.0.bridge.0–leaf.0 256 700000',
      'host.1.bridge.0–leaf.0 256 700000',
    ]);
    expect(found.findings).toMatchObject([
      { code: 'TOPOLOGY_JOINED', count: 8 },
      { code: 'TOPOLOGY_LEFT_OUT', count: 4, message: 'f: 2 custom, 2 memory without a way on: left out' },
    ]);
  });

  test('what has three edges and is no switch forwards, and is told', () => {
    const text = boxes({
      components: `${XPU}, {name: nic, count: 1, choice: nic}`,
      links: '{name: pcie}',
      edges: edge('nic', 'xpu', 'many2many', 'pcie'),
      cables: cable('nic', 'port[0:2]'),
    });
    const found = read(text);
    expect(found.topology.nodes.slice(4).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'switch host.0.nic.0',
      'switch host.1.nic.0',
      'switch leaf.0',
    ]);
    expect(found.findings.find(({ code }) => code === 'TOPOLOGY_TRANSIT')).toMatchObject({ count: 2 });
  });

  test('a link that states nothing on any part takes 400 Gbit/s and 500 ns, and is told', () => {
    const text = boxes({ components: XPU, links: '{name: ring}', edges: edge('xpu', 'xpu', 'ring', 'ring') });
    const found = read(text);
    expect(linksOf(found)).toEqual([
      'host.0.xpu.0–host.0.xpu.1 400 500000', // the way back is the same edge
      'host.1.xpu.0–host.1.xpu.1 400 500000',
    ]);
    expect(found.findings.filter(({ code }) => code === 'TOPOLOGY_DEFAULT').map(({ message }) => message)).toEqual([
      'f: 2 links state no bandwidth (ring): 400 Gbit/s is taken',
      'f: 2 links state no latency (ring): 500 ns is taken',
    ]);
  });

  test('a bandwidth in transfers states none', () => {
    const text = boxes({
      components: XPU,
      links:
        '{name: pcie, physical: {bandwidth: {choice: gigatransfers_per_second, gigatransfers_per_second: 32}, latency: {choice: ns, ns: 1}}}',
      edges: edge('xpu[0]', 'xpu[1]', 'one2one', 'pcie'),
    });
    const found = read(text);
    expect(linksOf(found)[0]).toBe('host.0.xpu.0–host.0.xpu.1 400 1000');
    expect(found.findings[0].message).toBe(
      'f: 2 links state no bandwidth (pcie, in transfers whose width is not given): 400 Gbit/s is taken',
    );
  });

  test('a ring of four joins i with i + 1 and the last with the first, a mesh every pair once', () => {
    const four = '{name: xpu, count: 4, choice: xpu}';
    const pairs = (scheme: string): string[] =>
      linksOf(read(boxes({ components: four, links: '{name: l}', edges: edge('xpu', 'xpu', scheme, 'l') })))
        .filter((link) => link.startsWith('host.0'))
        .map((link) => link.replace(/host\.0\.xpu\.| .*/g, ''));
    expect(pairs('ring')).toEqual(['0–1', '1–2', '2–3', '0–3']);
    expect(pairs('many2many')).toEqual(['0–1', '0–2', '0–3', '1–2', '1–3', '2–3']);
  });

  test('two cables between two switches, at different ports, are two links', () => {
    const text = boxes({ components: XPU, links: '', edges: '' }).replace(
      'edges: []\n',
      'edges: [{ep1: {instance: "leaf[0]", component: "port[0:2]"}, ep2: {instance: "leaf[1]", component: "port[0:2]"}, scheme: one2one, link: eth}]\n',
    );
    expect(linksOf(read(text.replace('leaf, device: sw, count: 1', 'leaf, device: sw, count: 2')))).toEqual([
      'leaf.0–leaf.1 400 500000',
      'leaf.0–leaf.1 400 500000',
    ]);
  });

  test('keys that are not read are told, with their place', () => {
    const text = boxes({ components: XPU.replace('}', ', colour: red}'), links: '', edges: '' });
    expect(read(text).findings).toMatchObject([
      { code: 'TOPOLOGY_KEY_UNREAD', message: expect.stringMatching(/^f:4:\d+: colour: not read$/) as string },
    ]);
  });

  const sound = { components: `${XPU}, ${NIC}`, links: '{name: pcie}', edges: '' };
  test.each([
    [{ ...sound, edges: edge('xpu', 'gpu', 'one2one', 'pcie') }, /gpu: there is no gpu here$/],
    [{ ...sound, edges: edge('xpu[0:3]', 'nic', 'one2one', 'pcie') }, /xpu\[0:3\]: there are 2$/],
    [{ ...sound, edges: edge('xpu[2]', 'nic[0]', 'one2one', 'pcie') }, /xpu\[2\]: there are 2$/],
    [{ ...sound, edges: edge('xpu[a]', 'nic[0]', 'one2one', 'pcie') }, /expected an index or a slice such as 0:4$/],
    [{ ...sound, edges: edge('xpu', 'nic[0]', 'one2one', 'pcie') }, /one2one between 2 and 1 ends, expected as many$/],
    [
      { ...sound, edges: edge('xpu', 'nic', 'all2all', 'pcie') },
      /scheme: all2all, expected one of one2one, many2many, ring$/,
    ],
    [{ ...sound, edges: edge('xpu', 'nic', 'one2one', 'pci') }, /unknown link pci \(known: pcie\)$/],
    [
      { ...sound, components: '{name: xpu, count: 0, choice: xpu}' },
      /count: 0, expected a whole number from 1 to 1,000,000$/,
    ],
    [{ ...sound, components: '{name: xpu, count: 1, choice: gpu}' }, /choice: "gpu", expected one of cpu, xpu, /],
    [{ ...sound, components: `${XPU}, ${XPU}` }, /component xpu given twice in device box, expected once$/],
    [{ ...sound, components: `${XPU}, {name: card, count: 1, choice: device}` }, /there is no device of that name$/],
    [{ ...sound, components: `${XPU}, {name: box, count: 1, choice: device}` }, /device box has itself inside$/],
    [{ ...sound, components: NIC }, /^f: no hosts, expected at least one$/],
    [
      { ...sound, links: `{name: pcie, ${physical('gigabits_per_second', 0, 'ns', 1)}}` },
      /rate 0: expected a rate above 0$/,
    ],
    [
      { ...sound, links: `{name: pcie, ${physical('gigabits_per_second', 1, 'ns', 0.0001)}}` },
      /below half a picosecond/,
    ],
    [
      { ...sound, links: `{name: pcie, ${physical('furlongs', 1, 'ns', 1)}}` },
      /choice: furlongs, expected one of gigabits_per_second/,
    ],
    [
      { ...sound, cables: cable('nic', 'port[0:4]').replace('instance: host', 'instance: hosts') },
      /hosts: there is no hosts here$/,
    ],
  ])('%j is an error', (parts, message) => {
    expect(() => read(boxes(parts))).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message: expect.stringMatching(message) as string }),
    );
  });

  test('an edge that is wrong is named with line and column', () => {
    const text = boxes({ ...sound, edges: edge('xpu', 'gpu', 'one2one', 'pcie') });
    const column = text.split('\n')[3].indexOf('{ep1') + 1;
    expect(() => read(text)).toThrow(new RegExp(`^f:4:${column}: `));
  });

  test.each([
    ['xpu.0.pcie.nic', /connection "xpu.0.pcie.nic": expected a text such as xpu.0.pcie.nic.0$/],
    ['xpu.0.pcie.nic.x', /connection "xpu.0.pcie.nic.x": expected/],
    ['xpu.0.nic.0', /connection "xpu.0.nic.0": expected/],
  ])('an older connection %s is an error', (connection, message) => {
    const text = `devices: [{name: box, components: [{name: xpu, type: xpu}], connections: [${connection}]}]\ninstances: [{name: h, device: box}]\n`;
    expect(() => read(text)).toThrow(message);
  });
});
