import { EventClass } from '../../../src/kernel/event-queue.js';
import { checkInvariants } from '../../../src/network/packet/invariants.js';
import { PACKET_KINDS, PacketKind } from '../../../src/network/packet/packet-record.js';
import type { DcqcnSettings, RoceSettings } from '../../../src/network/packet/packet-settings.js';
import { incast, type Overrides, packetSettings, runPackets, singleSwitch, total } from '../../support/packet-runs.js';

const FULL = 83_080;
/** A CNP of 122 B and an ACK of 126 B. */
const CNP = 2_440;
const ACK = 2_520;
const OVER = 2 * FULL + 1_000_000;

/** Every data packet is marked. */
const ALL_MARKED = { ecn: { enabled: true, thresholds: [{ kminBytes: 0, kmaxBytes: 0, pmax: 1 }] } };

function marked(bytes: number, roce: Overrides<RoceSettings>) {
  const settings = packetSettings({ switches: ALL_MARKED, roce, check: true });
  const run = runPackets(singleSwitch(2), settings, [{ source: 0, destination: 1, bytes }]);
  checkInvariants(run.network);
  const cnps = run.network.hostCounters.packetsReceived[PacketKind.cnp];
  return { ...run.times[0], cnps, pace: run.network.hostCounters.pace };
}

test('RC-6: a CNP for each queue pair and CnpInterval at most', () => {
  // Packets arrive from 1.17 to 86.2 µs: CNPs at 1.17 and 50 µs later.
  expect(marked(4 << 20, {}).cnps).toBe(2);
  expect(marked(4 << 20, { cnpIntervalPs: 20e6 }).cnps).toBe(5);
  expect(marked(4 << 20, { cnpIntervalPs: 0 }).cnps).toBe(1024);
});

test('RC-6: congestion control none ignores CNPs', () => {
  const { sent, pace } = marked(1 << 20, { congestionControl: 'none' });
  expect(sent).toBe(256 * FULL);
  expect(pace.count[0]).toBe(0);
});

test('RC-6: a CNP goes before the ACK of the same packet', () => {
  // Over the NIC one after the other; at the switch the CNP is gone when the ACK arrives.
  const { received, acked } = marked(4096, {});
  expect(received).toBe(OVER);
  expect(acked).toBe(OVER + CNP + 2 * ACK + 1_000_000);
});

test('RC-6: CNPs go before ACKs that wait', () => {
  // Empty messages of hosts 0 and 1 arrive at 1,002.32 and 1,003.48 ns, while host 2 sends a packet that ends at 13 × s. Then
  // both CNPs go, then both ACKs; at the switch each goes on at once.
  const settings = packetSettings({ switches: ALL_MARKED });
  const posts = [...incast([0, 1], 2, 0), { source: 2, destination: 3, bytes: 1 << 20 }];
  const { times } = runPackets(singleSwitch(4), settings, posts);
  const acked = 13 * FULL + 2 * CNP + 2 * ACK + 1_000_000;
  expect(times.slice(0, 2).map((each) => each.acked)).toEqual([acked, acked + ACK]);
});

test('RC-7: at 200 Gbit/s a packet of 4,154 B starts every 166,160 ps', () => {
  const { sent, pace } = marked(40 * 4096, { congestionControl: 'dcqcn' });
  // The CNP arrives at 2,171,040, during packet 26. Packet 27 follows it at line rate and 39 is 12 gaps behind.
  expect(OVER + 2 * CNP + 1_000_000).toBe(2_171_040);
  expect(sent).toBe(27 * FULL + 12 * 166_160 + FULL);
  expect([pace.count[0], pace.least[0], pace.greatest[0]]).toEqual([1, 200, 200]);
});

test('RC-7: the window opens during a gap, and the next packet waits for its end', () => {
  // Messages of one packet, one after the other. Each is answered by a CNP, which halves the rate: after the second packet, at
  // 200 Gbit/s, the ACK comes later than the end of the gap; after the sixth, at 12.5 Gbit/s, earlier.
  const settings = packetSettings({
    switches: ALL_MARKED,
    roce: { congestionControl: 'dcqcn', cnpIntervalPs: 0 },
    check: true,
  });
  const posts = Array.from({ length: 9 }, () => ({ source: 0, destination: 1, bytes: 4096 }));
  const { times, network } = runPackets(singleSwitch(2), settings, posts);
  checkInvariants(network);
  const gaps = times.slice(1).map(({ sent }, n) => sent - times[n].sent);
  const ackPs = OVER + CNP + 2 * ACK + 1_000_000;
  expect(gaps).toEqual([ackPs, ackPs, ackPs, ackPs, ackPs, 2_658_560, 5_317_120, 10_634_240]);
});

describe('V-14', () => {
  const NS3: Overrides<DcqcnSettings> = {
    ...{ profile: 'ns3', alphaPeriodPs: 1e6, ratePeriodPs: 900e6, decreasePeriodPs: 4e6, byteCounterBytes: Infinity },
    ...{ fastRecoverySteps: 1, additiveGbps: 0.05, hyperGbps: 0.1, scaledFromGbps: undefined, clampTarget: true },
  };
  /** SW-7: the five columns are 25; 40 and 50; 100; 200; 400 Gbit/s. */
  const ecn = { enabled: true, thresholds: [{ gbps: 400, kminBytes: 800_000, kmaxBytes: 3_200_000, pmax: 0.2 }] };
  /** The text's 50 ms give the same shares: 0.47 and 0.53 with `paper`, 0.50 each with `ns3`. */
  const END = 20e9;
  const SETTLED = 2e9;

  test.each([
    ['paper', {}, 0.4, 0.6, 0.85],
    ['ns3', NS3, 0, 1, 0.65],
  ] as const)('V-14: two long flows to one host, profile %s', (profile, dcqcn, least, most, sum) => {
    const switches = { pfc: 'static', bufferBytes: 256e6, ecn } as const;
    const settings = packetSettings({ switches, roce: { congestionControl: 'dcqcn', dcqcn } });
    const before = [0, 0];
    const { network } = runPackets(
      singleSwitch(3),
      settings,
      incast([1, 2], 0, 4e9),
      ({ kernel, network: { hostCounters } }) => {
        const note = kernel.addHandler(() => {
          for (const n of [0, 1]) before[n] = hostCounters.packetsSent[(n + 1) * PACKET_KINDS];
        });
        kernel.schedule(SETTLED, EventClass.timer, 0, note, 0);
      },
      END,
    );
    const { packetsSent, packetsReceived } = network.hostCounters;
    const shares = before.map((sent, n) => ((packetsSent[(n + 1) * PACKET_KINDS] - sent) * FULL) / (END - SETTLED));
    for (const share of shares) {
      expect(share).toBeGreaterThan(least);
      expect(share).toBeLessThan(most);
    }
    expect(shares[0] + shares[1]).toBeGreaterThanOrEqual(sum);
    if (profile === 'ns3') expect(Math.abs(shares[0] / shares[1] - 1)).toBeLessThan(0.05);
    const { counters } = network.fabric;
    expect(total(counters.ingressDrops) + total(counters.egressDrops)).toBe(0);
    for (const host of [1, 2]) {
      const cnps = packetsReceived[host * PACKET_KINDS + PacketKind.cnp];
      expect(cnps).toBeGreaterThan(0);
      expect(cnps).toBeLessThanOrEqual(END / 50e6);
    }
  });
});
