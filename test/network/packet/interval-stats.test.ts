import fc from 'fast-check';
import { Kernel } from '../../../src/kernel/kernel.js';
import { CounterReading, type CounterLog } from '../../../src/network/packet/counter-log.js';
import { ClassCount, HostCount, PortCount } from '../../../src/network/packet/interval-counts.js';
import { IntervalStats } from '../../../src/network/packet/interval-stats.js';
import { PacketNetwork, packetNetwork } from '../../../src/network/packet/packet-network.js';
import type { PacketSettings } from '../../../src/network/packet/packet-settings.js';
import { PACKET_KINDS } from '../../../src/network/packet/packet-record.js';
import type { Topology } from '../../../src/network/topology/topology.js';
import {
  leafSpine,
  packetSettings,
  packetTopology,
  runPackets,
  singleSwitch,
  type PacketPost,
  type PacketRun,
} from '../../support/packet-runs.js';
import { slowCounts } from '../../support/slow-packet-network/counts.js';
import { defaultSettings, type SettingsOverrides } from '../../support/slow-packet-network/default-settings.js';

function countedRun(
  topology: Topology,
  settings: PacketSettings,
  posts: readonly PacketPost[],
  intervalPs: number,
  stopPs = Infinity,
): PacketRun & { readonly stats: IntervalStats } {
  const stats = new IntervalStats(topology, intervalPs);
  const prepare = ({ network, kernel }: PacketRun): void => {
    stats.watch(network.fabric, network.hostCounters, kernel);
    stats.wake();
  };
  return { ...runPackets(topology, settings, posts, prepare, stopPs), stats };
}

/** Entries of a log: interval, device, counters. */
function entriesOf({ count, intervals, deviceOf, values, width }: CounterLog): number[][] {
  return Array.from({ length: count }, (_, entry) => [
    intervals[entry],
    deviceOf[entry],
    ...values.subarray(entry * width, (entry + 1) * width),
  ]);
}

/** A host to another one by a switch: ports 0 and 1 of the hosts, 2 and 3 of the switch towards them. */
const PAIR = singleSwitch(2);
const ONE_PACKET: readonly PacketPost[] = [{ source: 0, destination: 1, bytes: 4096 }];

test('R-158: sent counts at the end of serialisation, received at full arrival, in the interval that ends then or later', () => {
  // A frame of 4,154 B takes 83.08 ns at 400 Gbit/s, its ACK of 126 B 2.52 ns, a link 500 ns.
  const { stats } = countedRun(PAIR, packetSettings(), ONE_PACKET, 50_000);
  expect(entriesOf(stats.ports).map((entry) => entry.slice(0, 6))).toEqual([
    [2, 0, 1, 0, 4154, 0], // 83.08
    [12, 2, 0, 1, 0, 4154], // 583.08
    [14, 3, 1, 0, 4154, 0], // 666.16
    [24, 1, 1, 1, 126, 4154], // 1,166.16, and the ACK until 1,168.68
    [34, 2, 1, 1, 126, 4154], // the ACK leaves the switch at 1,671.20
    [34, 3, 1, 1, 4154, 126], // and reached it at 1,668.68
    [44, 0, 1, 1, 4154, 126], // 2,171.20
  ]);
});

test('R-158: what ends at the instant of a row is in that row', () => {
  const { stats } = countedRun(PAIR, packetSettings(), ONE_PACKET, 83_080);
  expect(entriesOf(stats.ports)[0]).toEqual([1, 0, 1, 0, 4154, 0, 0, 0]);
  const later = countedRun(PAIR, packetSettings(), ONE_PACKET, 83_079);
  expect(entriesOf(later.stats.ports)[0]).toEqual([2, 0, 1, 0, 4154, 0, 0, 0]);
});

test('R-162: 1 MiB of R-063: 256 data packets sent, 16 ACKs received, a message completed', () => {
  const { stats } = countedRun(PAIR, packetSettings(), [{ source: 0, destination: 1, bytes: 1_048_576 }], 1e9);
  const sender = new Array<number>(HostCount.pace + 4).fill(0);
  sender[HostCount.packetsSent] = 256;
  sender[HostCount.packetsReceived + 1] = 16;
  sender[HostCount.messagesPosted] = 1;
  sender[HostCount.messagesCompleted] = 1;
  // From the end of a packet: 500 + 83.08 + 500 to the receiver, 2 × (2.52 + 500) for the ACK.
  sender.splice(HostCount.rtt, 4, 16, 16 * 2_088_120, 2_088_120, 2_088_120);
  sender.splice(HostCount.pace, 4, 0, 0, Infinity, -Infinity);
  expect(entriesOf(stats.hosts)[0]).toEqual([1, 0, ...sender]);
});

test('R-162: round-trip times are those of the interval', () => {
  // Two messages, 10 µs apart: an ACK each, 2,088.12 ns after the packet; the first one at 2.1712 µs.
  const posts = [0, 10_000_000].map((at) => ({ source: 0, destination: 1, bytes: 4096, at }));
  const { stats } = countedRun(PAIR, packetSettings(), posts, 5_000_000);
  const samples = entriesOf(stats.hosts)
    .filter(([, host]) => host === 0)
    .map(([interval, , ...counts]) => [interval, ...counts.slice(HostCount.rtt, HostCount.rtt + 4)]);
  expect(samples).toEqual([
    [1, 1, 2_088_120, 2_088_120, 2_088_120],
    [2, 0, 0, Infinity, -Infinity], // posted at the instant of the row
    [3, 1, 2_088_120, 2_088_120, 2_088_120],
  ]);
});

test('R-162: a round-trip time is exact at any time, and an ACK that no packet drew gives none', () => {
  const at = 9_000_000_000_000_001; // 9,000 s, near 2^53 ps
  const late = runPackets(PAIR, packetSettings(), [{ source: 0, destination: 1, bytes: 4096, at }]);
  expect(late.network.hostCounters.rtt.sum[0]).toBe(2_088_120);
  // The last of two packets is lost: what acknowledges the first one is AckDelay, 1 ms. Sent again, the last one draws its ACK.
  const posts = [{ source: 0, destination: 1, bytes: 8192 }];
  const { network } = runPackets(PAIR, packetSettings(), posts, losingFrame(1));
  const { rtt, packetsReceived } = network.hostCounters;
  expect(packetsReceived[1]).toBe(2);
  expect([rtt.count[0], rtt.sum[0]]).toEqual([1, 2_088_120]);
});

/** The n-th packet, from 0, that would be handed to a host is lost. */
function losingFrame(lost: number): (run: PacketRun) => void {
  return ({ network: { fabric } }) => {
    const { hosts } = fabric;
    let consumed = 0;
    fabric.hosts = {
      ended: (port) => hosts.ended(port),
      wants: (port) => hosts.wants(port),
      consume: (slot, port) => (consumed++ === lost ? fabric.packets.release(slot) : hosts.consume(slot, port)),
    };
  };
}

test('R-158: a lost frame is sent and not received', () => {
  const lossy = packetTopology(2, 1, [
    [0, 2, { loss: 0.3 }],
    [1, 2],
  ]);
  const settings = packetSettings({ roce: { retransmitTimeoutPs: 20e6 } });
  const { stats, network } = countedRun(lossy, settings, [{ source: 0, destination: 1, bytes: 400_000 }], 1e9);
  const [host, , toHost] = lastOf(stats.ports);
  const { losses, bytesLost } = network.fabric.counters;
  expect(losses[2]).toBeGreaterThan(10);
  expect(toHost[PortCount.packetsReceived]).toBe(host[PortCount.packetsSent] - losses[2]);
  expect(toHost[PortCount.bytesReceived]).toBe(host[PortCount.bytesSent] - bytesLost[2]);
  expect(toHost[PortCount.receiveDrops]).toBe(losses[2]);
  expect(host[PortCount.receiveDrops]).toBe(losses[0]);
});

test('R-158: a frame that waited at a switch counts as soon as it has been sent', () => {
  // Both frames are at the switch at 583.08 ns; one leaves until 666.16, the other one until 749.24, and nothing else happens
  // before the first one arrives at 1,166.16.
  const posts = [0, 1].map((source) => ({ source, destination: 2, bytes: 4096 }));
  const { stats } = countedRun(singleSwitch(3), packetSettings(), posts, 250_000);
  const [, , toReceiver] = entriesOf(stats.ports).filter(([interval]) => interval === 3);
  expect(toReceiver).toEqual([3, 5, 2, 0, 2 * 4154, 0, 0, 0]);
});

test('R-162: the time of pauses that are over and the begin of one that lasts, and XOFF and XON where they are sent', () => {
  // 400 Gbit/s in and 100 Gbit/s out at the second switch: it stops the first one again and again.
  const line = packetTopology(2, 2, [
    [0, 2],
    [2, 3],
    [3, 1, { gbps: 100 }],
  ]);
  const settings = packetSettings({
    switches: { pfc: 'static', xoffBytes: 200_000, xonBytes: 50_000, bufferBytes: 32_000_000 },
  });
  const intervalPs = 100_000;
  const { stats, network } = countedRun(line, settings, [{ source: 0, destination: 1, bytes: 1_048_576 }], intervalPs);
  const { xoffsSent, xonsSent, pausedPs } = network.fabric.counters;
  // Ports: 0 and 1 of the hosts, 2 and 3 of the first switch, 4 and 5 of the second one. Device of data is 2 × port.
  const last = lastOf(stats.classes);
  expect(xoffsSent[2 * 4]).toBeGreaterThan(1);
  expect(last[2 * 4].slice(0, 4)).toEqual([xoffsSent[2 * 4], xonsSent[2 * 4], 0, 0]);
  expect(last[2 * 3].slice(0, 4)).toEqual([0, 0, xoffsSent[2 * 4], xonsSent[2 * 4]]);
  expect(last[2 * 3][ClassCount.pausedPs]).toBe(pausedPs[2 * 3]);
  const paused = entriesOf(stats.classes).filter(([, device]) => device === 2 * 3);
  // 150,000 B drain in 12 µs, so rows lie within each pause; one of them says when it began, and a pause adds what it took.
  const lasting = paused.filter((entry) => entry[2 + ClassCount.pausedSincePs] > 0);
  expect(lasting).toHaveLength(xoffsSent[2 * 4]);
  for (const [at, entry] of paused.entries()) {
    const [since, before] = [entry, paused[at - 1] ?? []].map((row) => row[2 + ClassCount.pausedSincePs] ?? 0);
    expect(since).toBeLessThanOrEqual(entry[0] * intervalPs);
    if (since === 0 && before > 0) {
      const added = entry[2 + ClassCount.pausedPs] - paused[at - 1][2 + ClassCount.pausedPs];
      expect(before + added).toBeLessThanOrEqual(entry[0] * intervalPs);
      expect(before + added).toBeGreaterThan((entry[0] - 1) * intervalPs);
    }
  }
});

test('R-162: marks count at the port that set them, for data', () => {
  const ecn = { enabled: true, thresholds: [{ kminBytes: 0, kmaxBytes: 1, pmax: 1 }] };
  const settings = packetSettings({ switches: { ecn } });
  const { stats } = countedRun(PAIR, settings, [{ source: 0, destination: 1, bytes: 40_960 }], 1e9);
  // Port 3 of the switch, towards the receiver, marks all ten.
  expect(entriesOf(stats.classes)).toEqual([[1, 2 * 3, 0, 0, 0, 0, 0, 0, 10]]);
});

test('R-158: an interval without a packet costs nothing: a run of 1,000 s and a row every ns', () => {
  const posts = [0, 1e15].map((at) => ({ source: 0, destination: 1, bytes: 4096, at }));
  const { stats, times } = countedRun(PAIR, packetSettings(), posts, 1000);
  expect(times.map(({ acked }) => acked)).toEqual([2_171_200, 1e15 + 2_171_200]);
  expect(entriesOf(stats.ports).map(([interval]) => interval)).toEqual(
    [84, 584, 667, 1167, 1169, 1669, 1672, 2172]
      .flatMap((interval) => [interval])
      .concat([84, 584, 667, 1167, 1169, 1669, 1672, 2172].map((interval) => 1e12 + interval)),
  );
});

test('R-158: a run whose records would have too many rows stops', () => {
  // 4 ports: 80 rows at 20 multiples of 1 ns, and the first frame takes 83.08 ns.
  const network = packetNetwork(
    { topology: PAIR, settings: packetSettings() },
    { stats: new IntervalStats(PAIR, 1000, 80) },
  );
  const kernel = new Kernel();
  const none = (): void => {};
  network(2, kernel, { sent: none, received: none, acknowledged: none }).post(0, 0, 1, 4096, 0);
  expect(() => kernel.run(Infinity)).toThrow(
    'nd-stats: more than 80 rows by 21,000 ps, for 4 ports at each multiple of NDStatsReportInterval 1,000 ps',
  );
});

test('R-141: no row is taken after the stop, and what is left is told apart', () => {
  const { stats } = countedRun(PAIR, packetSettings(), ONE_PACKET, 600_000, 1_000_000);
  // Of the packet that is at the switch by then; the next row would be at 1.2 µs.
  expect(entriesOf(stats.ports).map(([interval, port]) => [interval, port])).toEqual([
    [1, 0],
    [1, 2],
  ]);
  const run = (stopPs: number): boolean => {
    const idle = new Kernel();
    const counted = new IntervalStats(PAIR, 1e9);
    const listener = { sent: () => {}, received: () => {}, acknowledged: () => {} };
    const network = new PacketNetwork(
      { topology: PAIR, settings: packetSettings({ roce: { retransmitTimeoutPs: 1e6 } }) },
      Int32Array.of(0, 1),
      idle,
      listener,
      counted,
    );
    const post = idle.addHandler(() => network.post(0, 0, 1, 4096, idle.now));
    idle.schedule(0, 3, 0, post, 0);
    return idle.run(stopPs);
  };
  // Acknowledged at 2.1712 µs; the first row would be at 1 ms.
  expect([2_000_000, 500_000_000].map(run)).toEqual([true, false]);
});

/** [devices] counters of the newest entry. */
function lastOf(log: CounterLog): number[][] {
  const reading = new CounterReading(log);
  reading.goTo(Infinity);
  return Array.from({ length: log.devices }, (_, device) => countersOf(reading, device));
}

function countersOf({ now, width }: CounterReading, device: number): number[] {
  return [...now.subarray(device * width, (device + 1) * width)];
}

/** Places of what a host has received, by kind. */
const RECEIVED = [HostCount.packetsReceived, HostCount.packetsReceived + PACKET_KINDS] as const;

const KILO = 1000;

interface Drawn {
  readonly nic: 'roce' | 'uet' | 'mrc';
  readonly topology: Topology;
  readonly overrides: SettingsOverrides;
  readonly posts: readonly PacketPost[];
  readonly intervalPs: number;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    nic: fc.constantFrom('roce' as const, 'uet' as const, 'mrc' as const),
    topology: fc.constantFrom(singleSwitch(4), leafSpine(2, 2, 2)),
    loss: fc.constantFrom(0, 0, 0.02),
    pfc: fc.constantFrom('off' as const, 'static' as const),
    posts: fc.array(
      fc.record({
        source: fc.nat(3),
        destination: fc.nat(3),
        bytes: fc.oneof(fc.constantFrom(0, 4096), fc.integer({ min: 0, max: 200 * KILO })),
        at: fc.constantFrom(0, 0, 83_080, 1_000_000, 40_000_000),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    intervalPs: fc.constantFrom(10_007, 83_080, 250_000, 1_000_003, 10_000_000),
    seed: fc.nat(1000),
    markAt: fc.constantFrom('dequeue' as const, 'enqueue' as const),
    smallQueues: fc.boolean(),
  })
  .map(({ nic, topology, loss, pfc, posts, intervalPs, seed, markAt, smallQueues }) => ({
    nic,
    topology: { ...topology, links: topology.links.map((link) => ({ ...link, loss })) },
    overrides: {
      seed,
      switches: {
        ...(nic === 'roce' ? { pfc: loss > 0 ? ('off' as const) : pfc } : {}),
        ...{ xoffBytes: 60 * KILO, xonBytes: 30 * KILO },
        ...(smallQueues ? { egressLimitBytes: 50 * KILO } : {}),
        ecn: { markAt, thresholds: [{ kminBytes: 20 * KILO, kmaxBytes: 60 * KILO, pmax: 0.5 }] },
      },
      roce: { retransmitTimeoutPs: 30e6, cnpIntervalPs: 5e6 },
    },
    posts: posts.filter(({ source, destination }) => source !== destination),
    intervalPs,
  }));

const MOST_ROWS = 200;

test('R-158, R-162: counts at every row are those of the slow packet network', () => {
  fc.assert(
    fc.property(drawn, ({ nic, topology, overrides, posts, intervalPs }) => {
      const settings = defaultSettings(nic, topology, overrides);
      const slow = slowCounts(
        { topology, settings },
        posts.map(({ at = 0, ...post }, transfer) => ({ ...post, transfer, atPs: at })),
        intervalPs,
        MOST_ROWS,
      );
      const { stats } = countedRun(topology, settings, posts, intervalPs);
      const ports = new CounterReading(stats.ports);
      const classes = new CounterReading(stats.classes);
      const hosts = new CounterReading(stats.hosts);
      const owners = ownersOf(topology);
      const isSwitch = (port: number): boolean => topology.nodes[owners[port]].kind === 'switch';
      for (const [at, counts] of slow.entries()) {
        for (const reading of [ports, classes, hosts]) reading.goTo(at + 1);
        const expected = {
          row: at + 1,
          // PFC frames are frames of a port here, and not there.
          ports: settings.switches.pfc === 'off' ? counts.ports : [],
          classes: counts.classes.map((each, device) => (isSwitch(device >> 1) ? each : each.map(() => 0))),
          received: [...counts.received],
        };
        const found = {
          row: at + 1,
          ports: expected.ports.map((_, port) => countersOf(ports, port)),
          classes: expected.classes.map((_, device) => countersOf(classes, device)),
          received: expected.received.map(([node]) => [node, countersOf(hosts, node).slice(...RECEIVED)]),
        };
        if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

/** [ports] node of each: ports are numbered by node, then link. */
function ownersOf({ links }: Topology): number[] {
  return links.flatMap(({ a, b }) => [a, b]).sort((a, b) => a - b);
}

test('R-158: counts are the same with the fold on and off, and taking them changes nothing', () => {
  fc.assert(
    fc.property(drawn, ({ nic, topology, overrides, posts, intervalPs }) => {
      const settings = defaultSettings(nic, topology, overrides);
      const plain = runPackets(topology, settings, posts);
      const folded = countedRun(topology, settings, posts, intervalPs);
      const unfolded = countedRun(topology, { ...settings, fold: false }, posts, intervalPs);
      expect(folded.times).toEqual(plain.times);
      expect(folded.kernel.events).toBe(plain.kernel.events);
      expect(unfolded.times).toEqual(plain.times);
      for (const log of ['ports', 'classes', 'hosts'] as const) {
        expect(entriesOf(folded.stats[log])).toEqual(entriesOf(unfolded.stats[log]));
      }
    }),
    { numRuns: 60 },
  );
});

test('R-158: all that was sent has been received or lost when a run is over', () => {
  fc.assert(
    fc.property(drawn, ({ nic, topology, overrides, posts, intervalPs }) => {
      const settings = defaultSettings(nic, topology, overrides);
      const { stats, network } = countedRun(topology, settings, posts, intervalPs);
      const sum = (place: number): number => lastOf(stats.ports).reduce((total, row) => total + row[place], 0);
      const lost = network.fabric.counters.losses.reduce((total, count) => total + count, 0);
      expect(sum(PortCount.packetsSent)).toBe(sum(PortCount.packetsReceived) + lost);
    }),
    { numRuns: 40 },
  );
});
