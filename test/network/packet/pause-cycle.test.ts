import { pauseCycle, pauseCycleLines } from '../../../src/network/packet/pause-cycle.js';
import {
  type LinkFacts,
  type PacketRun,
  packetSettings,
  packetTopology,
  runPackets,
  singleSwitch,
} from '../../support/packet-runs.js';

/** Five switches in a ring, a host on each; every host sends to the one two switches on, for which there is one way. */
function ring(xoffBytes: number, xonBytes: number): PacketRun {
  const links: LinkFacts[] = [];
  for (let n = 0; n < 5; n++) links.push([n, 5 + n]);
  for (let n = 0; n < 5; n++) links.push([5 + n, 5 + ((n + 1) % 5)]);
  const switches = { pfc: 'static', bufferBytes: 256e6, headroomBytes: 60_000, xoffBytes, xonBytes } as const;
  const posts = [0, 1, 2, 3, 4].map((source) => ({ source, destination: (source + 2) % 5, bytes: 1 << 20 }));
  return runPackets(packetTopology(5, 5, links), packetSettings({ switches }), posts);
}

test('SW-6: small buffers and routes around a ring end in a deadlock, and the circle is found', () => {
  const { times, network, kernel } = ring(40_000, 20_000);
  // Nothing is left to do, and no transfer is through.
  expect(kernel.queue.length).toBe(0);
  expect(times.every(({ acked }) => Number.isNaN(acked))).toBe(true);
  const { fabric } = network;
  const cycle = pauseCycle(fabric)!;
  const { nodeOf, peerOf } = fabric.numbers;
  expect(cycle.map(({ port }) => [nodeOf[port], nodeOf[peerOf[port]]])).toEqual([
    [5, 6],
    [6, 7],
    [7, 8],
    [8, 9],
    [9, 5],
  ]);
  for (const { packetClass, sincePs, waitingBytes, port } of cycle) {
    expect(packetClass).toBe(0);
    expect(sincePs).toBe(fabric.counters.pausedSincePs[2 * port]);
    // All that waits came by two ports, neither of which is above Xon: 40,000 and a packet, and headroom.
    expect(waitingBytes).toBeGreaterThan(20_000);
    expect(waitingBytes).toBeLessThan(2 * (40_000 + 4154 + 60_000));
    expect(waitingBytes % 4154).toBe(0);
  }
  const lines = pauseCycleLines(cycle, fabric, kernel.now);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^switch s0 port 1 → s1, paused \d+\.\d µs, \d{1,3},\d{3} bytes waiting$/);
  expect(lines[4]).toMatch(/^switch s4 port 2 → s0, /);
});

test('SW-6: with room for what is under way the same ring goes on', () => {
  const { times, network } = ring(700_000, 300_000);
  expect(times.every(({ acked }) => acked > 0)).toBe(true);
  expect(pauseCycle(network.fabric)).toBeUndefined();
});

test('a line for a port reads as a sentence does', () => {
  const { fabric } = runPackets(singleSwitch(4), packetSettings(), []).network;
  const port = fabric.numbers.first[4] + 2;
  const stopped = { port, sincePs: 1_000_000, waitingBytes: 700_123 };
  expect(
    pauseCycleLines(
      [
        { ...stopped, packetClass: 0 },
        { ...stopped, packetClass: 1 },
      ],
      fabric,
      13_340_000,
    ),
  ).toEqual([
    'switch s0 port 2 → h2, paused 12.3 µs, 700,123 bytes waiting',
    'switch s0 port 2 → h2, control paused 12.3 µs, 700,123 bytes waiting',
  ]);
});

test('ports that are paused in a chain are no circle', () => {
  // Three to one, looked at while their hosts are paused: hosts wait for the switch, and the switch for nobody.
  const posts = [1, 2, 3].map((source) => ({ source, destination: 0, bytes: 4 << 20 }));
  const settings = packetSettings({ switches: { pfc: 'static', bufferBytes: 256e6 } });
  const { network } = runPackets(singleSwitch(4), settings, posts, () => {}, 40e6);
  expect(network.fabric.counters.pausedSincePs.some((since) => since >= 0)).toBe(true);
  expect(pauseCycle(network.fabric)).toBeUndefined();
});
