import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATORS } from '../../../src/network/topology/generators/generators.js';
import { readTopology } from '../../../src/network/topology/read-topology.js';
import { REPOSITORY } from '../../support/repository.js';
import { generated, topologyOfText } from '../../support/packet-topologies.js';

const node = (id: number, kind = 'host'): string => `{"id":${id},"kind":"${kind}"}`;
const own = (nodes: readonly string[], links: readonly string[]): string =>
  `{"version":1,\n"nodes":[${nodes.join(',')}],\n"links":[${links.join(',')}]}`;
const link = (other: object): string => JSON.stringify({ a: 0, b: 1, gbps: 400, delayNs: 500, ...other });
const LINK = link({});

describe('TOPO-4: own JSON or YAML', () => {
  test('TOPO-4: the example of network-models 2.4, with the nodes its link needs', () => {
    const text = own(
      ['{"id":0,"kind":"host","name":"h0"}', '{"id":1,"kind":"switch","tier":2}'],
      ['{"a":0,"b":1,"gbps":400,"delayNs":500,"loss":0,"count":1,"plane":0}'],
    );
    expect(topologyOfText(text)).toEqual({
      nodes: [
        { kind: 'host', name: 'h0', tier: 3 },
        { kind: 'switch', name: 's1', tier: 2 },
      ],
      links: [{ a: 0, b: 1, gbps: 400, delayPs: 500_000, loss: 0, plane: 0 }],
    });
  });

  test('TOPO-4: the generator of the example is leaf-spine(2, 4, 4)', () => {
    const text =
      '{"version":1,"generator":{"type":"leaf-spine","leaves":2,"spines":4,"hostsPerLeaf":4,"gbps":400,"delayNs":500}}';
    expect(topologyOfText(text)).toEqual(generated('leaf-spine', { leaves: 2, spines: 4, hostsPerLeaf: 4 }));
  });

  test('TOPO-4: YAML says the same', () => {
    const yaml =
      'version: 1\nnodes:\n - {id: 0, kind: host}\n - {id: 1, kind: switch}\nlinks:\n - {a: 0, b: 1, gbps: 400, delayNs: 500}\n';
    expect(topologyOfText(yaml)).toEqual(topologyOfText(own([node(0), node(1, 'switch')], [LINK])));
  });

  test('TOPO-4: JSON with tabs is JSON', () => {
    expect(
      topologyOfText(
        `{\n\t"version": 1,\n\t"nodes": [\n\t\t${node(0)},\n\t\t${node(1)}\n\t],\n\t"links": [${LINK}]\n}\n`,
      ).links,
    ).toHaveLength(1);
  });

  test('TOPO-4: count is parallel links, plane and queueBytes are kept, nodes may come in any order', () => {
    const { nodes, links } = topologyOfText(
      own(
        [node(1, 'nvswitch'), node(0)],
        ['{"a":0,"b":1,"gbps":0.1,"delayNs":0.0005,"count":3,"plane":2,"queueBytes":9}'],
      ),
    );
    expect(nodes.map(({ kind }) => kind)).toEqual(['host', 'nvswitch']);
    expect(links).toEqual(new Array(3).fill({ a: 0, b: 1, gbps: 0.1, delayPs: 1, loss: 0, plane: 2, queueBytes: 9 }));
  });

  test('TOPO-4: tier default: host 3, beside a host 2, beside tier 2 1, else 0', () => {
    const kinds = ['host', 'switch', 'switch', 'switch', 'switch'];
    const chain = [0, 1, 2, 3].map((a) => `{"a":${a},"b":${a + 1},"gbps":1,"delayNs":1}`);
    const tiers = topologyOfText(
      own(
        kinds.map((kind, id) => node(id, kind)),
        chain,
      ),
    ).nodes.map(({ tier }) => tier);
    expect(tiers).toEqual([3, 2, 1, 0, 0]);
  });

  /** Each with what the place in the message points at, the last of it in the text; `undefined` for the file. */
  const refused: readonly (readonly [text: string, at: string | undefined, message: string])[] = [
    ['{"version":1,"nodes":[{"id":0,"kind":"host","nam":"x"}]}', '"nam"', 'unknown key "nam" (did you mean name?)'],
    ['{"version":1,"nodes":[{"id":0,"knd":"host"}]}', '"knd"', 'unknown key "knd" (did you mean kind?)'],
    ['{"version":1,"nodes":[{"id":0}]}', '{"id"', 'kind missing, expected one of host, switch, nvswitch'],
    ['{"nodes":[]}', '{"nodes"', 'version missing, expected 1'],
    ['{"version":2,"nodes":[]}', '2,', 'version: 2, expected 1'],
    ['{"version":1,"links":[]}', '{"version"', 'nodes missing, expected nodes and links, or a generator'],
    [own([node(0, 'router')], []), '"router"', 'nodes[0].kind: "router", expected one of host, switch, nvswitch'],
    [own([node(0), node(0)], []), '0,"kind"', 'node id 0 given twice, expected once'],
    [own([node(0), node(2)], []), '2,"kind"', 'node id 2: expected each from 0 to 1, as there are so many nodes'],
    [own([node(0)], [LINK]), '1,"gbps"', 'node 1 at the end of a link, expected an id from 0 to 0'],
    [own([node(0)], [link({ b: 0 })]), '0,"gbps"', 'link from node 0 to itself, expected two nodes'],
    [
      own([node(0), node(1)], [link({ gbps: 0 })]),
      '0,"delayNs"',
      'links[0].gbps: 0, expected a number above 0, Gbit/s of each direction',
    ],
    [
      own([node(0), node(1)], [link({ gbps: '400' })]),
      '"400"',
      'links[0].gbps: "400", expected a number above 0, Gbit/s of each direction',
    ],
    [
      own([node(0), node(1)], [link({ delayNs: 0.0001 })]),
      '0.0001',
      'delay "0.0001ns" is below half a picosecond, the unit of simulated time',
    ],
    [
      own([node(0), node(1)], [link({ delayNs: -1 })]),
      '-1',
      'links[0].delayNs: -1, expected a number of ns, 0 or more',
    ],
    [own([node(0), node(1)], [link({ loss: 1 })]), '1}', 'links[0].loss: 1, expected a probability from 0 to below 1'],
    [
      own([node(0), node(1)], [link({ count: 0 })]),
      '0}',
      'links[0].count: 0, expected a number of parallel links, 1 or more',
    ],
    [own([node(0, 'switch')], []), undefined, 'no hosts, expected at least one'],
    [
      '{"version":1,"nodes":[],"generator":{"type":"fat-tree"}}',
      '"nodes"',
      'nodes beside generator, expected one or the other',
    ],
    [
      '{"version":1,"generator":{"type":"torus"}}',
      '"torus"',
      'generator.type: "torus", expected one of single-switch, leaf-spine, fat-tree, rail-optimised, dragonfly',
    ],
    [
      '{"version":1,"generator":{"k":4}}',
      '{"k"',
      'type missing, expected one of single-switch, leaf-spine, fat-tree, rail-optimised, dragonfly',
    ],
    [
      '{"version":1,"generator":{"type":"fat-tree","k":"4"}}',
      '"4"',
      'generator.k: "4", expected a number; docs/topologies.md has the parameters of each type',
    ],
    ['{"version":1,"version":1}', '"version"', 'YAML: Map keys must be unique'],
  ];
  test.each(refused)('TOPO-4: %j is an error', (text, at, message) => {
    const before = at === undefined ? [] : text.slice(0, text.lastIndexOf(at)).split('\n');
    const place = at === undefined ? 'f' : `f:${before.length}:${before.at(-1)!.length + 1}`;
    expect(() => readTopology(text, 'f')).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message: `${place}: ${message}` }),
    );
  });

  test('TOPO-4: text that begins as JSON and is none is told with its place', () => {
    expect(() => readTopology('{"version":1,\n"nodes":[}', 'f')).toThrow(/^f:2:10: YAML: /);
  });

  test('TOPO-4: the parameters of a generator are checked as on the command line, at its place', () => {
    expect(() => readTopology('version: 1\ngenerator: {type: fat-tree, k: 3, gbps: 1, delayNs: 1}\n', 'f')).toThrow(
      expect.objectContaining({
        code: 'TOPOLOGY_GENERATOR',
        message: 'f:2:12: fat-tree: k 3: expected an even number',
      }),
    );
  });

  test('the schema names every type of generator, in the order of the list', () => {
    const schema = JSON.parse(readFileSync(join(REPOSITORY, 'schemas', 'topology.schema.json'), 'utf8')) as {
      properties: { generator: { properties: { type: { enum: string[] } } } };
    };
    expect(schema.properties.generator.properties.type.enum).toEqual(GENERATORS.map(({ type }) => type));
  });
});
