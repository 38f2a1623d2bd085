import { readTopology } from '../../../../src/network/topology/read-topology.js';
import { decimalText, nanosecondsText } from '../../../../src/network/topology/write/decimal-text.js';
import { writtenTopology } from '../../../../src/network/topology/write/forms.js';
import { generated, topologyOfText } from '../../../support/packet-topologies.js';

const SMALL = generated('leaf-spine', { leaves: 1, spines: 1, hostsPerLeaf: 2, linksPerSpine: 2 });

test('JSON: a node or link a line, alike links with a count', () => {
  expect(writtenTopology(SMALL, 'json', 'f')).toEqual({
    text: `{
 "version": 1,
 "nodes": [
  {"id":0,"kind":"host","name":"h0","tier":3},
  {"id":1,"kind":"host","name":"h1","tier":3},
  {"id":2,"kind":"switch","name":"leaf0","tier":2},
  {"id":3,"kind":"switch","name":"spine0","tier":1}
 ],
 "links": [
  {"a":0,"b":2,"gbps":400,"delayNs":500},
  {"a":1,"b":2,"gbps":400,"delayNs":500},
  {"a":2,"b":3,"gbps":400,"delayNs":500,"count":2}
 ]
}
`,
    findings: [],
  });
});

test('ns-3: counts, switches, a link a line; names are lost, and told', () => {
  const { text, findings } = writtenTopology(SMALL, 'ns3', 'f');
  expect(text).toBe('4 2 4\n2 3\n0 2 400Gbps 500ns 0\n1 2 400Gbps 500ns 0\n2 3 400Gbps 500ns 0\n2 3 400Gbps 500ns 0\n');
  expect(findings).toMatchObject([
    { code: 'TOPOLOGY_FORM_LOSES', severity: 'note', message: 'f: ns-3 text has no place for 2 names' },
  ]);
});

test('ns-3: tiers, planes, limits and NV switches are lost, and told as a warning', () => {
  const { topology } = readTopology(
    '{"version":1,"nodes":[{"id":0,"kind":"host"},{"id":1,"kind":"nvswitch"},{"id":2,"kind":"switch","tier":1}],' +
      '"links":[{"a":0,"b":1,"gbps":1,"delayNs":1,"plane":1},{"a":0,"b":2,"gbps":1,"delayNs":1,"queueBytes":9}]}',
    'f',
  );
  expect(writtenTopology(topology, 'ns3', 'f').findings).toMatchObject([
    {
      severity: 'warning',
      message: 'f: ns-3 text has no place for 1 name, 1 tier, 1 NV switch, 1 plane, 1 queue limit',
    },
  ]);
});

test('DOT: a rank a tier with spines on top, rate and delay on links, alike ones once with their number', () => {
  expect(writtenTopology(SMALL, 'dot', 'f').text).toBe(`graph topology {
  ranksep=1.5;
  {
    rank=same;
    n3 [label="spine0", shape=box];
  }
  {
    rank=same;
    n2 [label="leaf0", shape=box];
  }
  {
    rank=same;
    n0 [label="h0", shape=ellipse];
    n1 [label="h1", shape=ellipse];
  }
  n2 -- n0 [label="400G 500 ns"];
  n2 -- n1 [label="400G 500 ns"];
  n3 -- n2 [label="400G 500 ns ×2"];
}
`);
});

test('DOT: parallel links that differ stay apart; quotes in names are escaped', () => {
  const { topology } = readTopology(
    '{"version":1,"nodes":[{"id":0,"kind":"host","name":"a \\"b\\\\"},{"id":1,"kind":"switch"}],' +
      '"links":[{"a":0,"b":1,"gbps":1,"delayNs":1},{"a":1,"b":0,"gbps":2,"delayNs":0.5,"loss":0.1}]}',
    'f',
  );
  const { text } = writtenTopology(topology, 'dot', 'f');
  expect(text).toContain('n0 [label="a \\"b\\\\", shape=ellipse];');
  expect(text).toContain('n1 -- n0 [label="1G 1 ns"];\n  n1 -- n0 [label="2G 500 ps loss 0.1"];');
});

test.each([
  [400, '400'],
  [0.1, '0.1'],
  [1e-7, '0.0000001'],
  [1.25e-9, '0.00000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e22, '15000000000000000000000'],
])('%d is written as %s', (value, text) => {
  expect(decimalText(value)).toBe(text);
  expect(Number(text)).toBe(value);
});

test.each([
  [500_000, '500'],
  [500, '0.5'],
  [1, '0.001'],
  [0, '0'],
  [1_234_560, '1234.56'],
])('%d ps is %s ns', (picoseconds, text) => {
  expect(nanosecondsText(picoseconds)).toBe(text);
});

test('a topology without switches is written and read', () => {
  const ring = topologyOfText('2 0 1\n\n0 1 1Gbps 1us 0\n');
  expect(topologyOfText(writtenTopology(ring, 'ns3', 'f').text)).toEqual(ring);
});
