import { defaultSettings } from '../../support/slow-packet-network/default-settings.js';
import { Dcqcn } from '../../support/slow-packet-network/dcqcn.js';
import { Events, POST } from '../../support/slow-packet-network/events.js';
import { Nscc } from '../../support/slow-packet-network/nscc.js';
import { runSlowPackets } from '../../support/slow-packet-network/slow-packet-network.js';
import { fatTree, hostRing, leafSpine, singleSwitch } from '../../support/slow-packet-network/small-topologies.js';

/** Rules of the oracle with figures worked out by hand. */

test('V-13: rates after a single CNP at 400 Gbit/s', () => {
  const events = new Events();
  const dcqcn = new Dcqcn(defaultSettings('roce', singleSwitch(2)).roce.dcqcn, 400, events);
  dcqcn.cnp();
  const rates = [dcqcn.rate / 1e9];
  const alphas = [dcqcn.alpha];
  for (let period = 1; period <= 7; period++) {
    events.at(55e6 * period, POST, 0, () => {
      rates.push(dcqcn.rate / 1e9);
      alphas.push(dcqcn.alpha);
    });
  }
  events.run(1000);
  expect(rates).toEqual([200, 300, 350, 375, 387.5, 393.75, 396.875, 398.4375]);
  expect(alphas.slice(0, 4).map((alpha) => alpha.toFixed(6))).toEqual(['1.000000', '0.996094', '0.992203', '0.988327']);
});

describe('V-15: NSCC with τ of 6 µs', () => {
  const { nscc } = defaultSettings('uet', singleSwitch(2), { switches: { trimming: false } });
  const made = (): Nscc => {
    const window = new Nscc(nscc, 400, 4096, 0);
    window.window = 300_000;
    return window;
  };

  test('eight packets and one byte at a delay of 1.5 µs add 1,371 B', () => {
    const window = made();
    expect(window.largest).toBe(450_000);
    // Base 6 µs; 33,472 B are not yet more than eight packets.
    window.acknowledge({ ackedBytes: 33_472, inFlightBytes: 0, isMarked: false, rttPs: 7.5e6 }, 1e6);
    expect(window.window).toBe(300_000);
    window.acknowledge({ ackedBytes: 1, inFlightBytes: 0, isMarked: true, rttPs: 7.5e6 }, 2e6);
    expect(window.window).toBeCloseTo(300_000 + 411_303_936 / 300_000, 6);
  });

  test('eight packets at a delay of 6 µs add 2,285 B', () => {
    const window = made();
    window.acknowledge({ ackedBytes: 33_472, inFlightBytes: 0, isMarked: false, rttPs: 12e6 }, 1e6);
    window.acknowledge({ ackedBytes: 1, inFlightBytes: 0, isMarked: true, rttPs: 7e6 }, 2e6);
    expect(window.window).toBeCloseTo(300_000 + 685_506_560 / 300_000, 6);
  });

  test.each([
    [2, 0.6],
    [1.25, 0.84],
    [8 / 3, 0.5],
    [4, 0.5],
  ])('a mean delay of %f τ leaves a factor of %f', (times, factor) => {
    const window = made();
    // A quarter of the mean is the newest delay, which is τ here.
    window.averagePs = (times * 6e6 - 0.25 * 6e6) / 0.75;
    window.acknowledge({ ackedBytes: 0, inFlightBytes: 0, isMarked: true, rttPs: 12e6 }, 5e6);
    window.acknowledge({ ackedBytes: 0, inFlightBytes: 0, isMarked: false, rttPs: 6e6 }, 5.5e6);
    expect(window.window).toBe(300_000);
    window.averagePs = (times * 6e6 - 0.25 * 6e6) / 0.75;
    window.acknowledge({ ackedBytes: 0, inFlightBytes: 0, isMarked: true, rttPs: 12e6 }, 6e6 + 1);
    // The base time has passed since the last adjustment: η on top.
    expect(window.window).toBeCloseTo(300_000 * factor + 614.4, 6);
  });
});

test('NIC-3: start, receive and turnaround latencies add up', () => {
  const topology = singleSwitch(2);
  const hosts = { txStartLatencyPs: 80_000, rxLatencyPs: 30_000, ackTurnaroundPs: 7_000 };
  const settings = defaultSettings('roce', topology, { hosts, switches: { latencyPs: 100_000 } });
  const posts = [{ transfer: 0, source: 0, destination: 1, bytes: 4096, atPs: 0 }];
  // V-3: 1.16616 and 2.1712 µs without; the switch is passed once each way.
  expect(runSlowPackets({ topology, settings }, posts).times.get(0)).toEqual({
    sent: 83_080 + 80_000,
    received: 1_166_160 + 80_000 + 100_000 + 30_000,
    acknowledged: 2_171_200 + 80_000 + 200_000 + 60_000 + 7_000,
  });
});

test('RT-1: hosts of a ring forward, the shorter way round', () => {
  const topology = hostRing(5);
  const settings = defaultSettings('roce', topology, { routing: { hostsForward: true } });
  const posts = [{ transfer: 0, source: 0, destination: 3, bytes: 4096, atPs: 0 }];
  const network = runSlowPackets({ topology, settings }, posts);
  expect(network.times.get(0)!.received).toBe(2 * (83_080 + 500_000));
  expect(network.portBetween(0, 4).packetsSent[0]).toBe(1);
  expect(network.portBetween(0, 1).packetsSent[0]).toBe(0);
});

test('RT-1: without forwarding there is no way past a host', () => {
  const topology = hostRing(5);
  const settings = defaultSettings('roce', topology);
  const posts = [{ transfer: 0, source: 0, destination: 2, bytes: 1, atPs: 0 }];
  expect(() => runSlowPackets({ topology, settings }, posts)).toThrow('no way from 0 to 2');
});

test('TOPO-5: sizes of a fat tree and of leaf-spine', () => {
  const sizes = [fatTree(4), leafSpine(2, 4, 4)].map(({ nodes, links }) => [
    nodes.filter(({ kind }) => kind === 'host').length,
    nodes.filter(({ kind }) => kind === 'switch').length,
    links.length,
  ]);
  expect(sizes).toEqual([
    [16, 20, 48],
    [8, 6, 16],
  ]);
});

test('default spraying: 1 MiB alone uses the ports 256 … 383 twice each', () => {
  const topology = leafSpine(2, 4, 4);
  const posts = [{ transfer: 0, source: 0, destination: 5, bytes: 2 ** 20, atPs: 0 }];
  const network = runSlowPackets({ topology, settings: defaultSettings('uet', topology) }, posts);
  // RT-4: 128 of them at switch 8 go 32, 38, 29, 29.
  const spines = [10, 11, 12, 13].map((spine) => network.portBetween(8, spine).packetsSent[0]);
  expect(spines).toEqual([64, 76, 58, 58]);
});

test('UE-7: a probe delays the rest of the message by 1.24 ns', () => {
  const topology = singleSwitch(2);
  const posts = [{ transfer: 0, source: 0, destination: 1, bytes: 2 ** 20, atPs: 0 }];
  const settings = defaultSettings('uet', topology, { uet: { probe: true } });
  expect(runSlowPackets({ topology, settings }, posts).times.get(0)!.received).toBe(22_598_280 + 1_240);
});

test('SW-8: a packet over the limit comes as 62 B, and is sent again', () => {
  const topology = singleSwitch(3);
  const settings = defaultSettings('uet', topology, {
    switches: { egressLimitBytes: 5_000 },
    nscc: { enabled: false },
  });
  const posts = [1, 2].map((source) => ({ transfer: source, source, destination: 0, bytes: 4096, atPs: 0 }));
  const network = runSlowPackets({ topology, settings }, posts);
  // Both are at the switch at 584.04 ns. The second is trimmed, starts at 668.08 and arrives 1.24 + 500 ns later, at 1,169.32;
  // its NACK waits for the ACK of the first, which the host has been sending since 1,168.08 for 1.56 ns.
  const nackedAt = 1_169_640 + 2 * (1_240 + 500_000);
  expect(network.times.get(1)!.received).toBe(1_168_080);
  expect(network.times.get(2)).toEqual({
    sent: 84_040,
    received: nackedAt + 1_168_080,
    acknowledged: nackedAt + 1_168_080 + 2 * (1_560 + 500_000),
  });
  expect(network.hosts.get(2)!.counters).toMatchObject({ retransmissions: 1, timeouts: 0 });
});
