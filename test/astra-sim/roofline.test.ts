import {
  rooflineDurationNs,
  rooflineLimits,
  RooflineMeans,
  rooflinePerformance,
  type RooflineLimits,
} from '../../src/astra-sim/roofline.js';

/** 1600 GB/s and 900 TFLOP/s: 562.5 operations a byte are where both bounds meet. */
const LIMITS: RooflineLimits = { bytesPerSecond: 1600e9, operationsPerSecond: 900e12 };

test('limits are decimal: 10^9 bytes a GB, 10^12 operations a TFLOP', () => {
  expect(rooflineLimits({ localMemoryGBps: 1600, peakTflops: 900 })).toEqual(LIMITS);
});

describe('a node (section 3)', () => {
  test.each([
    ['compute-bound: 2,000 operations a byte', 2e12, 1e9, 900e12],
    ['memory-bound: 1 operation a byte', 1e9, 1e9, 1600e9],
    ['where both meet', 562_500, 1000, 900e12],
    ['no operations', 0, 1000, 0],
  ])('performance, %s', (_name, operations, bytes, expected) => {
    expect(rooflinePerformance(operations, bytes, LIMITS)).toBe(expected);
  });

  test.each([
    ['r438: 2 × 10^12 ÷ 9 × 10^14 s', 2e12, 1e9, 2_222_222],
    ['r440: 10^9 B ÷ 1600 GB/s', 1e9, 1e9, 625_000],
    ['r444: 10^8 ÷ 9 × 10^14 s', 1e8, 1000, 111],
    ['r446: 10 B take 0.00625 ns', 10, 10, 0],
    ['one ns less a trifle', 1599, 1599, 0],
    ['one ns and a trifle', 1601, 1601, 1],
    ['no operations: what the bytes take', 0, 16_001, 10],
  ])('duration, %s', (_row, operations, bytes, expected) => {
    expect(rooflineDurationNs(operations, bytes, LIMITS)).toBe(expected);
  });
});

/** GPU time, and the four lines as the program prints them, of nodes one after another. */
function printed(nodes: readonly (readonly [operations: number, bytes: number])[], limits: RooflineLimits, idleNs = 0) {
  const means = new RooflineMeans(limits);
  let gpuNs = 0;
  for (const [operations, bytes] of nodes) {
    const durationNs = rooflineDurationNs(operations, bytes, limits);
    means.add(operations, bytes, durationNs);
    gpuNs += durationNs;
  }
  if (idleNs > 0) means.addTimed(idleNs);
  const { computeBound, computeUtilization, memoryUtilization, operationIntensity } = means.statistics();
  const fractions = [computeBound, computeUtilization, memoryUtilization].map((each) => (100 * each).toFixed(3));
  return [gpuNs, ...fractions, operationIntensity.toFixed(3)];
}

describe('rows of the reference table: GPU time, compute-bound %, utilizations %, operations a byte (section 16)', () => {
  const layers = [1, 2, 3, 4, 5, 6].map((layer) => [layer * 1e10, 2e7] as const);
  const mixed = [[123_456_789_012, 777_777_777] as const, [1_000_003, 333_333] as const, [50_000, 64] as const];
  const h100: RooflineLimits = { bytesPerSecond: 3350e9, operationsPerSecond: 700e12 };

  test.each([
    ['r438, compute-bound', [[2e12, 1e9] as const], LIMITS, [2_222_222, '100.000', '100.000', '28.125', '1999.999']],
    ['r440, memory-bound', [[1e9, 1e9] as const], LIMITS, [625_000, '0.000', '0.178', '100.000', '1.000']],
    ['r442, mixed', mixed, LIMITS, [486_319, '0.000', '28.207', '100.000', '158.663']],
    ['r444, beside a skipped node', [[1e8, 1000] as const], LIMITS, [111, '99.107', '99.107', '0.557', '99107.143']],
    ['r452, six layers', layers, h100, [299_997, '100.000', '100.000', '11.940', '2166.664']],
  ])('%s', (_row, nodes, limits, expected) => {
    expect(printed(nodes, limits)).toEqual(expected);
  });

  test('compute nodes with durations of their own count in the time only', () => {
    // 111 of 111 + 888 + 1 ns.
    expect(printed([[1e8, 1000]], LIMITS, 888)).toEqual([111, '11.100', '11.100', '0.062', '11100.000']);
  });

  test('without operations: memory is busy, nothing is computed', () => {
    // 10 of 11 ns.
    expect(printed([[0, 16_001]], LIMITS)).toEqual([10, '0.000', '0.000', '90.909', '0.000']);
  });

  test('no nodes: 0 of the 1 ns', () => {
    expect(printed([], LIMITS)).toEqual([0, '0.000', '0.000', '0.000', '0.000']);
  });
});
