import { readTopology } from '../../../src/network/topology/read-topology.js';
import { hostsOf } from '../../../src/network/topology/topology.js';
import { topologyOfText } from '../../support/packet-topologies.js';

/** The example of network-models 2.1, with its eight rows. */
const EIGHT = `9 1 8
8
0 8 400Gbps 0.0005ms 0
1 8 400Gbps 0.0005ms 0
2 8 400Gbps 0.0005ms 0
3 8 400Gbps 0.0005ms 0
4 8 400Gbps 0.0005ms 0
5 8 400Gbps 0.0005ms 0
6 8 400Gbps 0.0005ms 0
8 7 400Gbps 0.0005ms 0
`;

describe('TOPO-1: ns-3 text', () => {
  test('TOPO-1: the example reads as eight hosts, switch 8, 400 Gbit/s, 500 ns', () => {
    const topology = topologyOfText(EIGHT);
    expect(hostsOf(topology)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(topology.nodes[8]).toEqual({ kind: 'switch', name: 's8', tier: 2 });
    expect(topology.nodes[0]).toEqual({ kind: 'host', name: 'h0', tier: 3 });
    expect(topology.links).toHaveLength(8);
    expect(topology.links[7]).toEqual({ a: 8, b: 7, gbps: 400, delayPs: 500_000, loss: 0, plane: 0 });
  });

  test('TOPO-1: line breaks mean nothing', () => {
    expect(topologyOfText(EIGHT.replaceAll('\n', ' '))).toEqual(topologyOfText(EIGHT));
    expect(topologyOfText(EIGHT.replaceAll(' ', '\n').replace('9\n1\n8', '9 1 8'))).toEqual(topologyOfText(EIGHT));
    expect(topologyOfText(EIGHT.replaceAll('\n', '\r\n'))).toEqual(topologyOfText(EIGHT));
  });

  test('TOPO-1: a file whose first line is 8 0 8 has no switches', () => {
    const ring = Array.from({ length: 8 }, (_, host) => `${host} ${(host + 1) % 8} 100Gbps 1us 0`);
    const { nodes, links } = topologyOfText(`8 0 8\n\n${ring.join('\n')}\n`);
    expect(nodes.map(({ kind }) => kind)).toEqual(new Array(8).fill('host'));
    expect(links[7]).toMatchObject({ a: 7, b: 0, delayPs: 1_000_000 });
  });

  test('exchange-formats 7.1: a switch at id 0 is a switch, the hosts are the other ids', () => {
    const topology = topologyOfText('3 1 2\n0\n1 0 25Gbps 1us 0\n2 0 25Gbps 1us 0\n');
    expect(hostsOf(topology)).toEqual([1, 2]);
  });

  test.each([
    ['1000000000bps', 1],
    ['1000000Kbps', 1],
    ['25kbps', 0.000025],
    ['2880Gbps', 2880],
    ['1.6Tbps', 1600],
    ['400Gb/s', 400],
    ['50Mb/s', 0.05],
    ['0.1Gbps', 0.1],
    ['12.3Mbps', 0.0123],
  ])('TOPO-1: rate %s is %d Gbit/s, the double that prints so', (rate, gbps) => {
    expect(topologyOfText(`2 1 1\n1\n0 1 ${rate} 1us 0\n`).links[0].gbps).toBe(gbps);
  });

  test.each([
    ['500ns', 500_000],
    ['0.0005ms', 500_000],
    ['1.5us', 1_500_000],
    ['7ps', 7],
    ['1s', 1e12],
    ['0ns', 0],
    ['0.0005ns', 1], // half a picosecond rounds up
  ])('TOPO-1: delay %s is %d ps', (delay, delayPs) => {
    expect(topologyOfText(`2 1 1\n1\n0 1 1Gbps ${delay} 0\n`).links[0].delayPs).toBe(delayPs);
  });

  test.each([
    ['2 1 2\n1\n0 1 1Gbps 1us 0\n', 'f:3: the file ends, 1 of 2 links missing; the first line announces as many'],
    ['2 1 1\n1\n0 1 1Gbps 1us\n', 'f:3: the file ends, 1 of 1 link missing; the first line announces as many'],
    ['3 2 0\n1\n', 'f:2: the file ends, 1 of 2 ids of a switch missing'],
    ['2 1 1\n2\n0 1 1Gbps 1us 0\n', 'f:2: switch id 2: expected a whole number from 0 to 1'],
    ['2 1 1\n1\n0 2 1Gbps 1us 0\n', 'f:3: end of a link 2: expected a whole number from 0 to 1'],
    ['3 2 0\n1 1\n', 'f:2: switch id 1: given twice, expected once'],
    ['2 1 1\n1\n0 0 1Gbps 1us 0\n', 'f:3: link from node 0 to itself, expected two nodes'],
    [
      '2 1 1\n1\n0 1 1Gigs 1us 0\n',
      'f:3: rate 1Gigs: expected a number and one of bps, Kbps, Mbps, Gbps, Tbps, such as 400Gbps',
    ],
    ['2 1 1\n1\n0 1 0Gbps 1us 0\n', 'f:3: rate 0Gbps: expected a rate above 0'],
    [
      '2 1 1\n1\n0 1 -1Gbps 1us 0\n',
      'f:3: rate -1Gbps: expected a number and one of bps, Kbps, Mbps, Gbps, Tbps, such as 400Gbps',
    ],
    ['2 1 1\n1\n0 1 1Gbps 1min 0\n', 'f:3: delay 1min: expected a number and one of ps, ns, us, ms, s, such as 500ns'],
    ['2 1 1\n1\n0 1 1Gbps 0.4ps 0\n', 'f:3: delay "0.4ps" is below half a picosecond, the unit of simulated time'],
    ['2 1 1\n1\n0 1 1Gbps 1us 1\n', 'f:3: error rate 1: expected a probability from 0 to below 1'],
    ['2 1 1\n1\n0 1 1Gbps 1us -0.1\n', 'f:3: error rate -0.1: expected a probability from 0 to below 1'],
    ['2 3 1\n', 'f:1: number of switches 3: expected a whole number from 0 to 2'],
    ['1 1 0\n0\n', 'f: no hosts, expected at least one'],
  ])('TOPO-1: %j is an error', (text, message) => {
    expect(() => readTopology(text, 'f')).toThrow(expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message }));
  });

  test('TOPO-1: an error rate just below 1 is kept', () => {
    expect(topologyOfText('2 1 1\n1\n0 1 1Gbps 1us 0.999\n').links[0].loss).toBe(0.999);
  });

  test('TOPO-1: words that are left are a warning', () => {
    const { topology, findings } = readTopology(`${EIGHT}0 1 400Gbps 500ns 0\n`, 'f');
    expect(topology.links).toHaveLength(8);
    expect(findings).toMatchObject([
      {
        code: 'TOPOLOGY_WORDS_LEFT',
        severity: 'warning',
        message: expect.stringContaining('f:11: 5 words left') as string,
      },
    ]);
  });
});

/** The example of exchange-formats 7.1. */
const TWO_SERVERS = `7 2 2 1 8 H100
4 5 6
0 4 2880Gbps 0.000025ms 0
1 4 2880Gbps 0.000025ms 0
2 5 2880Gbps 0.000025ms 0
3 5 2880Gbps 0.000025ms 0
0 6 400Gbps 0.0005ms 0
1 6 400Gbps 0.0005ms 0
2 6 400Gbps 0.0005ms 0
3 6 400Gbps 0.0005ms 0
`;

describe('TOPO-2: SimAI text', () => {
  test('TOPO-2: NV switches come first, hosts are what is left', () => {
    const { nodes, links } = topologyOfText(TWO_SERVERS);
    expect(nodes.map(({ kind }) => kind)).toEqual([
      ...['host', 'host', 'host', 'host'],
      ...['nvswitch', 'nvswitch', 'switch'],
    ]);
    expect(links).toHaveLength(8);
    expect(links[0]).toEqual({ a: 0, b: 4, gbps: 2880, delayPs: 25_000, loss: 0, plane: 0 });
    expect(nodes[4].name).toBe('nv4');
  });

  test('TOPO-2: a topology without NV switches', () => {
    const { nodes } = topologyOfText('3 2 0 1 2 A100\n2\n0 2 100Gbps 500ns 0\n1 2 100Gbps 500ns 0\n');
    expect(nodes.map(({ kind }) => kind)).toEqual(['host', 'host', 'switch']);
  });

  test.each([
    ['7 2 2 6 8 H100\n', 'f:1: number of switches 6: expected a whole number from 0 to 5'],
    ['3 2 1 1 0 H100\n1 1\n', 'f:2: switch id 1: given twice, expected once'],
    ['3 0 1 1 0 H100\n1 2\n', 'f:1: GPUs a server 0: expected a whole number from 1 to 3'],
    ['3 1 1 1 0 H100\n', 'f:1: the file ends, 1 of 1 id of a nvswitch missing'],
  ])('TOPO-2: %j is an error', (text, message) => {
    expect(() => readTopology(text, 'f')).toThrow(expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message }));
  });
});
