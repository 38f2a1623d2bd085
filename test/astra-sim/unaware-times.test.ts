import { bytesPerNs, UnawareTimes } from '../../src/astra-sim/unaware-times.js';
import { topologyOf } from '../support/topologies.js';

describe('time of a message without congestion (astra-sim-semantics section 12)', () => {
  test('bandwidths are binary: 50 × 2^30 B/s are 53.6870912 B/ns', () => {
    expect(bytesPerNs(50)).toBe(53.6870912);
    expect(bytesPerNs(25)).toBe(26.8435456);
  });

  test.each([
    ['next, clockwise', 0, 1, 1],
    ['next, anticlockwise across the end', 0, 5, 1],
    ['two back', 4, 2, 2],
    ['the far side', 1, 4, 3],
  ])('Ring of 6, %s', (_name, source, destination, hops) => {
    // 262144 ÷ 53.6870912 = 4882.8125.
    const times = new UnawareTimes(topologyOf(['Ring', 6, 50, 500]));
    expect(times.delayNs(source, destination, 262_144)).toBe(hops * 500 + 4882);
  });

  test('FullyConnected: one hop; Switch: the latency twice, the bandwidth once', () => {
    expect(new UnawareTimes(topologyOf(['FullyConnected', 6, 50, 500])).delayNs(0, 3, 262_144)).toBe(5382);
    expect(new UnawareTimes(topologyOf(['Switch', 6, 50, 500])).delayNs(0, 3, 262_144)).toBe(5882);
  });

  test('latency and transmission are truncated together: 2 × 0.3 + 0.4 is 1, 0.3 + 0.4 is 0', () => {
    // 22 ÷ 53.6870912 = 0.4097….
    expect(new UnawareTimes(topologyOf(['Switch', 4, 50, 0.3])).delayNs(0, 1, 22)).toBe(1);
    expect(new UnawareTimes(topologyOf(['FullyConnected', 4, 50, 0.3])).delayNs(0, 1, 22)).toBe(0);
  });

  test('of several dimensions only the lowest in which both differ is paid for, with its own numbers', () => {
    // Rank 17 has coordinates 2, 1, 2 of 3 × 2 × 4. 2^28 B take 2.5 × 10^8 ns at 1 GiB/s,
    // one more byte keeps the quotient above the whole number.
    const times = new UnawareTimes(topologyOf(['Ring', 3, 100, 1], ['Switch', 2, 10, 20], ['Ring', 4, 1, 300]));
    const bytes = 2 ** 28 + 1;
    expect(times.delayNs(17, 16, bytes)).toBe(1 + 2_500_000);
    expect(times.delayNs(17, 14, bytes)).toBe(40 + 25_000_000);
    expect(times.delayNs(17, 5, bytes)).toBe(600 + 250_000_000);
    // 17 → 0 differs everywhere, 17 → 2 in the second and third.
    expect(times.delayNs(17, 0, bytes)).toBe(1 + 2_500_000);
    expect(times.delayNs(17, 2, bytes)).toBe(40 + 25_000_000);
  });
});
