import fc from 'fast-check';
import {
  ecnSettings,
  ecnThresholdsOf,
  markingProbability,
} from '../../../../src/network/packet/settings/ecn-thresholds.js';
import type {
  EcnThresholds,
  NicKind,
  PacketSettings,
} from '../../../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../../../src/network/packet/settings/stated-settings.js';

const PLANE_BDP = 300_000;

function thresholds(
  nic: NicKind,
  gbps: number,
  stated: StatedSettings = {},
  isHostPort = true,
): EcnThresholds | undefined {
  const ecn = ecnSettings(nic, stated, PLANE_BDP);
  return ecnThresholdsOf({ switches: { ecn } as PacketSettings['switches'] }, gbps, isHostPort);
}

function row(nic: NicKind, gbps: number, stated: StatedSettings = {}): [number, number, number] {
  const { kminBytes, kmaxBytes, pmax } = thresholds(nic, gbps, stated)!;
  return [kminBytes, kmaxBytes, pmax];
}

describe('SW-7', () => {
  test.each([
    [25, 100_000, 400_000],
    [40, 200_000, 800_000],
    [50, 200_000, 800_000],
    [100, 400_000, 1_600_000],
    [200, 600_000, 2_400_000],
    [400, 800_000, 3_200_000],
  ])('SW-7: RoCEv2 at %d Gbit/s from %d to %d B', (gbps, kmin, kmax) => {
    expect(row('roce', gbps)).toEqual([kmin, kmax, 0.2]);
  });

  test('SW-7: other rates are the row of 100 Gbit/s in proportion', () => {
    expect(row('roce', 800)).toEqual([3_200_000, 12_800_000, 0.2]);
    expect(row('roce', 10)).toEqual([40_000, 160_000, 0.2]);
    expect(row('roce', 56)).toEqual([224_000, 896_000, 0.2]);
  });

  test('SW-7: 100 Gbit/s, q = 1,000,000 → 0.1', () => {
    expect(markingProbability(thresholds('roce', 100)!, 1_000_000)).toBeCloseTo(0.1, 12);
  });

  test('SW-7: below kmin never, from kmax always', () => {
    const at = thresholds('roce', 100)!;
    expect([399_999, 400_000, 1_599_999, 1_600_000].map((q) => markingProbability(at, q))).toEqual([
      ...[0, 0, (0.2 * 1_199_999) / 1_200_000, 1],
    ]);
    const step = { kminBytes: 1000, kmaxBytes: 1000, pmax: 0.5 };
    expect([999, 1000].map((q) => markingProbability(step, q))).toEqual([0, 1]);
  });

  test('SW-7: profile paper is 5 and 200 KB at 40 Gbit/s, in proportion elsewhere', () => {
    expect(row('roce', 40, { EcnProfile: 'paper' })).toEqual([5000, 200_000, 0.01]);
    expect(row('roce', 400, { EcnProfile: 'paper' })).toEqual([50_000, 2_000_000, 0.01]);
  });

  test.each(['uet', 'mrc'] as const)('SW-7: %s marks from 60,000 to 240,000 B at any rate', (nic) => {
    const ecn = ecnSettings(nic, {}, PLANE_BDP);
    expect(ecn.thresholds).toEqual([{ kminBytes: 60_000, kmaxBytes: 240_000, pmax: 1 }]);
  });

  test('SW-7: on ports of hosts RoCEv2 and UET mark, MRC does not', () => {
    expect(thresholds('roce', 400)).toBeDefined();
    expect(thresholds('uet', 400)).toBeDefined();
    expect(thresholds('mrc', 400)).toBeUndefined();
    expect(thresholds('mrc', 400, {}, false)).toEqual({ kminBytes: 60_000, kmaxBytes: 240_000, pmax: 1 });
    expect(thresholds('mrc', 400, { EcnOnHostPorts: true })).toBeDefined();
    expect(thresholds('roce', 400, { EcnOnHostPorts: false })).toBeUndefined();
    expect(thresholds('roce', 400, { Ecn: false }, false)).toBeUndefined();
  });

  test('SW-7: stated thresholds hold for every rate, a stated probability for every row', () => {
    const stated = { EcnKmin: 10_000, EcnKmax: 20_000 };
    expect(row('roce', 400, stated)).toEqual([10_000, 20_000, 0.2]);
    expect(row('roce', 7, { ...stated, EcnPmax: 1 })).toEqual([10_000, 20_000, 1]);
    expect(row('roce', 100, { EcnPmax: 0.5 })).toEqual([400_000, 1_600_000, 0.5]);
    expect(row('roce', 800, { EcnPmax: 0.5 })).toEqual([3_200_000, 12_800_000, 0.5]);
  });

  test('SW-7: one threshold without the other, and in the wrong order', () => {
    expect(() => row('roce', 400, { EcnKmin: 1 })).toThrow('EcnKmin is stated without EcnKmax; expected both or none');
    expect(() => row('roce', 400, { EcnKmax: 1 })).toThrow('EcnKmax is stated without EcnKmin; expected both or none');
    expect(() => row('uet', 400, { EcnKmin: 2, EcnKmax: 1 })).toThrow(
      'EcnKmin 2 B is above EcnKmax 1 B; expected at most as much',
    );
  });

  test('SW-7: a probability and a weight out of range', () => {
    for (const EcnPmax of [-0.1, 1.1, NaN]) {
      expect(() => row('roce', 400, { EcnPmax })).toThrow(`EcnPmax ${EcnPmax}; expected a probability from 0 to 1`);
    }
    for (const EcnEwma of [0, 1.1]) {
      expect(() => row('roce', 400, { EcnEwma })).toThrow(`EcnEwma ${EcnEwma}; expected a weight above 0, at most 1`);
    }
  });

  test('SW-7: the mean counts the newest length alone, and the decision falls at the start, unless stated', () => {
    expect(ecnSettings('roce', {}, PLANE_BDP)).toMatchObject({ ewma: 1, markAt: 'dequeue' });
    expect(ecnSettings('roce', { EcnEwma: 0.002, EcnMarkAt: 'enqueue' }, PLANE_BDP)).toMatchObject({
      ...{ ewma: 0.002, markAt: 'enqueue' },
    });
  });

  test('the probability never falls as the queue grows, and stays within 0 and 1', () => {
    const bytes = fc.integer({ min: 0, max: 5_000_000 });
    fc.assert(
      fc.property(bytes, bytes, fc.double({ min: 0.5, max: 1600, noNaN: true }), (one, other, gbps) => {
        const at = thresholds('roce', gbps)!;
        const [least, most] = [Math.min(one, other), Math.max(one, other)].map((q) => markingProbability(at, q));
        expect(least).toBeLessThanOrEqual(most);
        expect(least).toBeGreaterThanOrEqual(0);
        expect(most).toBeLessThanOrEqual(1);
      }),
    );
  });
});
