import { packetTotals, type PacketTotals } from '../../../../src/network/packet/counts/packet-totals.js';
import { incast, packetSettings, runPackets, singleSwitch, type PacketRun } from '../../../support/packet-runs.js';

const NONE = {
  retransmissions: 0,
  timeouts: 0,
  lost: 0,
  dropped: 0,
  trimmed: 0,
  marked: 0,
  pauses: 0,
  lastingPauses: 0,
  pausedPs: 0,
};

function totals({ network }: PacketRun): PacketTotals {
  return packetTotals(network);
}

test('R-162: 1 MiB is 256 data packets and 16 acknowledgments', () => {
  const run = runPackets(singleSwitch(2), packetSettings(), [{ source: 0, destination: 1, bytes: 1 << 20 }]);
  expect(totals(run)).toEqual({ ...NONE, data: 256, control: 16 });
});

test('V-5: four to one tell each host once to stop', () => {
  const settings = packetSettings({ switches: { pfc: 'static', bufferBytes: 256e6 } });
  const run = runPackets(singleSwitch(5), settings, incast([1, 2, 3, 4], 0, 1 << 20));
  const { pausedPs, ...counts } = totals(run);
  expect({ ...counts, pausedPs: 0 }).toEqual({ ...NONE, data: 1024, control: 64, pauses: 4 });
  // In fair turns each ingress falls from 700,000 bytes and what follows an XOFF to 300,000 at a quarter of 400 Gbit/s, which
  // takes 32 to 36 µs.
  expect(pausedPs / 4).toBeGreaterThan(32e6);
  expect(pausedPs / 4).toBeLessThan(37e6);
});

test('a pause that lasts at the stop is told apart from those that are over', () => {
  const settings = packetSettings({ switches: { pfc: 'static', bufferBytes: 256e6 } });
  const run = runPackets(singleSwitch(5), settings, incast([1, 2, 3, 4], 0, 1 << 20), () => {}, 20e6);
  expect(totals(run)).toMatchObject({ pauses: 4, lastingPauses: 4, pausedPs: 0 });
});

test('V-21: data sent are data posted and data sent again', () => {
  const settings = packetSettings({
    switches: { egressLimitBytes: 300_000, controlLimitBytes: 300_000 },
    roce: { retransmitTimeoutPs: 50e6 },
  });
  const { data, retransmissions, dropped } = totals(
    runPackets(singleSwitch(8), settings, incast([1, 2, 3, 4, 5, 6, 7], 0, 1 << 20)),
  );
  expect(dropped).toBeGreaterThan(0);
  expect(data).toBe(7 * 256 + retransmissions);
});

test('losses on links', () => {
  const settings = packetSettings({ roce: { retransmitTimeoutPs: 50e6 } });
  const run = runPackets(singleSwitch(2, { loss: 0.01 }), settings, [{ source: 0, destination: 1, bytes: 1 << 20 }]);
  const { lost, dropped, data, retransmissions } = totals(run);
  expect([lost > 0, dropped, data - retransmissions]).toEqual([true, 0, 256]);
});
