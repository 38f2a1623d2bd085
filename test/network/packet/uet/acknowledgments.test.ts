import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { MIB, oneSwitch, runUet, sumOf, type UetOverrides, type UetRun } from '../../../support/uet-runs.js';
import { watchArrivals, type SeenPacket } from '../../../support/uet-watch.js';

/** Data packet 84,040 ps, ACK 1,560 ps, each link 500,000 ps. */
const DATA_PS = 84_040;
const TO_RECEIVER_PS = 500_000 + DATA_PS + 500_000;
const ACK_PS = 2 * (1_560 + 500_000);

function one(
  packets: number,
  overrides: UetOverrides,
  isLost: (packet: SeenPacket) => boolean = () => false,
): UetRun & { arrivals: SeenPacket[] } {
  const arrivals: SeenPacket[] = [];
  const run = runUet(oneSwitch(2), overrides, [{ source: 0, destination: 1, bytes: packets * 4096 }], (started) =>
    watchArrivals(started, arrivals, isLost),
  );
  return { ...run, arrivals };
}

const isData = ({ kind }: SeenPacket): boolean => kind === PacketKind.data;
const isAck = ({ kind }: SeenPacket): boolean => kind === PacketKind.ack;

test('UE-2: packets are delivered in any order; a message is received with the one that was missing', () => {
  const { times, network } = one(3, {}, (packet) => isData(packet) && packet.psn === 0 && packet.attempt === 0);
  // The timer of packet 0 runs from 84,040; its second transmission ends 150,084,040 + 84,040.
  const received = DATA_PS + 150_000_000 + DATA_PS + TO_RECEIVER_PS;
  expect(times[0]).toEqual({ sent: 3 * DATA_PS, received, acknowledged: received + ACK_PS });
  const { hostCounters } = network;
  expect([hostCounters.outOfOrder[1], hostCounters.duplicates[1]]).toEqual([2, 0]);
  expect([hostCounters.timeouts[0], hostCounters.retransmissions[0]]).toEqual([1, 1]);
});

test('UE-2: a duplicate is acknowledged', () => {
  const { times, network } = one(1, {}, (packet) => isAck(packet) && packet.attempt === 0);
  const received = DATA_PS + TO_RECEIVER_PS;
  const again = DATA_PS + 150_000_000 + DATA_PS + TO_RECEIVER_PS;
  expect(times[0]).toEqual({ sent: DATA_PS, received, acknowledged: again + ACK_PS });
  expect(network.hostCounters.duplicates[1]).toBe(1);
});

test('UE-3: each packet draws an ACK of 78 B that names it and all before it', () => {
  const { arrivals } = one(256, {});
  const acks = arrivals.filter(isAck);
  expect(acks.map(({ psn }) => psn)).toEqual(Array.from({ length: 256 }, (_, psn) => psn));
  expect(acks.map(({ cumulative }) => cumulative)).toEqual(Array.from({ length: 256 }, (_, psn) => psn + 1));
  expect(new Set(acks.map(({ bytes }) => bytes))).toEqual(new Set([78]));
});

test('UE-3: an ACK echoes the entropy value of its packet', () => {
  const { arrivals } = one(200, {});
  const valueOf = (kind: number): number[] =>
    arrivals.filter((packet) => packet.kind === kind).map((each) => each.entropy);
  expect(valueOf(PacketKind.ack)).toEqual(valueOf(PacketKind.data));
});

test('UE-3: with AckEvery 4, packets 1, 5, 9, … and the last draw an ACK', () => {
  const { arrivals, times } = one(256, { uet: { ackEvery: 4 } });
  const expected = [...Array.from({ length: 64 }, (_, fourth) => 4 * fourth), 255];
  expect(arrivals.filter(isAck).map(({ psn }) => psn)).toEqual(expected);
  expect(times[0].acknowledged).toBe(23_601_400);
});

test('UE-3: the bitmap acknowledges packets whose own ACKs are lost', () => {
  const { network } = one(
    10,
    {},
    (packet) =>
      (isData(packet) && packet.psn === 0 && packet.attempt === 0) ||
      (isAck(packet) && packet.psn > 0 && packet.psn < 9),
  );
  expect(network.hostCounters.retransmissions[0]).toBe(1);
  expect(network.hostCounters.duplicates[1]).toBe(0);
});

test('UE-3: without the bitmap of a later ACK, packets whose ACKs are lost are sent again', () => {
  const { network } = one(10, {}, (packet) => isAck(packet) && packet.attempt === 0);
  expect(network.hostCounters.timeouts[0]).toBe(10);
  expect(network.hostCounters.duplicates[1]).toBe(10);
});

test('UE-4: an ACK beyond a missing packet does not bring a retransmission, with UetGapDetect it does', () => {
  const isLost = (packet: SeenPacket): boolean => isData(packet) && packet.psn === 0 && packet.attempt === 0;
  const waiting = one(3, { uet: { spraying: 'none' } }, isLost);
  expect(waiting.network.hostCounters.timeouts[0]).toBe(1);
  const detecting = one(3, { uet: { spraying: 'none', gapDetect: true } }, isLost);
  // Packet 1 leaves at 168,080; its ACK says that packet 0, on the same way before it, is lost.
  const found = 2 * DATA_PS + TO_RECEIVER_PS + ACK_PS;
  expect(detecting.times[0].received).toBe(found + DATA_PS + TO_RECEIVER_PS);
  expect(detecting.times[0].acknowledged).toBe(found + DATA_PS + TO_RECEIVER_PS + ACK_PS);
  expect(detecting.network.hostCounters.timeouts[0]).toBe(0);
});

test('MR-5: an ACK on another value says nothing about a missing packet', () => {
  const { network } = one(
    3,
    { uet: { gapDetect: true } },
    (packet) => isData(packet) && packet.psn === 0 && packet.attempt === 0,
  );
  expect(network.hostCounters.timeouts[0]).toBe(1);
});

test('UE-7: after the first ACK one probe of 62 B goes ahead of data and delays the rest by 1.24 ns', () => {
  const { arrivals, times, network } = one(256, { uet: { probe: true } });
  expect(times[0]).toEqual({ sent: 21_515_480, received: 22_599_520, acknowledged: 23_602_640 });
  const probes = arrivals.filter(({ kind }) => kind === PacketKind.probe);
  expect(probes.map(({ bytes }) => bytes)).toEqual([62]);
  expect(arrivals.filter(({ kind }) => kind === PacketKind.probeAnswer)).toHaveLength(1);
  expect(network.hostCounters.rtt.count[0]).toBe(256);
});

test('UE-7: a message that ends with its first ACK sends no probe', () => {
  const { arrivals } = one(1, { uet: { probe: true } });
  expect(arrivals.map(({ kind }) => kind)).toEqual([PacketKind.data, PacketKind.ack]);
});

test('a message of 0 B is one packet', () => {
  const { times, arrivals } = one(0, {});
  // 106 B: 2,120 ps.
  const received = 2 * (2_120 + 500_000);
  expect(times[0]).toEqual({ sent: 2_120, received, acknowledged: received + ACK_PS });
  expect(arrivals).toHaveLength(2);
});

test('NIC-3: AckTurnaround holds each ACK back', () => {
  const { times } = one(256, { hosts: { ackTurnaroundPs: 50_000 } });
  expect(times[0].acknowledged).toBe(23_601_400 + 50_000);
});

test('UE-6: 1 MiB over links that lose one packet in a hundred is delivered once and acknowledged', () => {
  const { times, network } = runUet(oneSwitch(2, { loss: 0.01 }), { seed: 3 }, [
    { source: 0, destination: 1, bytes: MIB },
  ]);
  expect(times[0].acknowledged).toBeGreaterThan(times[0].received);
  const { timeouts, retransmissions, duplicates } = network.hostCounters;
  expect(timeouts[0]).toBeGreaterThan(0);
  expect(retransmissions[0]).toBe(timeouts[0]);
  expect(duplicates[1]).toBeLessThanOrEqual(retransmissions[0]);
  expect(sumOf(network.fabric.counters.losses)).toBeGreaterThan(0);
  expect(network.fabric.packets.count).toBe(0);
});
