import fc from 'fast-check';
import { DcqcnRate } from '../../../../src/network/packet/congestion/dcqcn.js';
import type { DcqcnSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { ns3Dcqcn, paperDcqcn } from '../../../support/congestion-settings.js';
import { SlowDcqcn } from '../../../support/slow-dcqcn.js';

const US = 1e6;

/** Relative, as V-13 allows; its rates are those of test/oracles/validation. */
function expectNear(actual: number, expected: number, tolerance = 1e-9): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));
}

describe('DCQCN, profile paper', () => {
  const slowed = (changes: Partial<DcqcnSettings> = {}, congestions = 1): DcqcnRate => {
    const rate = new DcqcnRate(paperDcqcn(changes), 400);
    for (let count = 0; count < congestions; count++) rate.onCongestion(0);
    return rate;
  };

  test('0.999 of the line is the line: 399.609375 at the ninth tick is 400, and the timers stop', () => {
    const rate = slowed();
    expect(rate.isAtLine(495 * US - 1)).toBe(false);
    expect(rate.isAtLine(495 * US)).toBe(true);
    expect(rate.gbpsAt(495 * US)).toBe(400);
    expectNear(rate.alphaAt(1e12), (255 / 256) ** 9);
    expect(rate.gapPs(4154, 1e12)).toBe(0);
  });

  test('a queue pair that never saw a CNP is at line rate', () => {
    const rate = new DcqcnRate(paperDcqcn(), 400);
    expect([rate.isAtLine(0), rate.gbpsAt(1e12), rate.gapPs(4154, 1e12)]).toEqual([true, 400, 0]);
  });

  test('RC-7: 4,154 B every 166,160 ps at 200 Gbit/s, every 110,774 at 300', () => {
    const rate = slowed();
    expect(rate.gapPs(4154, 0)).toBe(166_160);
    expect(rate.gapPs(4154, 55 * US)).toBe(110_774);
  });

  test('a CNP restarts both timers: at 60 µs 300 becomes 300 × (1 − 0.99609375/2), the next tick is at 115', () => {
    const rate = slowed();
    rate.onCongestion(60 * US);
    expectNear(rate.gbpsAt(60 * US), 150.5859375);
    expectNear(rate.alphaAt(60 * US), 0.9961090087890625);
    expectNear(rate.gbpsAt(115 * US - 1), 150.5859375);
    expectNear(rate.alphaAt(115 * US - 1), 0.9961090087890625);
    expectNear(rate.gbpsAt(115 * US), 225.29296875);
    expectNear(rate.alphaAt(115 * US), (0.9961090087890625 * 255) / 256);
  });

  test('a tick at the instant of a CNP comes first', () => {
    const rate = slowed();
    rate.onCongestion(55 * US);
    expectNear(rate.gbpsAt(55 * US), 150.5859375);
  });

  test('the rate never falls below 100 Mbit/s: 400 / 2^12 is 0.0977', () => {
    expectNear(slowed({}, 11).gbpsAt(0), 400 / 2048);
    expect(slowed({}, 12).gbpsAt(0)).toBe(0.1);
  });

  test('additive increase: 40 Mbit/s × 400/40 from the sixth tick on', () => {
    const rate = slowed({}, 2);
    [150, 175, 187.5, 193.75, 196.875, 198.6375, 199.71875].forEach((gbps, index) => {
      expectNear(rate.gbpsAt((index + 1) * 55 * US), gbps);
    });
  });

  test('byte counter: 10 MB are one step, what is over counts for the next, a CNP restarts it', () => {
    const rate = slowed();
    rate.onSent(9_999_999, US);
    expect(rate.gbpsAt(US)).toBe(200);
    rate.onSent(1, US);
    expect(rate.gbpsAt(US)).toBe(300);
    rate.onSent(15e6, 2 * US);
    expect(rate.gbpsAt(2 * US)).toBe(350);
    rate.onSent(5e6, 3 * US);
    expect(rate.gbpsAt(3 * US)).toBe(375);
    rate.onSent(9_999_999, 4 * US);
    rate.onCongestion(4 * US);
    expect(rate.gbpsAt(4 * US)).toBe(187.5);
    rate.onSent(1, 5 * US);
    expect(rate.gbpsAt(5 * US)).toBe(187.5);
  });

  test('byte counter and timer at one time: both are steps of the same recovery', () => {
    const rate = slowed();
    rate.onSent(20e6, US);
    expect(rate.gbpsAt(US)).toBe(350);
    expect(rate.gbpsAt(55 * US)).toBe(375);
  });

  test('hyper increase once both have gone beyond F: 2 Gbit/s, 2, then 4', () => {
    const rate = slowed({ byteCounterBytes: 1000 }, 2);
    rate.onSent(5000, 0);
    expectNear(rate.gbpsAt(0), 196.875);
    rate.onSent(1000, 0);
    expectNear(rate.gbpsAt(0), 198.6375);
    [199.71875, 200.459375, 201.0296875, 201.51484375, 201.957421875].forEach((gbps, index) => {
      expectNear(rate.gbpsAt((index + 1) * 55 * US), gbps);
    });
    expectNear(rate.gbpsAt(6 * 55 * US), 203.1787109375);
    rate.onSent(1000, 6 * 55 * US);
    expectNear(rate.gbpsAt(6 * 55 * US), 204.78935546875);
    expectNear(rate.gbpsAt(7 * 55 * US), 207.594677734375);
  });

  test('at line rate bytes are not counted', () => {
    const rate = new DcqcnRate(paperDcqcn(), 400);
    rate.onSent(9_999_999, 0);
    rate.onCongestion(0);
    rate.onSent(9_999_999, 0);
    expect(rate.gbpsAt(0)).toBe(200);
  });
});

describe('DCQCN, profile ns3', () => {
  const q = 255 / 256;

  test('a CNP waits for the 4 µs clock that it starts; alpha ticked four times by then', () => {
    const rate = new DcqcnRate(ns3Dcqcn(), 400);
    rate.onCongestion(0);
    expect([rate.gbpsAt(4 * US - 1), rate.gapPs(4154, 4 * US - 1), rate.isAtLine(4 * US - 1)]).toEqual([400, 0, false]);
    // The period with the CNP leaves alpha at 1, three more multiply by 255/256.
    expectNear(rate.alphaAt(4 * US), 16_581_375 / 16_777_216);
    expectNear(rate.gbpsAt(4 * US), 202.334606647491455078125);
  });

  test('900 µs after the decrease fast recovery once, then additive increase', () => {
    const rate = new DcqcnRate(ns3Dcqcn(), 400);
    rate.onCongestion(0);
    expectNear(rate.gbpsAt(904 * US - 1), 202.334606647491455078125);
    expectNear(rate.gbpsAt(904 * US), 301.1673033237457275390625);
    expectNear(rate.gbpsAt(1804 * US), 350.58365166187286376953125);
    rate.onSent(1e12, 1804 * US);
    expectNear(rate.gbpsAt(1804 * US), 350.58365166187286376953125);
  });

  test('several CNPs between two checks are one decrease, and keep the target where no increase came', () => {
    const rate = new DcqcnRate(ns3Dcqcn(), 400);
    rate.onCongestion(0);
    rate.onCongestion(4.5 * US);
    rate.onCongestion(7.5 * US);
    const alpha5 = q ** 3 * q + 1 / 256;
    const alpha8 = alpha5 * q * q * q + 1 / 256;
    const gbps = 202.334606647491455078125 * (1 - alpha8 / 2);
    expectNear(rate.gbpsAt(8 * US), gbps);
    expectNear(rate.gbpsAt(12 * US), gbps);
    expectNear(rate.gbpsAt(908 * US), (400 + gbps) / 2);
  });

  test('after an increase a decrease takes the rate as target', () => {
    const rate = new DcqcnRate(ns3Dcqcn(), 400);
    rate.onCongestion(0);
    expectNear(rate.gbpsAt(905 * US), 301.1673033237457275390625);
    rate.onCongestion(905 * US);
    const cut = rate.gbpsAt(908 * US);
    expectNear(rate.gbpsAt(1808 * US), (301.1673033237457275390625 + cut) / 2);
    // Additive: 50 Mbit/s, not scaled.
    expectNear(rate.gbpsAt(2708 * US), (301.2173033237457275390625 + (301.1673033237457275390625 + cut) / 2) / 2);
  });

  test('a CNP at the instant of a check waits for the next one', () => {
    const rate = new DcqcnRate(ns3Dcqcn(), 400);
    rate.onCongestion(0);
    rate.onCongestion(8 * US);
    expectNear(rate.gbpsAt(12 * US - 1), 202.334606647491455078125);
    expect(rate.gbpsAt(12 * US)).toBeLessThan(110);
  });

  test('a CNP that waits when line rate is reached is not lost', () => {
    // One tick from 200 to 300, to 400 × 0.999 and beyond with F = 9: 9 ticks of 10 µs.
    const settings = ns3Dcqcn({ g: 0, ratePeriodPs: 10 * US, decreasePeriodPs: 7 * US, fastRecoverySteps: 9 });
    const rate = new DcqcnRate(settings, 400);
    rate.onCongestion(0);
    expect(rate.gbpsAt(7 * US)).toBe(200);
    rate.onCongestion(96 * US);
    expect([rate.gbpsAt(97 * US), rate.isAtLine(97 * US), rate.gapPs(1000, 97 * US)]).toEqual([400, false, 0]);
    expect(rate.gbpsAt(98 * US)).toBe(200);
  });
});

describe('DCQCN against every tick as an event', () => {
  const periods = fc.constantFrom(1, 3, 5, 10, 40, 55);
  const settings = fc
    .record({
      profile: fc.constantFrom('paper' as const, 'ns3' as const),
      g: fc.constantFrom(1 / 256, 1 / 16, 0.3),
      alpha: periods,
      rate: periods,
      decrease: periods,
      byteCounterBytes: fc.constantFrom(50, 1000),
      fastRecoverySteps: fc.constantFrom(0, 1, 5),
      additiveGbps: fc.constantFrom(0.037, 5.3),
    })
    .map(({ profile, g, alpha, rate, decrease, byteCounterBytes, fastRecoverySteps, additiveGbps }) => {
      const common = {
        g,
        alphaPeriodPs: alpha,
        ratePeriodPs: rate,
        fastRecoverySteps,
        additiveGbps,
        hyperGbps: 3 * additiveGbps,
      };
      return profile === 'paper'
        ? paperDcqcn({ ...common, byteCounterBytes })
        : ns3Dcqcn({ ...common, decreasePeriodPs: decrease });
    });
  const steps = fc.array(
    fc.record({
      wait: fc.oneof(fc.nat(12), fc.nat(300), fc.constantFrom(0, 0, 5000)),
      act: fc.constantFrom('congestion', 'sent', 'sent', 'look'),
      bytes: fc.constantFrom(1, 49, 51, 400),
    }),
    { maxLength: 60 },
  );

  test('the same rate, alpha and gap at every step', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(40, 400), steps, (chosen, line, list) => {
        const rate = new DcqcnRate(chosen, line);
        const slow = new SlowDcqcn(chosen, line);
        let now = 0;
        for (const { wait, act, bytes } of list) {
          now += wait;
          slow.run(now);
          if (act === 'congestion') {
            rate.onCongestion(now);
            slow.congestion(now);
          } else if (act === 'sent') {
            rate.onSent(bytes, now);
            slow.sent(bytes, now);
          }
          expectNear(rate.gbpsAt(now), slow.rate, 1e-12);
          expect(Math.abs(rate.alphaAt(now) - slow.alpha)).toBeLessThanOrEqual(1e-12);
          const gap = slow.rate === line ? 0 : Math.ceil((bytes * 8000) / slow.rate);
          expect(Math.abs(rate.gapPs(bytes, now) - gap)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test.each([1 / 256, 1e-4])(
    'alpha after 10,000 periods at once equals one after the other within 1e-12, g %d',
    (g) => {
      const rate = new DcqcnRate(ns3Dcqcn({ ratePeriodPs: 1e15, decreasePeriodPs: 1e14, g }), 400);
      rate.onCongestion(0);
      let alpha = 1;
      for (let period = 1; period < 10_000; period++) alpha *= 1 - g;
      expect(Math.abs(rate.alphaAt(10_000 * US) - alpha)).toBeLessThanOrEqual(1e-12);
    },
  );
});
