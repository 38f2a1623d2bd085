import { Kernel } from '../../src/kernel/kernel.js';
import { serverIdsOf, type AnalyticalPlacement } from '../../src/network/analytical-placement.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { Network } from '../../src/network/network.js';
import type { NetworkSpec } from '../../src/network/network-spec.js';
import { parseAnalyticalNetwork } from '../../src/network/parse-network.js';

function networkOf(spec: NetworkSpec, ranks: number, placement?: AnalyticalPlacement): Network {
  const silent = { sent: () => {}, received: () => {}, acknowledged: () => {} };
  return analyticalUnaware(spec, placement)(ranks, new Kernel(), silent);
}

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

  describe('servers', () => {
    /** A ring of 4 by a switch of 2: NPU 0 … 7, 500 and 1,000 ns, 1 and 2 GiB/s. */
    const spec = parseAnalyticalNetwork(
      'topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 1, 2 ]\nlatency: [ 500, 1000 ]\n',
      'n.yml',
    );
    const alphaBeta = { kind: 'alpha-beta', latencyPs: 1e6, bytesPerNs: 12.5 } as const;

    test('R-031 without a mapping rank r is on server r', () => {
      expect(networkOf(spec, 8).contentionFree!.latencyPs(1, 3)).toBe(2 * 500_000);
    });

    test('R-034 latency and bandwidth follow the servers that the ranks are placed on', () => {
      const times = networkOf(spec, 8, { servers: Int32Array.of(7, 6, 5, 4, 3, 2, 1, 0) }).contentionFree!;
      // Ranks 0 and 2 are on 7 and 5, places 3 and 1 of one ring: two hops.
      expect(times.latencyPs(0, 2)).toBe(2 * 500_000);
      // Ranks 0 and 4 are on 7 and 3, the same place of both rings: the switch. 2^30 B at 2 GiB/s are half a second.
      expect(times.latencyPs(0, 4)).toBe(2 * 1_000_000);
      expect(times.sendPs(0, 4, 2 ** 30)).toBe(5e11);
      // Ranks 0 and 7 are on 7 and 0: places 3 and 0, one hop of the ring.
      expect(times.latencyPs(0, 7)).toBe(500_000);
      expect(times.sendPs(0, 7, 2 ** 30)).toBe(1e12);
    });

    test('R-032 a topology with more servers than ranks is refused unless that is allowed', () => {
      expect(() => networkOf(spec, 6)).toThrow('gives 8 NPUs, the traceset has 6 ranks; expected as many');
      expect(() => networkOf(spec, 6, { servers: Int32Array.of(0, 1, 2, 3, 4, 5) })).toThrow('expected as many');
      expect(networkOf(spec, 6, { allowExtra: true }).contentionFree!.latencyPs(1, 5)).toBe(2_000_000);
      const servers = Int32Array.of(7, 1);
      expect(networkOf(spec, 2, { servers, allowExtra: true }).contentionFree!.latencyPs(0, 1)).toBe(2 * 500_000);
    });

    test('R-032 fewer servers than ranks are never enough', () => {
      expect(() => networkOf(spec, 9, { allowExtra: true })).toThrow('has 9 ranks; expected at least as many');
    });

    test('R-037 a server that the topology does not have is named', () => {
      const servers = Int32Array.of(0, 1, 2, 3, 4, 5, 6, 8);
      expect(() => networkOf(spec, 8, { servers })).toThrow(
        'network: rank 7 is placed on server 8; the topology has servers 0 … 7',
      );
      // 4294967294, the largest id of a mapping file, as an int32.
      expect(() => networkOf(spec, 8, { servers: servers.with(7, -2) })).toThrow('server 4294967294');
    });

    test('R-035 two ranks on one server, and servers of another number of ranks, are refused', () => {
      expect(() => networkOf(alphaBeta, 3, { servers: Int32Array.of(5, 9, 5) })).toThrow(
        'network: ranks 0 and 2 are both placed on server 5; expected one rank a server',
      );
      expect(() => networkOf(alphaBeta, 3, { servers: Int32Array.of(5, 9) })).toThrow(
        'network: 2 ranks are placed on servers, the traceset has 3; expected as many',
      );
    });

    test('the servers of a topology are its NPUs, an α–β network has any', () => {
      expect(serverIdsOf(spec)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(serverIdsOf(alphaBeta)).toBeUndefined();
      const placed = networkOf(alphaBeta, 2, { servers: Int32Array.of(40, 3) });
      expect(placed.contentionFree!.latencyPs(0, 1)).toBe(1e6);
    });

    test('R-157 the link of a rank: β, or the fastest dimension in bytes per ns', () => {
      expect(networkOf(alphaBeta, 2).linkBytesPerNs).toBe(12.5);
      expect(networkOf(spec, 8).linkBytesPerNs).toBe(2.147483648);
    });
  });
});
