import { RandomStream } from '../../../../src/kernel/random.js';
import { ecnThresholdsOf } from '../../../../src/network/packet/settings/ecn-thresholds.js';
import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import type { SwitchSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import {
  framesSent,
  leafSpine,
  type Overrides,
  packetSettings,
  packetTopology,
  peakQueueBytes,
  singleSwitch,
  total,
} from '../../../support/packet-runs.js';
import { RawPackets, TWO_TRAINS, type RawPacket } from '../../../support/raw-packets.js';

/*
 * Two trains of four packets of 1,000 B, 20 ns each at 400 Gbit/s, reach the switch in pairs at 520, 540, 560 and 580 ns. Its
 * egress sends a1, b1, a2, b2, … from 520 ns on. The queue, with the packet and the one in service, when a packet is admitted:
 * a1 1000, b1 2000, a2 2000, b2 3000, a3 3000, b3 4000, a4 4000, b4 5000. Waiting bytes, with itself, when it starts:
 * a1 1000, b1 1000, a2 2000, b2 3000, a3 4000, b3 3000, a4 2000, b4 1000.
 */
const TOPOLOGY = singleSwitch(3);
const EGRESS = 2; // port index of the switch towards host 2

function trains(switches: Overrides<SwitchSettings>, fold = true): RawPackets {
  return new RawPackets(TOPOLOGY, packetSettings({ switches, fold })).run(TWO_TRAINS);
}

function egressOf({ fabric }: RawPackets): number {
  return fabric.numbers.first[3] + EGRESS;
}

test('NET-3: a packet is forwarded when its last bit has arrived, SwitchLatency later', () => {
  const { arrivals } = trains({ latencyPs: 7_000 });
  expect(arrivals.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => 1_027_000 + n * 20_000));
});

describe.each([true, false])('with the fold %s', (fold) => {
  test('SW-3: what would exceed the egress limit is dropped, the frame in service counted', () => {
    const run = trains({ egressLimitBytes: 2500 }, fold);
    expect(run.names()).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
    expect(run.fabric.counters.egressDrops[2 * egressOf(run)]).toBe(3);
    expect(peakQueueBytes(run.fabric, egressOf(run))).toBe(2000);
    expect(run.fabric.packets.count).toBe(0);
  });

  test('SW-7: at the start of transmission, from the waiting bytes with the packet itself', () => {
    const ecn = { enabled: true, thresholds: [{ kminBytes: 3000, kmaxBytes: 3000, pmax: 1 }] };
    const run = trains({ ecn }, fold);
    expect(run.names(({ isMarked }) => isMarked)).toEqual(['b2', 'a3', 'b3']);
    expect(run.fabric.counters.marks[egressOf(run)]).toBe(3);
  });

  test('SW-7: EcnMarkAt enqueue decides at admission, the frame in service counted', () => {
    const thresholds = [{ kminBytes: 3000, kmaxBytes: 3000, pmax: 1 }];
    const run = trains({ ecn: { enabled: true, thresholds, markAt: 'enqueue' } }, fold);
    expect(run.names(({ isMarked }) => isMarked)).toEqual(['b2', 'a3', 'b3', 'a4', 'b4']);
  });

  test('SW-7: EcnEwma replaces the queue by a mean, updated at each enqueue', () => {
    // Means after each enqueue, weight 1/2: 500, 1250, 1625, 2312.5, 2656.25, …; b1 starts at 1250, a2 at 2312.5.
    const ecn = { enabled: true, thresholds: [{ kminBytes: 2000, kmaxBytes: 2000, pmax: 1 }], ewma: 0.5 };
    expect(trains({ ecn }, fold).names(({ isMarked }) => isMarked)).toEqual(['a2', 'b2', 'a3', 'b3', 'a4', 'b4']);
    const atEnqueue = trains({ ecn: { ...ecn, markAt: 'enqueue' } }, fold);
    expect(atEnqueue.names(({ isMarked }) => isMarked)).toEqual(['b2', 'a3', 'b3', 'a4', 'b4']);
  });

  test('SW-8: a packet over the limit is trimmed to 62 B of control and overtakes data', () => {
    const run = trains({ trimming: true, egressLimitBytes: 2500, controlLimitBytes: 1000 }, fold);
    // b2 is trimmed at 540, b3 at 560, a4 and b4 at 580; 62 B take 1.24 ns.
    expect(run.arrivals.map(({ name, at, kind, isLastHop }) => [name, at, kind, isLastHop])).toEqual([
      ['a1', 1_040_000, PacketKind.data, false],
      ['b1', 1_060_000, PacketKind.data, false],
      ['b2', 1_061_240, PacketKind.trimmed, true],
      ['b3', 1_062_480, PacketKind.trimmed, true],
      ['a2', 1_082_480, PacketKind.data, false],
      ['a4', 1_083_720, PacketKind.trimmed, true],
      ['b4', 1_084_960, PacketKind.trimmed, true],
      ['a3', 1_104_960, PacketKind.data, false],
    ]);
    expect(run.fabric.counters.trims[egressOf(run)]).toBe(4);
    expect(total(run.fabric.counters.egressDrops)).toBe(0);
  });

  test('SW-8: without room in control a trimmed packet is dropped', () => {
    // b3 finds b2 in service, b4 finds a4 waiting: 124 B each.
    const run = trains({ trimming: true, egressLimitBytes: 2500, controlLimitBytes: 100 }, fold);
    expect(run.names()).toEqual(['a1', 'b1', 'b2', 'a2', 'a4', 'a3']);
    expect(run.fabric.counters.egressDrops[2 * egressOf(run) + 1]).toBe(2);
    expect(run.fabric.counters.trims[egressOf(run)]).toBe(2);
  });

  test('SW-3: a retransmission has 1.5 times the limit where packets are trimmed', () => {
    const packets = TWO_TRAINS.map((packet) => ({ ...packet, isRetransmission: packet.name === 'b2' }));
    for (const [trimming, data] of [
      [true, ['a1', 'b1', 'a2', 'b2', 'a4']],
      [false, ['a1', 'b1', 'a2', 'a3', 'a4']],
    ] as const) {
      const switches = { trimming, egressLimitBytes: 2500, controlLimitBytes: 1000 };
      const run = new RawPackets(TOPOLOGY, packetSettings({ switches, fold })).run(packets);
      // With b2 in the queue, a3 and b3 are trimmed at 560: 1000 in service, 1000 waiting; at 580 a4 finds room.
      expect(run.names(({ kind }) => kind === PacketKind.data)).toEqual(data);
    }
  });
});

test('SW-3: the queueBytes of a link replace the limit at both its ends', () => {
  const links = [
    [0, 3],
    [1, 3],
    [2, 3, { queueBytes: 3000 }],
  ] as const;
  const settings = packetSettings({ switches: { egressLimitBytes: 1000 } });
  const run = new RawPackets(packetTopology(3, 1, links), settings).run(TWO_TRAINS);
  expect(run.names()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('SW-3: LossyAlpha times the free bytes of the pool', () => {
  // Pool 9,000 B. b1: 2000 ≤ 8000 / 4. a2: 2000 ≤ 8000 / 4, since a1 has left; b2: 3000 > 7000 / 4.
  const run = trains({ lossyAlpha: 0.25, bufferBytes: 10_000, egressLimitBytes: 0 });
  expect(run.names()).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

test('SW-3: what the pool of its class has no room for is dropped', () => {
  // Pool 3,060 B. At 560 b1 has left, b2 and a2 are held: a3 fills it, b3 finds no room; at 580 the same with a4 and b4.
  const run = trains({ bufferBytes: 3400 });
  expect(run.names()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  expect(run.fabric.counters.egressDrops[2 * egressOf(run)]).toBe(2);
});

test('SW-7: between the thresholds with probability pmax × (q − kmin) / (kmax − kmin)', () => {
  // Each packet finds the port idle: q is 1,000 and the probability 0.2 × 500 / 1000; 4,000 draws, five deviations are 95.
  const ecn = { enabled: true, thresholds: [{ kminBytes: 500, kmaxBytes: 1500, pmax: 0.2 }] };
  const packets = Array.from({ length: 4000 }, () => ({ source: 0, destination: 2, bytes: 1000, name: 'a' }));
  const run = new RawPackets(TOPOLOGY, packetSettings({ switches: { ecn } })).run(packets);
  const stream = new RandomStream(1, 3, `ecn/${EGRESS}`);
  const drawn = packets.filter(() => stream.uniform() < 0.1).length;
  expect(run.fabric.counters.marks[egressOf(run)]).toBe(drawn);
  expect(Math.abs(drawn - 400)).toBeLessThan(95);
});

test('SW-7: rates without a row are scaled from that of 100 Gbit/s; EcnOnHostPorts false marks none of theirs', () => {
  const { switches } = packetSettings();
  const ecn = {
    ...{ enabled: true, scaleFromGbps: 100, ewma: 1, markAt: 'dequeue' as const, onHostPorts: false },
    thresholds: [{ gbps: 100, kminBytes: 400_000, kmaxBytes: 1_600_000, pmax: 0.2 }],
  };
  expect(ecnThresholdsOf({ switches: { ...switches, ecn } }, 800, false)).toMatchObject({
    kminBytes: 3_200_000,
    kmaxBytes: 12_800_000,
    pmax: 0.2,
  });
  expect(ecnThresholdsOf({ switches: { ...switches, ecn } }, 100, true)).toBeUndefined();
  expect(ecnThresholdsOf({ switches: { ...switches, ecn: { ...ecn, onHostPorts: true } } }, 100, true)?.kminBytes).toBe(
    400_000,
  );
});

test('SW-8: the last-hop flag is for the port that faces the destination', () => {
  // Hosts 0 and 1 on switch 3, host 2 on switch 4: packets are trimmed at the link between the switches.
  const topology = packetTopology(3, 2, [
    [0, 3],
    [1, 3],
    [2, 4],
    [3, 4],
  ]);
  const settings = packetSettings({ switches: { trimming: true, egressLimitBytes: 2500, controlLimitBytes: 1000 } });
  const trimmed = new RawPackets(topology, settings).run(TWO_TRAINS).arrivals.filter(({ kind }) => kind !== 0);
  expect(trimmed.map(({ name, isLastHop }) => [name, isLastHop])).toEqual([
    ['b2', false],
    ['b3', false],
    ['a4', false],
    ['b4', false],
  ]);
});

test('TOPO-1: frames are lost on a link with the probability stated, drawn at arrival', () => {
  const links = [
    [0, 3],
    [1, 3],
    [2, 3, { loss: 0.25 }],
  ] as const;
  const packets = Array.from({ length: 400 }, () => ({ source: 0, destination: 2, bytes: 1000, name: 'a' }));
  const run = new RawPackets(packetTopology(3, 1, links), packetSettings()).run(packets);
  const stream = new RandomStream(1, 2, 'loss/0');
  const lost = packets.filter(() => stream.uniform() < 0.25).length;
  expect(run.fabric.counters.losses[run.port(2, 3)]).toBe(lost);
  expect(run.arrivals).toHaveLength(400 - lost);
  expect(run.fabric.packets.count).toBe(0);
});

describe('RT-3', () => {
  // Hosts 0 … 3 on leaf 8, 4 … 7 on leaf 9, spines 10 … 13.
  const topology = leafSpine(2, 4, 4);
  const one = (at: number, other: Partial<RawPacket> = {}): RawPacket => ({
    ...{ source: 0, destination: 5, bytes: 1000, name: 'a', at, ...other },
  });
  /** Packets that went up to each spine. */
  function up(mode: 'flow' | 'spray-rr' | 'spray-random' | 'adaptive', packets: readonly RawPacket[]): number[] {
    const run = new RawPackets(topology, packetSettings({ routing: { mode } })).run(packets);
    return [10, 11, 12, 13].map((spine) => framesSent(run.fabric, run.port(8, spine)));
  }

  test('RT-3: flow takes hash mod n, as in the table of RT-4', () => {
    expect(up('flow', [one(0, { sourcePort: 256 })])).toEqual([0, 0, 0, 1]);
    expect(up('flow', [one(0, { sourcePort: 257 }), one(0, { sourcePort: 258 })])).toEqual([0, 2, 0, 0]);
  });

  test('RT-3: spray-rr counts packets for each set of members, whatever their destination', () => {
    const packets = [4, 5, 6, 4, 5, 6].map((destination, n) => one(n * 1e6, { destination }));
    expect(up('spray-rr', packets)).toEqual([2, 2, 1, 1]);
    // Packets to a host of the same leaf have a set of their own.
    expect(up('spray-rr', [one(0), one(1e6, { destination: 1 }), one(2e6)])).toEqual([1, 1, 0, 0]);
  });

  test('RT-3: spray-random draws for each packet', () => {
    const packets = Array.from({ length: 100 }, (_, n) => one(n * 1e6));
    const stream = new RandomStream(1, 8, 'spray');
    const expected = [0, 0, 0, 0];
    for (let n = 0; n < 100; n++) expected[Math.floor(stream.uniform() * 4)]++;
    expect(up('spray-random', packets)).toEqual(expected);
  });

  test('RT-3: adaptive takes the least queued egress, the lowest member of equal ones', () => {
    // Three at one instant by three ingresses, then one that finds all idle again.
    const together = [0, 1, 2].map((source) => one(0, { source }));
    expect(up('adaptive', together)).toEqual([1, 1, 1, 0]);
    expect(up('adaptive', [...together, one(1e6)])).toEqual([2, 1, 1, 0]);
  });

  test('RT-3: adaptive counts control that waits and is sent', () => {
    const packets = [one(0, { kind: PacketKind.ack, bytes: 900 }), one(0, { source: 1, bytes: 900 })];
    expect(up('adaptive', packets)).toEqual([1, 1, 0, 0]);
  });
});
