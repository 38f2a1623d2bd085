import { exactBytes, shortBytes } from '../../src/base/byte-text.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [1_500_000, '1.5 MB'],
  [4_194_304, '4 MiB'],
  [8_196_000, '8,196,000 B'], // 8.196 MB has three decimals, 8,003.90625 KiB more
  [31_502_336, '31,502,336 B'], // 30,764 KiB has more digits than a unit may have
  [1_000_001, '1,000,001 B'],
  [2 ** 50, '1,125,899,906,842,624 B'],
])('%d bytes are %s', (bytes, text) => expect(exactBytes(bytes)).toBe(text));

test.each([
  [4_194_304, '4 MiB'],
  [12_345, '12,345 B'],
  [102_228_128, '102 MB'],
  [999_999_999, '1 GB'],
  [1_073_741_825, '1.07 GB'],
])('%d bytes are about %s', (bytes, text) => expect(shortBytes(bytes)).toBe(text));
