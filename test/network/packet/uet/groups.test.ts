import { framesSent } from '../../../support/packet-runs.js';
import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { packetTopology } from '../../../support/packet-runs.js';
import { MIB, oneSwitch, runUet, type UetPost } from '../../../support/uet-runs.js';
import { watchDepartures, type SeenPacket } from '../../../support/uet-watch.js';

function departuresOf(posts: readonly UetPost[], hosts = 2): SeenPacket[] {
  const departures: SeenPacket[] = [];
  runUet(oneSwitch(hosts), {}, posts, (run) => watchDepartures(run, departures));
  return departures.filter(({ kind }) => kind === PacketKind.data);
}

const port = (step: number): number => 256 + (step % 128);

test('UE-1: 1 MiB alone takes the ports 256 … 383, each twice', () => {
  const data = departuresOf([{ source: 0, destination: 1, bytes: MIB }]);
  expect(data.map(({ entropy }) => entropy)).toEqual(Array.from({ length: 256 }, (_, step) => port(step)));
});

test('UE-1: two messages to one destination interleave and share one sequence of ports', () => {
  const message = { source: 0, destination: 1, bytes: 10 * 4096 };
  const data = departuresOf([message, message]);
  expect(data.map(({ entropy }) => entropy)).toEqual(Array.from({ length: 20 }, (_, step) => port(step)));
  const [first] = data;
  const flags = data.map((packet) => packet.message === first.message);
  expect(flags).toEqual(Array.from({ length: 20 }, (_, step) => step % 2 === 0));
  expect(data.map(({ psn }) => psn)).toEqual(Array.from({ length: 20 }, (_, step) => step >> 1));
});

test('UE-1: three messages of different lengths take turns in the order of their posting', () => {
  const data = departuresOf([2, 1, 3].map((packets) => ({ source: 0, destination: 1, bytes: packets * 4096 })));
  const messages = [...new Set(data.map(({ message }) => message))];
  expect(data.map(({ message, psn }) => [messages.indexOf(message), psn])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 1],
    [2, 1],
    [2, 2],
  ]);
});

test('UE-1: messages to different destinations are different groups: packets alternate, as in V-7', () => {
  const run = runUet(oneSwitch(3), {}, [
    { source: 0, destination: 1, bytes: MIB },
    { source: 0, destination: 2, bytes: MIB },
  ]);
  // 511 and 512 packets at 84,040 ps, one more at the switch, two links of 500 ns.
  expect(run.times.map(({ received }) => received)).toEqual([
    511 * 84_040 + 84_040 + 1_000_000,
    512 * 84_040 + 84_040 + 1_000_000,
  ]);
});

test('UE-1: a group dies with its last message; the next message starts fresh', () => {
  const one = { source: 0, destination: 1, bytes: 4096 };
  const data = departuresOf([one, { ...one, at: 2_171_200 }]);
  expect(data.map(({ entropy }) => entropy)).toEqual([256, 256]);
});

test('UE-1: a group lives while a message in the other direction is open', () => {
  const one = { source: 0, destination: 1, bytes: 4096 };
  const data = departuresOf([one, { ...one, at: 5_000_000 }, { source: 1, destination: 0, bytes: MIB }]);
  expect(data.filter(({ node }) => node === 0).map(({ entropy }) => entropy)).toEqual([256, 257]);
});

test('UE-1: a message posted while another is open joins its group, also from its acknowledgment on', () => {
  const data = departuresOf([
    { source: 0, destination: 1, bytes: 2 * 4096 },
    { source: 0, destination: 1, bytes: 4096, at: 100_000 },
  ]);
  expect(data.map(({ entropy }) => entropy)).toEqual([256, 257, 258]);
});

test('NIC-5: with two ports, entropy value e takes port e mod 2; sent is the end of the last packet of both', () => {
  const topology = packetTopology(2, 2, [
    [0, 2, { gbps: 100 }],
    [0, 3],
    [1, 2, { gbps: 100 }],
    [1, 3],
  ]);
  const departures: SeenPacket[] = [];
  const { times, network } = runUet(topology, {}, [{ source: 0, destination: 1, bytes: 2 * 4096 }], (run) =>
    watchDepartures(run, departures),
  );
  // 256 is even: 4,202 B at 100 Gbit/s take 336,160 ps; 257 has the fast port.
  expect(departures.map(({ entropy, timePs }) => [entropy, timePs])).toEqual([
    [257, 84_040],
    [256, 336_160],
  ]);
  expect(times[0].sent).toBe(336_160);
  expect([0, 1].map((port) => framesSent(network.fabric, port))).toEqual([1, 1]);
});

test('NIC-3: a post to an idle group starts TxStartLatency later, and no post overtakes it', () => {
  const posts = [
    { source: 0, destination: 1, bytes: 4096 },
    { source: 0, destination: 1, bytes: 4096, at: 5000 },
  ];
  const { times } = runUet(oneSwitch(2), { hosts: { txStartLatencyPs: 15_000 } }, posts);
  expect(times.map(({ sent }) => sent)).toEqual([15_000 + 84_040, 15_000 + 2 * 84_040]);
});
