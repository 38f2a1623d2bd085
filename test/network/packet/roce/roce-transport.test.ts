import { checkInvariants } from '../../../../src/network/packet/checks/invariants.js';
import {
  KIND,
  PACKET_INTEGERS,
  PACKET_KINDS,
  PacketKind,
  PSN,
} from '../../../../src/network/packet/fabric/packet-record.js';
import {
  framesSent,
  leafSpine,
  type PacketRun,
  packetSettings,
  portBetween,
  runPackets,
  singleSwitch,
  total,
} from '../../../support/packet-runs.js';

const MIB = 1 << 20;
/** A full frame of 4,154 B and an ACK of 126 B at 400 Gbit/s, ps; links of 500 ns. */
const FULL = 83_080;
const ACK = 2_520;
const PROPAGATION = 500_000;
/** From the start of a full packet to its arrival over one switch, and of an ACK. */
const OVER = 2 * FULL + 2 * PROPAGATION;
const BACK = 2 * ACK + 2 * PROPAGATION;

const to = (destination: number, bytes = MIB, source = 0) => ({ source, destination, bytes });

/** Loses the packets at their destination that are named, each once: kind and PSN. */
function losing(...lost: readonly (readonly [kind: number, psn: number])[]): (run: PacketRun) => void {
  return ({ network }) => {
    const left = lost.map(([kind, psn]) => `${kind} ${psn}`);
    const { fabric } = network;
    const { hosts } = fabric;
    fabric.hosts = {
      ended: (port) => hosts.ended(port),
      wants: (port) => hosts.wants(port),
      consume: (slot, port) => {
        const at = slot * PACKET_INTEGERS;
        const place = left.indexOf(`${fabric.packets.integers[at + KIND]} ${fabric.packets.integers[at + PSN]}`);
        if (place < 0) hosts.consume(slot, port);
        else {
          left.splice(place, 1);
          fabric.packets.release(slot);
        }
      },
    };
  };
}

/** Packets of a kind that a host got. */
function got({ network }: PacketRun, host: number, kind: number): number {
  return network.hostCounters.packetsReceived[host * PACKET_KINDS + kind];
}

describe.each([true, false])('with the fold %s', (fold) => {
  const settings = (overrides: Parameters<typeof packetSettings>[0] = {}) =>
    packetSettings({ fold, check: true, ...overrides });
  const us = ({ times, network }: PacketRun) => {
    checkInvariants(network);
    return times.map(({ received, acked }) => [received / 1e6, acked / 1e6]);
  };

  test('RC-2: two messages in flight of a queue pair', () => {
    const two = runPackets(singleSwitch(2), settings({ roce: { qpMessagesInFlight: 2 } }), [to(1), to(1), to(1)]);
    // The second follows the first at once, as in V-8.
    expect(us(two)[1][0]).toBe(43.62004);
    // The third starts when the ACK of the first arrives, at 23.3566, and goes behind the second: nothing idles.
    expect(us(two)[2][0]).toBe((3 * 256 * FULL + FULL + 1e6) / 1e6);
  });

  test('NIC-2: sent is the end of the last serialisation, exactly', () => {
    const { times } = runPackets(singleSwitch(3), settings(), [to(1, 10_000), to(2, 4096)]);
    // 4,154 + 4,154 of the other + 4,154 + 1,866 B.
    expect(times.map(({ sent }) => sent)).toEqual([3 * FULL + 37_320, 2 * FULL]);
  });

  test('NIC-3: latencies of NICs and switches', () => {
    const hosts = { txStartLatencyPs: 80_000, rxLatencyPs: 30_000, ackTurnaroundPs: 5_000 };
    const run = runPackets(singleSwitch(2), settings({ hosts, switches: { latencyPs: 100_000 } }), [
      to(1, 4096),
      { ...to(1, 4096), at: 40_000 },
    ]);
    const { sent, received, acked } = run.times[0];
    expect(sent).toBe(80_000 + FULL);
    expect(received).toBe(80_000 + 100_000 + 30_000 + OVER);
    expect(acked).toBe(received + 5_000 + 100_000 + 30_000 + BACK);
    // The second is posted to a queue pair that has work: it follows at once.
    expect(run.times[1].sent).toBe(acked + FULL);
    checkInvariants(run.network);
  });

  test('NIC-1: a reply goes before data', () => {
    // Both hosts send; the ACK of 0→1 waits at host 1 for the packet in service and goes before the next.
    const run = runPackets(singleSwitch(2), settings(), [to(1, 4096), to(0, MIB, 1)]);
    const ready = Math.ceil(OVER / FULL) * FULL;
    // At the switch the packet before it is still being sent.
    expect(run.times[0].acked).toBe(ready + PROPAGATION + FULL + ACK + PROPAGATION);
    checkInvariants(run.network);
  });

  test('RC-3, RC-5: one NAK for a gap, and everything from there again', () => {
    const run = runPackets(
      singleSwitch(2),
      settings({ check: false }),
      [to(1, 8 * 4096)],
      losing([PacketKind.data, 3]),
    );
    const [{ sent, received, acked }] = run.times;
    expect(sent).toBe(8 * FULL);
    // Packet 4 starts at 4 × s and draws the NAK; packets 3 … 7 follow.
    const again = 4 * FULL + OVER + BACK;
    expect(received).toBe(again + 4 * FULL + OVER);
    expect(acked).toBe(received + BACK);
    const { retransmissions, outOfOrder, duplicates, timeouts } = run.network.hostCounters;
    expect([total(retransmissions), total(outOfOrder), total(duplicates), total(timeouts)]).toEqual([5, 4, 0, 0]);
    expect(got(run, 0, PacketKind.nack)).toBe(1);
  });

  test('RC-5: a NAK retires what came before; without it the timer rewinds to the oldest', () => {
    const roce = { retransmitTimeoutPs: 20e6 };
    const run = runPackets(
      singleSwitch(2),
      settings({ check: false, roce }),
      [to(1, 8 * 4096)],
      losing([PacketKind.data, 3], [PacketKind.nack, 4]),
    );
    // The timer runs from the start of packet 0; then all eight again, of which three are duplicates.
    const [{ received }] = run.times;
    expect(received).toBe(20e6 + 7 * FULL + OVER);
    const { retransmissions, outOfOrder, duplicates, timeouts } = run.network.hostCounters;
    expect([total(retransmissions), total(outOfOrder), total(duplicates), total(timeouts)]).toEqual([8, 4, 3, 1]);
  });

  test('RC-3: a duplicate of the last packet is acknowledged again', () => {
    const roce = { retransmitTimeoutPs: 20e6 };
    const run = runPackets(
      singleSwitch(2),
      settings({ check: false, roce }),
      [to(1, 2 * 4096)],
      losing([PacketKind.ack, 1]),
    );
    const [{ received, acked }] = run.times;
    expect(received).toBe(FULL + OVER);
    expect(acked).toBe(20e6 + FULL + OVER + BACK);
    expect(total(run.network.hostCounters.duplicates)).toBe(2);
  });

  test('RC-4: every 17th packet and the last are acknowledged; with AckThreshold 0 each', () => {
    expect(got(runPackets(singleSwitch(2), settings(), [to(1)]), 0, PacketKind.ack)).toBe(16);
    const each = runPackets(singleSwitch(2), settings({ roce: { ackThreshold: 0 } }), [to(1)]);
    expect(got(each, 0, PacketKind.ack)).toBe(256);
    expect(us(each)).toEqual([[22.35156, 23.3566]]);
  });

  test('RC-4, RC-5: held packets are acknowledged after AckDelay, and that restarts the timer', () => {
    // Of two packets the last is lost, so nothing draws an ACK but the delay.
    const run = runPackets(singleSwitch(2), settings({ check: false }), [to(1, 8192)], losing([PacketKind.data, 1]));
    const restarted = OVER + 1e9 + BACK;
    expect(run.times[0].received).toBe(restarted + 64e9 + OVER);
    expect(total(run.network.hostCounters.duplicates)).toBe(0);
    expect(total(run.network.hostCounters.timeouts)).toBe(1);
  });

  test('RC-1: transfers go to the queue pairs of a pair of hosts in turn, or to one each', () => {
    for (const roce of [{ qpsPerPair: 2 }, { qpMode: 'per-transfer' as const }]) {
      const run = runPackets(singleSwitch(2), settings({ roce }), [to(1), to(1)]);
      expect(us(run).map(([received]) => received)).toEqual([43.53696, 43.62004]);
    }
    // The third shares the first queue pair, and waits for its ACK.
    const three = runPackets(singleSwitch(2), settings({ roce: { qpsPerPair: 2 } }), [to(1), to(1), to(1, 4096)]);
    expect(three.times[2].sent).toBeGreaterThan(three.times[0].acked);
  });

  test('RC-1: the first queue pair of a host has source port 49,152', () => {
    // RT-4: 3 → 7 by 49,152 takes member 3 of 4 at switch 8, spine 13.
    const { network } = runPackets(leafSpine(2, 4, 4), settings(), [to(7, MIB, 3)]);
    const { fabric } = network;
    const sent = [10, 11, 12, 13].map((spine) => framesSent(fabric, portBetween(fabric, 8, spine)));
    expect(sent).toEqual([0, 0, 0, 256]);
  });
});

test('RC-1: source ports count the queue pairs of a host, to whomever', () => {
  const ports: number[][] = [];
  const watch = ({ network }: PacketRun): void => {
    const { address } = network.nic;
    network.nic.address = function (...facts) {
      const [, kind, , source, destination, entropy] = facts;
      if (kind === PacketKind.data) ports.push([source, destination, entropy]);
      address.apply(network.nic, facts);
    };
  };
  const posts = [to(1, 0), to(2, 0), { ...to(1, 0), at: 10e6 }, to(2, 0, 1)];
  runPackets(singleSwitch(3), packetSettings({ roce: { qpsPerPair: 2 } }), posts, watch);
  expect(ports).toEqual([
    [0, 1, 49_152],
    [1, 2, 49_152],
    [0, 2, 49_154],
    [0, 1, 49_153],
  ]);
});
