import { BYTES, FLOW, KIND, PACKET_INTEGERS, PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { LINK_CONTROL } from '../../../../src/network/packet/fabric/port-record.js';
import type { SwitchSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { checkInvariants } from '../../../../src/network/packet/checks/invariants.js';
import {
  incast,
  type Overrides,
  packetSettings,
  packetTopology,
  type PacketRun,
  runPackets,
  singleSwitch,
  total,
} from '../../../support/packet-runs.js';
import { RawPackets, type RawPacket } from '../../../support/raw-packets.js';

const MIB = 1 << 20;
const STATIC = { pfc: 'static', bufferBytes: 256e6 } as const;

function run(hosts: number, switches: Overrides<SwitchSettings>, posts: ReturnType<typeof incast>, fold = true) {
  const result = runPackets(singleSwitch(hosts), packetSettings({ switches, fold, check: true }), posts);
  checkInvariants(result.network);
  return result;
}

function receivedUs({ times }: PacketRun): number[] {
  return times.map(({ received }) => received / 1e6);
}

/** A counter by class, at the ports of the switch that lead to hosts. */
function atHosts({ network }: PacketRun, counter: Float64Array, hosts: readonly number[], packetClass = 0): number[] {
  const { numbers } = network.fabric;
  return hosts.map((host) => counter[2 * numbers.peerOf[numbers.first[host]] + packetClass]);
}

describe.each([true, false])('with the fold %s', (fold) => {
  test('SW-4: every ingress that said XOFF says XON, and the one to the destination neither', () => {
    const result = run(5, STATIC, incast([1, 2, 3, 4], 0, MIB), fold);
    const { counters } = result.network.fabric;
    expect(atHosts(result, counters.xoffsSent, [0, 1, 2, 3, 4])).toEqual([0, 1, 1, 1, 1]);
    expect(atHosts(result, counters.xonsSent, [0, 1, 2, 3, 4])).toEqual([0, 1, 1, 1, 1]);
  });
});

test('SW-5: dynamic PFC loses nothing, and the egress never idles', () => {
  const result = run(5, { pfc: 'dynamic', bufferBytes: 2 << 20 }, incast([1, 2, 3, 4], 0, MIB));
  const { counters } = result.network.fabric;
  expect(Math.max(...receivedUs(result))).toBe(86.157);
  expect(Math.min(...atHosts(result, counters.xoffsSent, [1, 2, 3, 4]))).toBeGreaterThan(0);
  expect(total(counters.ingressDrops)).toBe(0);
});

/* Frames of 1,000 B, 20 ns each; a PFC frame of 84 B takes 1.68 ns and 500 ns to the host. */
const train = (count: number, other: Partial<RawPacket> = {}): RawPacket[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ source: 0, destination: 1, bytes: 1000, name: `a${n}`, ...other },
  }));

describe.each([true, false])('with the fold %s', (fold) => {
  test('SW-6: the frame in progress is finished, then the class stops until XON; the other class goes on', () => {
    const raw = new RawPackets(singleSwitch(2), packetSettings({ switches: STATIC, fold }));
    const port = raw.port(2, 0);
    raw.at(0, () => raw.fabric.sendPfc(port, 0, true));
    raw.at(700_000, () => raw.fabric.sendPfc(port, 0, false));
    const control: RawPacket = { ...train(1)[0], kind: PacketKind.ack, bytes: 100, name: 'c', at: 600_000 };
    raw.run([...train(28), control]);
    const at = Object.fromEntries(raw.arrivals.map((arrival) => [arrival.name, arrival.at]));
    // At 501.68 ns a25 is being sent; it ends at 520. a26 waits for XON at 1,201.68 ns.
    expect(at.a25).toBe(520_000 + 500_000 + 20_000 + 500_000);
    expect(at.c).toBe(600_000 + 2_000 + 500_000 + 2_000 + 500_000);
    expect([at.a26, at.a27]).toEqual([2_241_680, 2_261_680]);
    const host = 2 * raw.port(0, 2);
    expect(raw.fabric.counters.pausedPs[host]).toBe(700_000);
    expect(raw.fabric.counters.xoffsReceived[host]).toBe(1);
  });

  test('SW-6: class 1 stops and restarts by itself, with its own counters', () => {
    // 7 of the frames of control fit below Xoff where the egress is paused for control; the 8th says XOFF for class 1.
    const switches = { ...STATIC, xoffBytes: 7500, xonBytes: 3000 };
    const raw = new RawPackets(singleSwitch(2), packetSettings({ switches, fold }));
    const egress = raw.port(2, 1);
    raw.at(0, () => raw.fabric.sendPfc(raw.port(1, 2), 1, true));
    raw.at(3_000_000, () => raw.fabric.sendPfc(raw.port(1, 2), 1, false));
    const late = { at: 510_000 };
    raw.run([...train(60, { ...late, kind: PacketKind.ack, name: 'c' }), ...train(3, late)]);
    const { counters } = raw.fabric;
    expect(counters.xoffsReceived[2 * egress + 1]).toBe(1);
    const ingress = raw.port(2, 0);
    expect([counters.xoffsSent[2 * ingress], counters.xoffsSent[2 * ingress + 1]]).toEqual([0, 1]);
    expect(counters.xonsSent[2 * ingress + 1]).toBe(1);
    // While control is stopped at the host, its data goes.
    expect(raw.names().slice(0, 3)).toEqual(['a0', 'a1', 'a2']);
    expect(raw.arrivals).toHaveLength(63);
    expect(raw.fabric.packets.count).toBe(0);
  });
});

test('SW-6: a PFC frame waits only for the frame that is being sent', () => {
  const raw = new RawPackets(singleSwitch(2), packetSettings({ switches: STATIC }));
  // Host 1 sends to host 0, so the switch's port to host 0 is busy from 520 ns, in steps of 20 ns.
  raw.at(530_000, () => raw.fabric.sendPfc(raw.port(2, 0), 0, true));
  raw.at(2_000_000, () => raw.fabric.sendPfc(raw.port(2, 0), 0, false));
  raw.run([...train(5, { source: 1, destination: 0 }), ...train(1, { at: 1_041_000 }), ...train(1, { at: 1_042_000 })]);
  // It starts at 540, is at host 0 at 1,041.68: the frame that started at 1,041 is finished, the next one waits for XON.
  const arrived = raw.arrivals.filter((_, n) => n >= 5).map(({ at }) => at);
  expect(arrived).toEqual([1_041_000 + 1_040_000, 2_501_680 + 1_040_000]);
  // The frames behind it come 1.68 ns later.
  expect(raw.arrivals.slice(0, 3).map(({ at }) => at)).toEqual([1_040_000, 1_061_680, 1_081_680]);
});

test('SW-4: an ingress without enough headroom drops, and go-back-N repairs it', () => {
  const result = runPackets(
    singleSwitch(5),
    packetSettings({ switches: { ...STATIC, headroomBytes: 20_000 }, roce: { retransmitTimeoutPs: 100e6 } }),
    incast([1, 2, 3, 4], 0, MIB),
  );
  checkInvariants(result.network);
  expect(total(result.network.fabric.counters.ingressDrops)).toBeGreaterThan(0);
  expect(result.times.every(({ acked }) => acked > 0)).toBe(true);
});

test('SW-4: [true, false]: control is lossy, limited at the egress, and pauses nobody', () => {
  // ACKs of 126 B for every packet of seven hosts' messages to one meet no queue; a limit below one drops them all.
  const switches = { ...STATIC, lossless: [true, false] as const };
  const fine = run(8, switches, incast([1, 2, 3, 4, 5, 6, 7], 0, MIB));
  expect(Math.max(...receivedUs(fine))).toBe(149.96244);
  const { counters } = fine.network.fabric;
  expect(atHosts(fine, counters.xoffsSent, [0, 1, 2, 3, 4, 5, 6, 7], 1)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  const settings = packetSettings({ switches: { ...switches, controlLimitBytes: 100 } });
  const mute = runPackets(singleSwitch(2), settings, incast([1], 0, 4096), () => {}, 1e9);
  expect(mute.times[0].received).toBe(1_166_160);
  expect(mute.times[0].acked).toBeNaN();
  expect(total(mute.network.fabric.counters.egressDrops)).toBe(1);
});

test('SW-6: a pause between switches holds back the flows of that direction only', () => {
  // Hosts 0, 1, 4 on switch 5, hosts 2, 3 on switch 6: 0→2 and 1→2 overload the port of 2 and stop the link; 3→4 comes back.
  const links = [
    [0, 5],
    [1, 5],
    [4, 5],
    [2, 6],
    [3, 6],
    [5, 6, { gbps: 800 }],
  ] as const;
  const settings = packetSettings({ switches: { ...STATIC, xoffBytes: 100_000, xonBytes: 50_000 }, check: true });
  const posts = [...incast([0, 1], 2, MIB), { source: 3, destination: 4, bytes: MIB }];
  const { times, network } = runPackets(packetTopology(5, 2, links), settings, posts);
  checkInvariants(network);
  const { counters, numbers } = network.fabric;
  const link = [...numbers.peerOf.keys()].find((port) => numbers.nodeOf[port] === 5 && numbers.linkOf[port] === 5)!;
  expect(counters.xoffsReceived[2 * link]).toBeGreaterThan(0);
  expect(total(counters.ingressDrops)).toBe(0);
  // 3→4 meets ACKs and PFC frames on the link, 1.26 and 0.84 ns each.
  const alone = 256 * 83_080 + 41_540 + 83_080 + 1_500_000;
  expect(times[2].received - alone).toBeGreaterThanOrEqual(0);
  expect(times[2].received - alone).toBeLessThanOrEqual(2_100);
});

test('SW-6, RC-6: a PFC frame of a host goes before the CNPs that wait, behind other PFC frames', () => {
  const { fabric } = new RawPackets(singleSwitch(2), packetSettings());
  fabric.hosts = { ended: () => {}, wants: () => {}, consume: () => {} };
  const kinds = fabric.packets.integers;
  const cnp = (): void => {
    const slot = fabric.packets.take();
    kinds[slot * PACKET_INTEGERS + KIND] = PacketKind.cnp;
    kinds[slot * PACKET_INTEGERS + BYTES] = 122;
    fabric.enqueue(0, slot, LINK_CONTROL);
  };
  cnp();
  fabric.sendPfc(0, 0, true);
  cnp();
  fabric.sendPfc(0, 1, true);
  const taken = Array.from({ length: 5 }, () => fabric.takeFirst(0));
  const { pfc } = PacketKind;
  expect(taken.map((slot) => (slot < 0 ? -1 : kinds[slot * PACKET_INTEGERS + KIND]))).toEqual([
    ...[pfc, pfc, PacketKind.cnp, PacketKind.cnp, -1],
  ]);
  expect(taken.slice(0, 2).map((slot) => kinds[slot * PACKET_INTEGERS + FLOW])).toEqual([0, 1]);
});
