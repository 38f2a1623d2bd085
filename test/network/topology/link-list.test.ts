import { readTopology } from '../../../src/network/topology/read-topology.js';
import { topologyOfText } from '../../support/packet-topologies.js';

const PAGE = '# <src> <dst> <bw_Gbps> <latency_μs> <err_rate> <queue_size>\n0 1 100 1.0 0.0 1024000\n';

describe('TOPO-3: a bare list of links', () => {
  test('TOPO-3: the row of the page is 100 Gbit/s, 1 µs, a limit of 1,024,000 B', () => {
    const { nodes, links } = topologyOfText(PAGE, 1);
    expect(links).toEqual([{ a: 0, b: 1, gbps: 100, delayPs: 1_000_000, loss: 0, plane: 0, queueBytes: 1_024_000 }]);
    expect(nodes.map(({ kind }) => kind)).toEqual(['host', 'switch']);
  });

  test('TOPO-3: hosts are the ids below the number of ranks, whether links name them or not', () => {
    expect(topologyOfText('0 4 1 1 0\n', 2).nodes.map(({ kind }) => kind)).toEqual([
      ...['host', 'host'],
      ...['switch', 'switch', 'switch'],
    ]);
    expect(topologyOfText('0 1 1 1 0\n', 3).nodes.map(({ kind }) => kind)).toEqual(['host', 'host', 'host']);
  });

  test('TOPO-3: without the number of ranks it cannot be read', () => {
    expect(() => readTopology(PAGE, 'f')).toThrow(expect.objectContaining({ code: 'TOPOLOGY_RANKS' }));
  });

  test('TOPO-3: without a queue limit the link has none; comments may stand behind a row', () => {
    const [link] = topologyOfText('0 1 0.1 0.5 0.25 # slow\n', 1).links;
    expect(link).toEqual({ a: 0, b: 1, gbps: 0.1, delayPs: 500_000, loss: 0.25, plane: 0 });
  });

  test.each([
    [
      '0 1 1 1 0\n0 1 1 1\n',
      'f:2: 4 fields, expected a, b, Gbit/s, delay in µs, error rate and perhaps a queue limit in bytes',
    ],
    ['0 1 1 1 0\n1 1 1 1 0\n', 'f:2: link from node 1 to itself, expected two nodes'],
    ['0 1 0 1 0\n', 'f:1: rate 0: expected a rate above 0'],
    ['0 1 1 1 0\n0 1 400Gbps 1 0\n', 'f:2: rate 400Gbps: expected a number above 0'],
    ['0 1 1 0.0000001 0\n', 'f:1: delay "0.0000001us" is below half a picosecond, the unit of simulated time'],
    ['0 1 1 1 1\n', 'f:1: error rate 1: expected a probability from 0 to below 1'],
    ['0 1 1 1 0 0\n', 'f:1: queue limit 0: expected a whole number from 1 to 9,007,199,254,740,991'],
    ['0 1000000 1 1 0\n', 'f:1: end of a link 1000000: expected a whole number from 0 to 999,999'],
  ])('TOPO-3: %j is an error', (text, message) => {
    expect(() => readTopology(text, 'f', { rankCount: 1 })).toThrow(
      expect.objectContaining({ code: 'TOPOLOGY_MALFORMED', message }),
    );
  });
});
