import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { Network } from '../../src/network/network.js';
import type { NetworkSpec } from '../../src/network/network-spec.js';
import { parseAnalyticalNetwork } from '../../src/network/parse-network.js';

function timesOf(spec: NetworkSpec, ranks: number, source: number, destination: number, bytes: number, start: number) {
  const kernel = new Kernel(start);
  const times: Record<string, number> = {};
  const network: Network = analyticalUnaware(spec)(ranks, kernel, {
    sent: (transfer, time) => (times[`sent ${transfer}`] = time),
    received: (transfer, time) => (times[`received ${transfer}`] = time),
    acknowledged: (transfer, time) => (times[`acknowledged ${transfer}`] = time),
  });
  network.post(7, source, destination, bytes, start);
  kernel.run();
  return times;
}

describe('congestion-unaware network', () => {
  test('R-070 S = 1,000 B, 1 B/ns, α = 1 µs, start 5 µs: sent 6, received 7, acknowledged 8 µs', () => {
    const spec = { kind: 'alpha-beta', latencyPs: 1e6, bytesPerNs: 1 } as const;
    expect(timesOf(spec, 2, 0, 1, 1000, 5e6)).toEqual({ 'sent 7': 6e6, 'received 7': 7e6, 'acknowledged 7': 8e6 });
  });

  // astra-sim-semantics section 17: 262,144 B at 50 GB/s are 4,882.8125 ns; ASTRA-sim prints ⌊hops × latency + that⌋.
  const mib = 4_882_813;
  test.each([
    ['Ring neighbours: 500 ns, as in example A (5,382 ns)', 'Ring', 0, 1, 500_000],
    ['Ring of 8, the short way round: 3 hops', 'Ring', 1, 6, 1_500_000],
    ['FullyConnected: one hop', 'FullyConnected', 1, 6, 500_000],
    ['Switch: the latency twice, as in example B (5,882 ns)', 'Switch', 1, 6, 1_000_000],
  ])('%s', (_name, topology, source, destination, latency) => {
    const text = `topology: [ ${topology} ]\nnpus_count: [ 8 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n`;
    expect(timesOf(parseAnalyticalNetwork(text, 'n.yml'), 8, source, destination, 262_144, 0)).toEqual({
      'sent 7': mib,
      'received 7': mib + latency,
      'acknowledged 7': mib + 2 * latency,
    });
  });

  test('several dimensions: only the lowest one that differs is charged (section 12)', () => {
    const text = 'topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 50, 25 ]\nlatency: [ 500, 1000 ]\n';
    const spec = parseAnalyticalNetwork(text, 'n.yml');
    // 1 → 6 differs in both: coordinate 0 goes from 1 to 2, one ring hop. 131,072 B are 2,441.40625 ns.
    expect(timesOf(spec, 8, 1, 6, 131_072, 0)['received 7']).toBe(2_441_407 + 500_000);
    // 1 → 5 differs in dimension 1 only: example E, 2 × 1000 + 4,882.8125 ns.
    expect(timesOf(spec, 8, 1, 5, 131_072, 0)['received 7']).toBe(4_882_813 + 2_000_000);
  });

  test('a topology of another size than the traceset is refused', () => {
    const text = 'topology: [ Ring, Ring ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 1, 1 ]\nlatency: [ 1, 1 ]\n';
    expect(() => timesOf(parseAnalyticalNetwork(text, 'n.yml'), 6, 0, 1, 1, 0)).toThrow(
      'npus_count 4 × 2 gives 8 NPUs, the traceset has 6 ranks',
    );
  });
});
