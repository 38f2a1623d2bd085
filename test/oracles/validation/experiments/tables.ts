import { crc32, ecmpHash, nodeHash, nodeSalt, packetHash } from '../../../../src/network/packet/fabric/ecmp-hash.js';
import { readTopology } from '../../../../src/network/topology/read-topology.js';
import { hostsOf, type Topology } from '../../../../src/network/topology/topology.js';
import { generated } from '../../../support/packet-topologies.js';
import { exactly, figure, type Experiment, type Figure } from './figure.js';

/** V-17: the tables of sections 2 and 3. */

/** Switch, source, destination, source port, destination port; salt, hash. */
const HASHES = [
  [8, 0, 5, 256, 4793, 0xe43b6981, 0x8aae1fdf],
  [8, 0, 5, 257, 4793, 0xe43b6981, 0xace19e11],
  [8, 0, 5, 258, 4793, 0xe43b6981, 0xfd79019d],
  [9, 0, 5, 256, 4793, 0x997b7b72, 0xf1bdb19f],
  [8, 3, 7, 49152, 4791, 0xe43b6981, 0x00b29623],
] as const;

/** Hosts, switches, links. */
const COUNTS = [
  ['fat-tree', { k: 4 }, [16, 20, 48]],
  ['fat-tree', { k: 8 }, [128, 80, 384]],
  ['fat-tree', { k: 16 }, [1024, 320, 3072]],
  ['dragonfly', { hostsPerRouter: 2, routersPerGroup: 4, globalLinksPerRouter: 2, groupCount: 9 }, [72, 36, 162]],
  ['leaf-spine', { leaves: 2, spines: 4, hostsPerLeaf: 4 }, [8, 6, 16]],
] as const;

/** The example of section 2.1, with all of its rows. */
const NS3_TEXT = ['9 1 8', '8', ...Array.from({ length: 8 }, (_, host) => `8 ${host} 400Gbps 0.0005ms 0`)].join('\n');
/** The row of section 2.3. */
const BARE_ROW = '0 1 100 1.0 0.0 1024000\n';

function hashFigures(): Figure[] {
  const hash = (node: number, source: number, destination: number, sourcePort: number, port: number): number =>
    ecmpHash(nodeHash(node), packetHash(source, destination, sourcePort, port));
  const alike = HASHES.filter(
    ([node, source, destination, sourcePort, port, salt, expected]) =>
      nodeSalt(node) >>> 0 === salt && hash(node, source, destination, sourcePort, port) === expected,
  );
  const spread = [0, 0, 0, 0];
  for (let port = 256; port < 384; port++) spread[hash(8, 0, 5, port, 4793) % 4]++;
  return [
    figure('RT-4: rows of the table with salt and hash', '', exactly(HASHES.length), alike.length),
    ...[32, 38, 29, 29].map((packets, n) =>
      figure(`RT-4: ports 256 to 383 at member ${n} of 4`, '', exactly(packets), spread[n]),
    ),
    figure('CRC-32 of 123456789', '', exactly(0xcbf43926), crc32(new TextEncoder().encode('123456789'))),
  ];
}

function isCounted({ nodes, links }: Topology, expected: readonly [number, number, number]): boolean {
  const hosts = nodes.filter(({ kind }) => kind === 'host').length;
  return [hosts, nodes.length - hosts, links.length].every((count, n) => count === expected[n]);
}

function readerFigures(): Figure[] {
  const ns3 = readTopology(NS3_TEXT, 'ns3').topology;
  const bare = readTopology(BARE_ROW, 'rows', { rankCount: 2 }).topology;
  const [link] = bare.links;
  return [
    figure('TOPO-1, the example: hosts', '', exactly(8), hostsOf(ns3).length),
    figure('TOPO-1, the example: rate', 'Gbit/s', exactly(400), ns3.links[7].gbps),
    figure('TOPO-1, the example: delay', 'ps', exactly(500_000), ns3.links[7].delayPs),
    figure('TOPO-3, the row: hosts', '', exactly(2), hostsOf(bare).length),
    figure('TOPO-3, the row: rate', 'Gbit/s', exactly(100), link.gbps),
    figure('TOPO-3, the row: delay', 'ps', exactly(1_000_000), link.delayPs),
    figure('TOPO-3, the row: egress limit', 'B', exactly(1_024_000), link.queueBytes ?? NaN),
  ];
}

export const TABLES: Experiment = {
  id: 'V-17',
  what: 'ECMP vectors, generators and readers of topologies',
  figures: () => [
    ...hashFigures(),
    figure(
      'TOPO-5: rows of the table with hosts, switches and links',
      '',
      exactly(COUNTS.length),
      COUNTS.filter(([type, values, expected]) => isCounted(generated(type, values), expected)).length,
    ),
    ...readerFigures(),
  ],
};
