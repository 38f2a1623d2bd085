import fc from 'fast-check';
import { nsccGains, NsccWindow } from '../../../../src/network/packet/congestion/nscc.js';
import type { NsccSettings } from '../../../../src/network/packet/settings/packet-settings.js';
import { nscc, trimmingNscc } from '../../../support/congestion-settings.js';
import { SlowNscc } from '../../../support/slow-nscc.js';

const US = 1e6;
const MSS = 4096;
const NOMINAL = 4184;

function expectNear(actual: number, expected: number, tolerance = 1e-9): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));
}

/** At 400 Gbit/s with the window at 300,000 B and as many bytes in flight. */
function window300(changes: Partial<NsccSettings> = {}, settings = nscc): NsccWindow {
  const window = new NsccWindow(settings(changes), MSS, 400, 0);
  window.sent(450_000);
  window.timedOut(150_000);
  expect([window.cwndBytes, window.inFlightBytes]).toEqual([300_000, 300_000]);
  return window;
}

function ack(window: NsccWindow, bytes: number, rttPs: number, marked: boolean, nowPs: number, penalty?: number): void {
  window.acked(bytes, bytes, rttPs, marked, nowPs, penalty);
}

describe('NSCC gains', () => {
  test('against 100 Gbit/s × 12 µs, as the reference simulator has it, a is 2 and b 0.5', () => {
    const gains = nsccGains(nscc({ referenceLinkGbps: 100, referenceRttPs: 12 * US }), MSS, 400);
    expectNear(gains.proportional, 16_384 / 6);
    expectNear(gains.fair, 40_960);
    expectNear(gains.etaBytes, 1228.8);
    expectNear(gains.fast, 0.5);
  });

  test('at 100 Gbit/s a is a quarter', () => {
    expectNear(nsccGains(nscc(), MSS, 100).fair, 5120);
  });
});

describe('NSCC window', () => {
  test('starts at 1.5 × BDP, 450,000 B, with nothing in flight', () => {
    const window = new NsccWindow(nscc(), MSS, 400, 0);
    expect([window.cwndBytes, window.inFlightBytes, window.baseRttPs]).toEqual([450_000, 0, 6 * US]);
    expect(new NsccWindow(nscc(), MSS, 200, 0).cwndBytes).toBe(225_000);
  });

  test('a packet may go while it fits: 71 of 4,184 B in 300,000', () => {
    const window = window300();
    window.left(300_000);
    let packets = 0;
    for (; window.mayGo(NOMINAL); packets++) window.sent(NOMINAL);
    expect(packets).toBe(71);
    expect(window.mayGo(300_000 - 71 * NOMINAL)).toBe(true);
    expect(window.mayGo(300_001 - 71 * NOMINAL)).toBe(false);
  });

  test('a window of one packet lets one packet go', () => {
    const window = new NsccWindow(nscc({ initialBaseRttPs: 1000 }), MSS, 400, 0);
    expect(window.cwndBytes).toBe(NOMINAL);
    expect(window.mayGo(NOMINAL)).toBe(true);
  });

  test('UE-7: the answer to a probe gives a base RTT and nothing else', () => {
    const window = window300();
    window.probed(4_258_360);
    expect([window.cwndBytes, window.baseRttPs]).toEqual([300_000, 4_258_360]);
  });

  test('BaseRttHysteresis: a fall of more than 1 µs, and 1 µs is added', () => {
    const window = new NsccWindow(nscc({ baseRttHysteresis: true }), MSS, 400, 0);
    window.probed(5 * US);
    expect(window.baseRttPs).toBe(6 * US);
    window.probed(5 * US - 1);
    expect(window.baseRttPs).toBe(6 * US - 1);
    window.probed(3 * US);
    expect(window.baseRttPs).toBe(4 * US);
  });

  test('where NSCC is off the window has no end', () => {
    const window = new NsccWindow(nscc({ enabled: false }), MSS, 400, 0);
    window.sent(1e9);
    window.trimmed(1e6, 0);
    window.timedOut(1e6);
    ack(window, 1e6, 30 * US, true, 100 * US);
    ack(window, 1e6, 2 * US, true, 100 * US);
    expect(window.mayGo(1e12)).toBe(true);
    expect([window.inFlightBytes, window.baseRttPs]).toEqual([996e6, 2 * US]);
  });
});

describe('NSCC increases', () => {
  const eightPackets = (window: NsccWindow, rttPs: number, lastPs: number): void => {
    for (let packet = 1; packet <= 8; packet++) ack(window, NOMINAL, rttPs, false, packet === 8 ? lastPs : packet);
  };

  test('a base RTT after the last adjustment η is added too', () => {
    const window = window300();
    eightPackets(window, 7.5 * US, 6 * US - 1);
    expect(window.cwndBytes).toBe(300_000);
    const later = window300();
    eightPackets(later, 7.5 * US, 6 * US);
    expectNear(later.cwndBytes, 300_000 + 411_303_936 / 300_000 + 614.4);
  });

  test('fast increase: more than a window in a row below 1 µs, then a quarter of what is acknowledged', () => {
    const window = window300();
    window.sent(1e6);
    ack(window, 300_000, 6.5 * US, false, 1);
    // 300,000 is not more than 300,000: k_prop × 300,000 × 5.5 / 300,000.
    expectNear(window.cwndBytes, 300_000 + 15_018.666666666666);
    ack(window, 20_000, 6.5 * US, false, 2);
    expectNear(window.cwndBytes, 320_018.666666666666);
    ack(window, 4000, 6 * US, false, 3);
    expectNear(window.cwndBytes, 321_018.666666666666);
    // 1 µs breaks the row, what comes after is gathered again.
    ack(window, 1000, 7 * US, false, 4);
    ack(window, 4000, 6 * US, false, 5);
    expectNear(window.cwndBytes, 321_018.666666666666);
  });

  test('a mark breaks the row', () => {
    const window = window300();
    window.sent(1e6);
    ack(window, 299_000, 6.5 * US, false, 1);
    const before = window.cwndBytes;
    ack(window, 1, 6.5 * US, true, 2);
    ack(window, 30_000, 6.5 * US, false, 3);
    expect(window.cwndBytes).toBe(before);
  });

  test('an ACK without a sample lowers the bytes in flight only', () => {
    const window = window300();
    for (let packet = 0; packet < 20; packet++) ack(window, NOMINAL, -1, true, 100 * US);
    expect([window.cwndBytes, window.inFlightBytes, window.baseRttPs]).toEqual([300_000, 216_320, 6 * US]);
  });

  test('bytes that had left flight are acknowledged all the same', () => {
    const window = window300();
    window.left(NOMINAL);
    window.acked(2 * NOMINAL, NOMINAL, 7.5 * US, false, 1);
    expect(window.inFlightBytes).toBe(300_000 - 2 * NOMINAL);
  });
});

describe('NSCC decreases', () => {
  // With weight 1 the average is the delay of the ACK itself.
  test.each([
    ['avg = 3τ: × 0.5', 24, 0.5],
    ['avg = τ: none', 12, 1],
    ['below τ: none', 11.9, 1],
  ])('a mark with %s', (_name, rttUs, factor) => {
    const window = window300({ delayWeight: 1 });
    ack(window, 1, rttUs * US, true, 6 * US + 1);
    // A base RTT has gone by: η.
    expectNear(window.cwndBytes, 300_000 * factor + 614.4);
  });

  test('more than a base RTT after the last: not at 6 µs, and not twice within it', () => {
    const window = window300({ delayWeight: 1 });
    ack(window, 1, 18 * US, true, 6 * US);
    expectNear(window.cwndBytes, 300_614.4);
    ack(window, 1, 18 * US, true, 6 * US + 1);
    expectNear(window.cwndBytes, 300_614.4 * 0.6);
    ack(window, 1, 18 * US, true, 12 * US - 1);
    expectNear(window.cwndBytes, 300_614.4 * 0.6);
  });

  test('the average weighs a new delay by a quarter: 16 µs four times is 4, 7, 9.25, 10.9375', () => {
    const window = window300();
    ack(window, 1, 22 * US, true, 7 * US);
    expectNear(window.cwndBytes, 300_614.4);
    ack(window, 1, 22 * US, true, 8 * US);
    expectNear(window.cwndBytes, 300_614.4 * (1 - 0.8 / 7));
  });

  test('a mark at avg = τ is no decrease that holds off the next', () => {
    const window = window300({ delayWeight: 1 });
    ack(window, 1, 12 * US, true, 6 * US + 1);
    ack(window, 1, 18 * US, true, 6 * US + 2);
    expectNear(window.cwndBytes, 300_614.4 * 0.6);
  });

  test('a mark at d = τ counts: delays of 40 and 6 µs average 9', () => {
    const window = window300();
    ack(window, 1, 46 * US, true, 1);
    ack(window, 1, 12 * US, true, 6 * US + 1);
    expectNear(window.cwndBytes, 300_000 * (1 - 0.8 / 3) + 614.4);
  });

  test('a timeout takes the packet off the window, to one packet at least', () => {
    const window = window300();
    window.timedOut(NOMINAL);
    expect([window.cwndBytes, window.inFlightBytes]).toEqual([295_816, 295_816]);
    for (let packet = 0; packet < 70; packet++) window.timedOut(NOMINAL);
    expect([window.cwndBytes, window.inFlightBytes]).toEqual([NOMINAL, 2936]);
  });
});

describe('NSCC Quick Adapt without trimming', () => {
  /** The first ACK opens a period that ends at 12 µs. */
  const opened = (): NsccWindow => {
    const window = window300({ delayWeight: 1 });
    ack(window, 4000, 6 * US, true, 0);
    return window;
  };

  test('the delay trigger is 4 τ = 24 µs: the window becomes what the period achieved', () => {
    const window = opened();
    ack(window, 6000, 12 * US, true, 1);
    ack(window, 4000, 30 * US + 1, false, 12 * US + 1);
    expect(window.cwndBytes).toBe(10_000);
    expect(window.inFlightBytes).toBe(286_000);
  });

  test('not at 24 µs, and not before the period is over', () => {
    const window = opened();
    ack(window, 4000, 31 * US, false, 12 * US);
    expect(window.cwndBytes).toBeGreaterThan(300_000);
    ack(window, 4000, 30 * US, false, 12 * US + 1);
    expect(window.cwndBytes).toBeGreaterThan(300_000);
  });

  test('the first ACK never adapts', () => {
    const window = window300({ delayWeight: 1 });
    ack(window, 1, 31 * US, false, 100);
    expect(window.cwndBytes).toBe(300_000);
  });

  test('no window below one packet', () => {
    const window = opened();
    ack(window, 100, 31 * US, false, 12 * US + 1);
    expect(window.cwndBytes).toBe(NOMINAL);
  });

  test('the period starts anew whether it adapts or not: 12 µs later', () => {
    const window = opened();
    ack(window, 60_000, 31 * US, false, 12 * US + 1);
    ack(window, 4000, 31 * US, true, 24 * US + 1);
    expect(window.cwndBytes).toBeGreaterThan(100_000);
    ack(window, 4000, 31 * US, true, 24 * US + 2);
    expect(window.cwndBytes).toBe(8000);
  });

  test('marks are ignored until what was in flight is acknowledged', () => {
    const window = opened();
    ack(window, 46_000, 31 * US, false, 12 * US + 1);
    expect([window.cwndBytes, window.inFlightBytes]).toEqual([46_000, 250_000]);
    ack(window, 249_999, 18 * US, true, 20 * US);
    expect(window.cwndBytes).toBe(46_000);
    window.sent(NOMINAL);
    // 250,000 acknowledged: the mark counts, the window adjusts and a base RTT is over.
    ack(window, 1, 18 * US, true, 20 * US);
    expectNear(window.cwndBytes, 46_000 * 0.6 + 614.4);
  });

  test('when it adapts the increase gathered is gone', () => {
    const window = opened();
    ack(window, 8000, 7.5 * US, false, 1 * US);
    ack(window, 20_000, 31 * US, false, 12 * US + 1);
    expect(window.cwndBytes).toBe(28_000);
    // k_prop × 4,000 × 4.5 / cwnd, and η.
    ack(window, 4000, 7.5 * US, false, 12 * US + 2);
    expectNear(window.cwndBytes, 28_000 + 49_152_000 / 28_000 + 614.4);
  });

  test('a mark that is ignored leaves the increase gathered, and counts towards the next adjustment', () => {
    const window = opened();
    ack(window, 46_000, 31 * US, false, 12 * US + 1);
    ack(window, 4000, 7.5 * US, false, 12 * US + 2);
    const adjusted = window.cwndBytes;
    ack(window, 4000, 7.5 * US, false, 12 * US + 3);
    ack(window, 30_000, 7.5 * US, true, 12 * US + 4);
    expect(window.cwndBytes).toBe(adjusted);
    // 4,000, 30,000 and 4,000 B are more than 8 packets: k_prop × 8,000 × 4.5 / cwnd.
    ack(window, 4000, 7.5 * US, false, 12 * US + 5);
    expectNear(window.cwndBytes, adjusted + 98_304_000 / adjusted);
  });

  test('what is not marked is not ignored', () => {
    const window = opened();
    ack(window, 46_000, 31 * US, false, 12 * US + 1);
    ack(window, 40_000, 12 * US, false, 12 * US + 2);
    expectNear(window.cwndBytes, 46_000 + (20_480 * 40_000) / 46_000 + 614.4);
  });
});

describe('NSCC with trimming', () => {
  const opened = (): NsccWindow => {
    const window = window300({}, trimmingNscc);
    ack(window, 4000, 6 * US, true, 0);
    return window;
  };

  test('a trim NACK takes the packet off flight and window', () => {
    const window = opened();
    window.trimmed(NOMINAL, 5 * US);
    expect([window.cwndBytes, window.inFlightBytes]).toEqual([295_816, 296_000 - NOMINAL]);
  });

  test('a first answer that is a trim NACK opens the period and does not adapt', () => {
    const window = window300({}, trimmingNscc);
    window.trimmed(NOMINAL, 0);
    window.trimmed(NOMINAL, 10.5 * US);
    expect(window.cwndBytes).toBe(300_000 - 2 * NOMINAL);
    window.trimmed(NOMINAL, 10.5 * US + 1);
    expect(window.cwndBytes).toBe(NOMINAL);
  });

  test('after the period of 6 + 4.5 µs it adapts instead, and further trims are ignored', () => {
    const window = opened();
    ack(window, 20_000, 9 * US, true, US);
    window.trimmed(NOMINAL, 10.5 * US + 1);
    expect([window.cwndBytes, window.inFlightBytes]).toEqual([20_000, 276_000 - NOMINAL]);
    window.trimmed(NOMINAL, 30 * US);
    expect(window.cwndBytes).toBe(20_000);
  });

  test('bytes trimmed count as ignored: after all 271,816 that were in flight a trim counts again', () => {
    const window = opened();
    ack(window, 20_000, 9 * US, true, US);
    window.trimmed(NOMINAL, 10.5 * US + 1);
    expect(window.inFlightBytes).toBe(271_816);
    window.sent(10_000);
    window.trimmed(271_815, 12 * US);
    expect(window.cwndBytes).toBe(20_000);
    window.trimmed(1, 12 * US);
    expect(window.cwndBytes).toBe(19_999);
  });

  test('a trim NACK of the period before is the trigger of an ACK', () => {
    const window = opened();
    window.trimmed(NOMINAL, 5 * US);
    ack(window, 9000, 9 * US, false, 10.5 * US + 1);
    expect(window.cwndBytes).toBe(9000);
  });

  test('a trim NACK triggers once', () => {
    const window = opened();
    window.trimmed(NOMINAL, 10.5 * US + 1);
    expect(window.cwndBytes).toBe(4184);
    ack(window, 9000, 9 * US, false, 10.5 * US + 2);
    // d = 3 of 4.5 µs, and a base RTT is over each time: k_prop × 9,000 × 1.5 / cwnd + η, not the 18,000 achieved.
    const first = NOMINAL + 36_864_000 / NOMINAL + 614.4;
    expectNear(window.cwndBytes, first);
    ack(window, 9000, 9 * US, false, 21 * US + 2);
    expectNear(window.cwndBytes, first + 36_864_000 / first + 614.4);
  });

  test('delay is no trigger', () => {
    const window = opened();
    for (let count = 0; count < 40; count++) ack(window, 1, 100 * US, false, US);
    ack(window, 1, 100 * US, false, 11 * US);
    expect(window.cwndBytes).toBeGreaterThan(300_000);
  });

  test('a trim NACK folds InitialBaseRTT into the average: 1.5, with 16 µs 5.125', () => {
    const window = window300({}, trimmingNscc);
    window.trimmed(4000, 0);
    ack(window, 1, 22 * US, true, 6 * US + 1);
    expectNear(window.cwndBytes, 296_000 * (1 - (0.8 * 0.625) / 5.125) + 614.4);
  });

  test('never below one packet', () => {
    const window = opened();
    for (let count = 0; count < 80; count++) window.trimmed(NOMINAL, US);
    expect(window.cwndBytes).toBe(NOMINAL);
  });
});

describe('NIC-4 receiver penalty', () => {
  test('caps the window at the bytes in flight and takes acked × penalty / 127 off', () => {
    const window = window300();
    ack(window, 100_000, 7.5 * US, false, 7 * US, 127);
    expect(window.cwndBytes).toBe(100_000);
    window.acked(12_700, 12_700, 7.5 * US, false, 8 * US, 10);
    expect(window.cwndBytes).toBe(99_000);
  });

  test('blocks every increase', () => {
    const window = window300();
    window.sent(1e6);
    ack(window, 400_000, 6 * US, false, 7 * US, 1);
    expectNear(window.cwndBytes, 300_000 - 400_000 / 127);
    const before = window.cwndBytes;
    ack(window, 1, 13 * US, true, 8 * US);
    expectNear(window.cwndBytes, before + 614.4);
  });
});

describe('NSCC against the steps of the text', () => {
  const settings = fc.record({
    delayWeight: fc.constantFrom(0.25, 0.0125, 1),
    trimming: fc.boolean(),
    baseRttHysteresis: fc.boolean(),
    referenceLinkGbps: fc.constantFrom(100, 400),
    initialBaseRttPs: fc.constantFrom(6 * US, 12 * US, 3_456_789),
  });
  const answers = fc.array(
    fc.record({
      kind: fc.constantFrom('ack', 'ack', 'ack', 'ack', 'ack', 'trim', 'timeout', 'left'),
      wait: fc.oneof(fc.nat(500_000), fc.nat(5 * US)),
      packets: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
      lost: fc.constantFrom(0, 0, 0, 1),
      delay: fc.oneof(fc.nat(1_200_000), fc.nat(8 * US), fc.nat(60 * US)),
      base: fc.constantFrom(2_087_160, 4_258_360, 6 * US),
      noSample: fc.constantFrom(false, false, false, false, true),
      marked: fc.boolean(),
      penalty: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, 64, 127),
    }),
    { maxLength: 150 },
  );

  test('the same window and bytes in flight after every answer', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(100, 400), answers, (changes, gbps, list) => {
        const chosen = changes.trimming ? trimmingNscc(changes) : nscc(changes);
        const window = new NsccWindow(chosen, MSS, gbps, 0);
        const slow = new SlowNscc(chosen, MSS, gbps, 0);
        let now = 0;
        for (const { kind, wait, packets, lost, delay, base, noSample, marked, penalty } of list) {
          now += wait;
          while (window.mayGo(NOMINAL)) {
            window.sent(NOMINAL);
            slow.inflight += NOMINAL;
          }
          const bytes = Math.min(packets * NOMINAL, window.inFlightBytes);
          if (kind === 'ack') {
            const acked = bytes + lost * NOMINAL;
            const rtt = noSample ? -1 : base + delay;
            window.acked(acked, bytes, rtt, marked, now, penalty);
            slow.ack(acked, bytes, noSample ? -1 : rtt / 1e6, marked, now / 1e6, penalty);
          } else if (kind === 'trim') {
            window.trimmed(Math.min(bytes, NOMINAL), now);
            slow.trim(Math.min(bytes, NOMINAL), now / 1e6);
          } else if (kind === 'timeout') {
            window.timedOut(Math.min(bytes, NOMINAL));
            slow.timeout(Math.min(bytes, NOMINAL));
          } else {
            window.left(bytes);
            slow.inflight -= bytes;
          }
          expect(window.inFlightBytes).toBe(slow.inflight);
          expectNear(window.cwndBytes, slow.cwnd);
          expect(window.cwndBytes).toBeGreaterThanOrEqual(NOMINAL);
        }
      }),
      { numRuns: 300 },
    );
  });
});
