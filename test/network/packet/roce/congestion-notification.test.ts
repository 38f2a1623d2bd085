import { checkInvariants } from '../../../../src/network/packet/checks/invariants.js';
import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import type { RoceSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { incast, type Overrides, packetSettings, runPackets, singleSwitch } from '../../../support/packet-runs.js';

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
