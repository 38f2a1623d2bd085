import { Kernel } from '../../../src/kernel/kernel.js';
import { Fabric } from '../../../src/network/packet/fabric.js';
import { NIC_KINDS } from '../../../src/network/packet/packet-settings.js';
import { packetSettings, packetTopology, runPackets, singleSwitch } from '../../support/packet-runs.js';
import { defaultSettings } from '../../support/slow-packet-network/default-settings.js';

const PAIR = singleSwitch(2);

test.each(NIC_KINDS)('%s: a transfer of 2^31 packets is refused, not taken for one of none', (nic) => {
  const post = { source: 0, destination: 1, bytes: 2 ** 31 * 4096 };
  expect(() => runPackets(PAIR, defaultSettings(nic, PAIR), [post])).toThrow(
    'rank 0 sends 8,796,093,022,208 B to rank 1, 2,147,483,648 packets of 4,096 B; expected at most 2,147,483,647',
  );
});

test('RC-1: transfers of a queue pair are numbered on, and refused where numbers end', () => {
  const post = { source: 0, destination: 1, bytes: 2 ** 30 * 4096 };
  expect(() => runPackets(PAIR, packetSettings(), [post, post])).toThrow(
    'host h0 sends host h1 a transfer of 4,398,046,511,104 B, 1,073,741,824 packets after the first of their queue pair, 1,073,741,824 packets',
  );
});

test('RT-1: routes of more than 2^28 entries are refused: 16,384 hosts with two links each', () => {
  const links = Array.from({ length: 2 * 16_384 }, (_, k): [number, number] => [k >> 1, 16_384 + (k & 1)]);
  const topology = packetTopology(16_384, 2, links);
  expect(() => new Fabric({ topology, settings: packetSettings() }, new Kernel(), false)).toThrow(
    'packet network: 268,468,224 routes, from 16,386 nodes to 16,384 places of hosts; expected at most 268,435,456',
  );
});

test('RT-1: 200,000 parallel links are as many next hops', () => {
  const links = Array.from({ length: 200_000 }, (): [number, number] => [0, 2]);
  const topology = packetTopology(2, 1, [...links, [1, 2]]);
  // 83.08 ns and 500 ns twice.
  expect(runPackets(topology, packetSettings(), [{ source: 0, destination: 1, bytes: 4096 }]).times[0].received).toBe(
    1_166_160,
  );
});
