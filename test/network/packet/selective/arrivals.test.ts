import fc from 'fast-check';
import { Arrivals } from '../../../../src/network/packet/selective/arrivals.js';

/** Bits of 64 packets from the first missing one on, as two words. */
function bitsOf(arrived: ReadonlySet<number>, cumulative: number): [number, number] {
  const word = (from: number): number => {
    let bits = 0;
    for (let at = 0; at < 32; at++) if (arrived.has(from + at)) bits |= 1 << at;
    return bits;
  };
  return [word(cumulative), word(cumulative + 32)];
}

test('UE-3: packets 0, 1, 3, 34 and 66 have arrived: cumulative 2, bits 1, 32 and not 64', () => {
  const arrivals = new Arrivals();
  arrivals.open(0, 100);
  for (const psn of [0, 34, 3, 66, 1]) expect(arrivals.add(0, psn)).toBe(true);
  expect(arrivals.add(0, 34)).toBe(false);
  arrivals.readBits(0);
  expect([arrivals.cumulative[0], arrivals.count[0], arrivals.low, arrivals.high]).toEqual([2, 5, 2, 1]);
});

test('arrivals in any order are as a set has them', () => {
  const message = fc.array(fc.nat(400), { maxLength: 500 });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), fc.integer({ min: 1, max: 401 }), (messages, packets) => {
      const arrivals = new Arrivals();
      for (const [round, psns] of messages.entries()) {
        // The next message gets the memory of the one before.
        arrivals.open(round % 2, packets);
        const arrived = new Set<number>();
        let cumulative = 0;
        for (const each of psns) {
          // Mostly near what is missing, as packets come.
          const psn = each % 3 === 0 ? cumulative : each;
          expect(arrivals.add(round % 2, psn)).toBe(!arrived.has(psn));
          arrived.add(psn);
          while (arrived.has(cumulative)) cumulative++;
          arrivals.readBits(round % 2);
          expect(arrivals.cumulative[round % 2]).toBe(cumulative);
          expect(arrivals.count[round % 2]).toBe(arrived.size);
          expect([arrivals.low, arrivals.high]).toEqual(bitsOf(arrived, cumulative));
        }
        arrivals.close(round % 2);
      }
    }),
  );
});
