import { pauseCycle, pausedPortLines } from '../../../../src/network/packet/checks/pause-cycle.js';
import { type PacketRun, packetSettings, runPackets, singleSwitch, switchRing } from '../../../support/packet-runs.js';

/** Five switches in a ring, a host on each; every host sends to the one two switches on, for which there is one way. */
function ring(xoffBytes: number, xonBytes: number): PacketRun {
  const switches = { pfc: 'static', bufferBytes: 256e6, headroomBytes: 60_000, xoffBytes, xonBytes } as const;
  const posts = [0, 1, 2, 3, 4].map((source) => ({ source, destination: (source + 2) % 5, bytes: 1 << 20 }));
  return runPackets(switchRing(5), packetSettings({ switches }), posts);
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
  const lines = pausedPortLines(cycle, fabric);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^switch s0 port 1 → s1, paused since \d+\.\d{3} µs, \d{1,3},\d{3} bytes waiting$/);
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
  const stopped = { port, sincePs: 12_340_000, waitingBytes: 700_123 };
  expect(
    pausedPortLines(
      [
        { ...stopped, packetClass: 0 },
        { ...stopped, packetClass: 1 },
        { ...stopped, port: fabric.numbers.first[2], packetClass: 0, waitingBytes: 0 },
      ],
      fabric,
    ),
  ).toEqual([
    'switch s0 port 2 → h2, paused since 12.340 µs, 700,123 bytes waiting',
    'switch s0 port 2 → h2, control paused since 12.340 µs, 700,123 bytes waiting',
    'host h2 port 0 → s0, paused since 12.340 µs',
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
