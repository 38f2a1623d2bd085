import fc from 'fast-check';
import { EventTime } from '../../../src/formats/pytorch/event-time.js';

function read(text: string): [micros: number, nanos: number] | undefined {
  const time = new EventTime();
  const bytes = Buffer.from(`"${text}"`);
  return time.read(bytes, 1, bytes.length - 1) ? [time.micros, time.nanos] : undefined;
}

test.each([
  ['0', 0, 0],
  ['1694128201435418', 1694128201435418, 0],
  ['4458676522690.655', 4458676522690, 655],
  ['1716423322416788.066', 1716423322416788, 66],
  ['68.0', 68, 0],
  ['5.1', 5, 100],
  ['5.12', 5, 120],
  ['5.1234', 5, 123],
  ['5.1235', 5, 124],
  ['5.9995', 6, 0],
  ['5.99949999', 5, 999],
  ['-1.25', -2, 750],
  ['-3', -3, 0],
  ['1.5e3', 1500, 0],
  ['1.6941282014354185E15', 1694128201435418, 500],
  ['25e-1', 2, 500],
  ['1e-9', 0, 0],
  ['7e-4', 0, 1],
  ['-1e-3', -1, 999],
  ['9007199254740991.999', 9007199254740991, 999],
])('%s µs', (text, micros, nanos) => {
  expect(read(text)).toEqual([micros, nanos]);
});

test.each(['', '-', 'abc', '1x', '.5', 'NaN', 'Infinity', '9007199254740992', '1e300', '1.5.2', '0x10'])(
  '%j is none',
  (text) => {
    expect(read(text)).toBeUndefined();
  },
);

test('as exact arithmetic has it', () => {
  const digits = fc.stringMatching(/^[0-9]{1,7}$/);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), digits, fc.boolean(), (whole, fraction, negative) => {
      const text = `${negative ? '-' : ''}${whole}.${fraction}`;
      // In units of 10^-7 µs; a ns is 10^4 of them; halves of the size are rounded up.
      const size = BigInt(whole) * 10n ** 7n + BigInt(fraction.padEnd(7, '0'));
      const rounded = ((size + 5000n) / 10000n) * (negative ? -1n : 1n);
      const nanos = ((rounded % 1000n) + 1000n) % 1000n;
      expect(read(text)).toEqual([Number((rounded - nanos) / 1000n) + 0, Number(nanos)]);
    }),
    { numRuns: 2000, seed: 3 },
  );
});
