import fc from 'fast-check';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import { payloadsOf, PACKET_KINDS } from '../support/slow-packet-network/packet.js';
import { runSlowPackets, type SlowPacketNetwork } from '../support/slow-packet-network/slow-packet-network.js';
import { packetSpecOf, randomPacketRun, type RandomPacketRun } from './random-packet-run.js';

/** Section 9 of network-models, on the oracle of the packet network. */

function ran(drawn: RandomPacketRun): SlowPacketNetwork {
  return runSlowPackets(packetSpecOf(drawn), drawn.posts);
}

function sum(
  network: SlowPacketNetwork,
  count: (host: SlowPacketNetwork['hosts'] extends Map<number, infer H> ? H : never) => number,
): number {
  return [...network.hosts.values()].reduce((total, host) => total + count(host), 0);
}

test.each(NIC_KINDS)('every transfer is sent, received, acknowledged, and nothing stays behind: %s', (nic) => {
  fc.assert(
    fc.property(randomPacketRun(nic), (drawn) => {
      const network = ran(drawn);
      expect(network.times.size).toBe(drawn.posts.length);
      for (const { transfer, atPs, after } of drawn.posts) {
        const { sent, received, acknowledged } = network.times.get(transfer)!;
        expect(sent).toBeGreaterThan(after === undefined ? atPs : network.times.get(after)!.received + atPs);
        expect(received).toBeGreaterThanOrEqual(sent);
        expect(acknowledged).toBeGreaterThan(received);
      }
      expect(network.leftovers()).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test.each(NIC_KINDS)('data packets received are those posted and duplicates: %s', (nic) => {
  fc.assert(
    fc.property(randomPacketRun(nic), (drawn) => {
      const network = ran(drawn);
      const { mssBytes } = packetSpecOf(drawn).settings.frames;
      const posted = drawn.posts.reduce((packets, { bytes }) => packets + payloadsOf(bytes, mssBytes).length, 0);
      // Go-back-N discards what comes out of order.
      const discarded = nic === 'roce' ? sum(network, ({ counters }) => counters.outOfOrder) : 0;
      const duplicates = sum(network, ({ counters }) => counters.duplicates);
      expect(sum(network, ({ counters }) => counters.received.data)).toBe(posted + duplicates + discarded);
      expect(sum(network, ({ counters }) => counters.sent.data)).toBe(
        posted + sum(network, ({ counters }) => counters.retransmissions),
      );
    }),
    { numRuns: 50 },
  );
});

test('every packet that is sent arrives at its host or is counted as dropped', () => {
  fc.assert(
    fc.property(randomPacketRun(), (drawn) => {
      const network = ran(drawn);
      const count = (which: 'sent' | 'received'): number =>
        sum(network, ({ counters }) => PACKET_KINDS.reduce((total, kind) => total + counters[which][kind], 0));
      const drops = (['egressDrops', 'headroomDrops', 'lossDrops'] as const).map((each) => network.total(each));
      const poolDrops = sum(network, ({ counters }) => counters.poolDrops);
      expect(count('sent')).toBe(count('received') + poolDrops + drops.reduce((a, b) => a + b));
      expect(sum(network, ({ counters }) => counters.received.trimmed)).toBeLessThanOrEqual(network.total('trims'));
      expect(network.total('xonSent')).toBe(network.total('xoffSent'));
    }),
    { numRuns: 100 },
  );
});

test('the same run gives the same times', () => {
  fc.assert(
    fc.property(randomPacketRun(), (drawn) => {
      const [first, second] = [ran(drawn), ran(drawn)];
      expect([...second.times]).toEqual([...first.times]);
      expect(second.events.happened).toBe(first.events.happened);
    }),
    { numRuns: 30 },
  );
});
