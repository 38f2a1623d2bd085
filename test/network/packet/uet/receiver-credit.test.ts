import { PacketKind } from '../../../../src/network/packet/fabric/packet-record.js';
import { incast, MIB, oneSwitch, runUet, sumOf, type UetOverrides } from '../../../support/uet-runs.js';
import { watchArrivals, type SeenPacket } from '../../../support/uet-watch.js';

const CREDIT_ONLY: UetOverrides = {
  uet: { receiverCredit: true },
  nscc: { enabled: false },
  switches: { trimming: false, egressLimitBytes: Infinity, controlLimitBytes: Infinity },
};
const isCredit = ({ kind }: SeenPacket): boolean => kind === PacketKind.credit;

/*
 * 1 MiB counts 1,048,576 + 256 × 88 = 1,071,104 B; 1.5 BDP are 450,000 B, the rest is 149 credits of 4,184 B.
 */

test('RCCC: one sender never lacks credit, 149 packets of 62 B bring it', () => {
  const arrivals: SeenPacket[] = [];
  const { times } = runUet(oneSwitch(2), CREDIT_ONLY, [{ source: 0, destination: 1, bytes: MIB }], (run) =>
    watchArrivals(run, arrivals),
  );
  expect(times[0]).toEqual({ sent: 21_514_240, received: 22_598_280, acknowledged: 23_601_400 });
  const credits = arrivals.filter(isCredit);
  expect(credits).toHaveLength(149);
  expect(new Set(credits.map(({ bytes }) => bytes))).toEqual(new Set([62]));
  // The first packet arrives at 1,168,080; the credit follows its ACK over both links.
  expect(credits[0].timePs).toBe(1_168_080 + 2 * (1_560 + 500_000) + 1_240);
});

test('RCCC: credit is handed out at line rate, in turn', () => {
  const arrivals: SeenPacket[] = [];
  const { times } = runUet(oneSwitch(5), CREDIT_ONLY, incast(4), (run) => watchArrivals(run, arrivals));
  const credits = arrivals.filter(isCredit);
  expect(credits).toHaveLength(4 * 149);
  const span = credits[credits.length - 1].timePs - credits[0].timePs;
  // One a packet time; a credit may wait for an ACK in front of it.
  expect(Math.abs(span - (4 * 149 - 1) * 84_040)).toBeLessThan(4 * 1_560);
  // The packets of the four come one after the other, so the first turns are not yet complete, nor the last.
  for (let turn = 8; turn < credits.length - 12; turn++) {
    expect(new Set(credits.slice(turn, turn + 4).map(({ node }) => node)).size).toBe(4);
  }
  const last = Math.max(...times.map(({ acknowledged }) => acknowledged));
  expect(last).toBeLessThan(1.05 * 88_144_000);
});

test('RCCC: without any credit the initial one is used, then one packet after the other', () => {
  const departed: number[] = [];
  const { times, network } = runUet(oneSwitch(2), CREDIT_ONLY, [{ source: 0, destination: 1, bytes: MIB }], (run) =>
    watchArrivals(run, [], (packet) => {
      if (packet.kind === PacketKind.data) departed.push(packet.timePs);
      return isCredit(packet);
    }),
  );
  // 107 packets leave 2,312 B: one more may go. The next ones wait for the ACK of the one before.
  const gaps = departed.slice(1).map((timePs, index) => timePs - departed[index]);
  expect(gaps.slice(0, 107).every((gap) => gap === 84_040)).toBe(true);
  // An ACK and the data packet that it lets go: 1,003,120 + 84,040 + 1,084,040.
  expect(gaps.slice(108).every((gap) => gap >= 2_171_200)).toBe(true);
  expect(times[0].acknowledged).toBeGreaterThan(times[0].received);
  expect(sumOf(network.hostCounters.timeouts)).toBe(0);
});

test('RCCC: lost and trimmed packets are paid again', () => {
  const { times, network } = runUet(
    oneSwitch(8, { loss: 0.002 }),
    { uet: { receiverCredit: true, timeoutPs: 30e6 }, seed: 5 },
    incast(7),
  );
  for (const { acknowledged } of times) expect(acknowledged).toBeGreaterThan(0);
  expect(sumOf(network.fabric.counters.trims)).toBeGreaterThan(0);
  expect(sumOf(network.fabric.counters.losses)).toBeGreaterThan(0);
  expect(network.fabric.packets.count).toBe(0);
});
