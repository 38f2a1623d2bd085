import {
  LONGEST_TIME_PS,
  parseBitRateGbps,
  parseBitsPerSecondGbps,
  parseBytes,
  parseSecondsPs,
  parseTimePs,
} from '../../src/base/units.js';

test.each([
  ['33.5ns', 33_500],
  ['0.0005ms', 500_000],
  ['1us', 1_000_000],
  ['1 µs', 1_000_000],
  ['0.5ps', 1],
  ['2.5ps', 3],
  ['1.0005ns', 1001],
  ['10s', 10_000_000_000_000],
  ['0s', 0],
])('R-002 %s is %s ps', (text, picoseconds) => {
  expect(parseTimePs(text)).toBe(picoseconds);
});

test.each([
  ['0.001', 1_000_000_000],
  ['1e-6', 1_000_000],
  ['0', 0],
  ['0.0000000000005', 1],
  ['1.0000000000005', 1_000_000_000_001],
])('R-002 %s s is %s ps', (text, picoseconds) => {
  expect(parseSecondsPs(text)).toBe(picoseconds);
});

test('R-002 a time that is not 0 and below half a picosecond is an error', () => {
  expect(() => parseTimePs('0.0004ns')).toThrow('time "0.0004ns" is below half a picosecond');
  expect(() => parseSecondsPs('4.9e-13')).toThrow('time "4.9e-13 s" is below half a picosecond');
});

test.each(['1', 'us', '-1us', '1 hour', '0x1us', '1us2'])('%s is no time', (text) => {
  expect(() => parseTimePs(text)).toThrow(`time "${text}": expected a number and one of ps, ns, us, ms, s`);
});

test('R-001 2^53 ps is the longest time', () => {
  expect(LONGEST_TIME_PS).toBe(9_007_199_254_740_992);
  expect(parseSecondsPs('9007.199254740992')).toBe(LONGEST_TIME_PS);
  expect(() => parseSecondsPs('9007.199254740993')).toThrow('exceeds 2^53 ps');
  expect(() => parseTimePs('9008s')).toThrow('time "9008s" exceeds 2^53 ps');
  expect(() => parseTimePs('1e999999s')).toThrow('exceeds 2^53 ps');
});

test.each([
  ['4KiB', 4096],
  ['4KB', 4000],
  ['24', 24],
  ['24B', 24],
  ['4.1KB', 4100],
  ['1MB', 1_000_000],
  ['64 MiB', 67_108_864],
])('R-011 %s is %s B', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each(['1.5B', '-4KB', '4 kb', '4Kib', '', 'KB', '0.0001KB'])('R-011 %j is no size', (text) => {
  expect(() => parseBytes(text)).toThrow(`size "${text}": expected whole bytes`);
});

describe('bit rates', () => {
  test.each([
    ['400Gbps', 400],
    ['31.52 Gb/s', 31.52],
    ['40Mbps', 0.04],
    ['0.1Kb/s', 1e-7],
    ['1.6Tbps', 1600],
    ['12500000bps', 0.0125],
    ['4e2Gbps', 400],
  ])('%s', (text, gbps) => {
    expect(parseBitRateGbps(text)).toBe(gbps);
  });

  test.each(['400', '0Gbps', '400GBps', '50GB/s', '400gbps', '-1Gbps', 'fast', '1e999Gbps'])('%s is none', (text) => {
    expect(() => parseBitRateGbps(text)).toThrow(expect.objectContaining({ code: 'BANDWIDTH_MALFORMED' }));
  });

  test('bare numbers are bit/s', () => {
    expect([parseBitsPerSecondGbps('4e11'), parseBitsPerSecondGbps('31520000000')]).toEqual([400, 31.52]);
    expect(() => parseBitsPerSecondGbps('0')).toThrow('rate "0 bit/s": expected a positive number and a unit such as');
  });
});
