import { Kernel } from '../../../src/kernel/kernel.js';
import { analyticalUnaware } from '../../../src/network/analytical-unaware.js';
import type { NetworkFactory } from '../../../src/network/network.js';
import { scaleUpRouted } from '../../../src/network/scale-up/scale-up-routed.js';
import type { ScaleUpSpec } from '../../../src/network/scale-up/scale-up-spec.js';
import { ScaleUpStats } from '../../../src/network/scale-up/scale-up-stats.js';
import { EXAMPLE_GROUP, nanoseconds, oneGroup, runTransfers } from '../../support/fabric-run.js';

/** α = 1 µs, 1 B/ns. */
const BEYOND = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 1 });
const SILENT = { sent: () => {}, received: () => {}, acknowledged: () => {} };

/** The mapping of replay-semantics 4.1: ranks 0–3 in group 0, 4–5 in group 1, 6–7 in none. */
const MAPPING: ScaleUpSpec = {
  groups: [EXAMPLE_GROUP, { id: 1, bandwidthGbps: 800, switchLatencyPs: 50_000, cableLatencyPs: 50_000 }],
  groupOf: Int32Array.of(0, 0, 0, 0, 1, 1, -1, -1),
  subgroupOf: Uint32Array.of(0, 0, 1, 1, 0, 0, 0, 0),
  maxPayloadBytes: 4096,
  headerBytes: 24,
};

function network(spec: ScaleUpSpec, ranks: number, beyond = BEYOND) {
  return scaleUpRouted(beyond, spec)(ranks, new Kernel(), SILENT);
}

describe('scale-up routing', () => {
  test('R-090 1 MiB in a subgroup: sent 10,547.2, received 10,888.4, acknowledged 11,147.2 ns', () => {
    const { times } = runTransfers(MAPPING, [{ source: 0, destination: 1, bytes: 1 << 20, at: 0 }]);
    expect(nanoseconds(times[0])).toEqual([10_547.2, 10_888.4, 11_147.2]);
  });

  test('R-090 each group has its own rates, ranks of different groups and of none use the network beyond', () => {
    const pairs = [
      [0, 1], // crossing 300 ns
      [1, 2], // another subgroup: 700 ns
      [4, 5], // 50 + 2 × 50 = 150 ns
      [2, 4], // two groups: 1,000 B at 1 B/ns, α = 1 µs
      [6, 7], // no group
    ];
    const transfers = pairs.map(([source, destination]) => ({ source, destination, bytes: 1000, at: 0 }));
    // 1,024 B at 800 Gbit/s are 10.24 ns; every rank sends and receives at most once over the fabric.
    expect(runTransfers(MAPPING, transfers).times.map(nanoseconds)).toEqual([
      [10.24, 320.48, 610.24],
      [10.24, 720.48, 1410.24],
      [10.24, 170.48, 310.24],
      [1000, 2000, 3000],
      [1000, 2000, 3000],
    ]);
  });

  test('R-090 says which pairs go over the fabric', () => {
    const routed = network(MAPPING, 8);
    expect(routed.isScaleUp?.(0, 3)).toBe(true);
    expect(routed.isScaleUp?.(4, 5)).toBe(true);
    expect(routed.isScaleUp?.(0, 4)).toBe(false);
    expect(routed.isScaleUp?.(0, 6)).toBe(false);
    expect(routed.isScaleUp?.(6, 7)).toBe(false);
    expect(BEYOND(8, new Kernel(), SILENT).isScaleUp).toBeUndefined();
  });

  test('a rank alone in its group, and ranks without any group, use the network beyond', () => {
    const alone = {
      ...MAPPING,
      groups: [EXAMPLE_GROUP],
      groupOf: Int32Array.of(0, -1, -1),
      subgroupOf: new Uint32Array(3),
    };
    const transfers = [
      { source: 0, destination: 1, bytes: 1000, at: 0 },
      { source: 2, destination: 0, bytes: 1000, at: 0 },
    ];
    const beyond = [1000, 2000, 3000];
    expect(runTransfers(alone, transfers).times.map(nanoseconds)).toEqual([beyond, beyond]);
    const none = { ...alone, groups: [], groupOf: Int32Array.of(-1, -1, -1) };
    expect(runTransfers(none, transfers).times.map(nanoseconds)).toEqual([beyond, beyond]);
  });

  test('R-157 its name says both, its link is that of the network beyond, its transfers are not free of contention', () => {
    const routed = network(MAPPING, 8);
    expect(routed.name).toBe('analytical-unaware + scale-up');
    expect(routed.linkBytesPerNs).toBe(1);
    expect(routed.contentionFree).toBeUndefined();
    const unknown = network(MAPPING, 8, () => ({ name: 'other', post: () => {} }));
    expect(unknown.linkBytesPerNs).toBeUndefined();
  });

  test('R-037 groups told for another number of ranks are refused', () => {
    expect(() => network(MAPPING, 6)).toThrow(
      'scale-up groups: told for 8 ranks, the traceset has 6; expected as many',
    );
  });

  test('R-158 packets and bytes of each device, headers included', () => {
    const stats = new ScaleUpStats(3, 1_000_000_000);
    runTransfers(oneGroup(3), [{ source: 0, destination: 1, bytes: 1 << 20, at: 0 }], { stats });
    const idle = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };
    expect(stats.countsOf(0)).toEqual([{ ...idle, row: 1, packetsSent: 256, bytesSent: 1_054_720 }]);
    expect(stats.countsOf(1)).toEqual([{ ...idle, row: 1, packetsReceived: 256, bytesReceived: 1_054_720 }]);
    expect(stats.countsOf(2)).toEqual([]);
  });

  test('R-158 a packet counts as sent when its serialisation ends, as received when its service ends', () => {
    // Example A with rows of 100 ns: sends end at 41.2, 82.4, 100.72; services at 382.4, 423.6, 441.92.
    const stats = new ScaleUpStats(2, 100_000);
    runTransfers(oneGroup(2), [{ source: 0, destination: 1, bytes: 10_000, at: 0 }], { stats });
    expect(stats.countsOf(0).map(({ row, packetsSent, bytesSent }) => [row, packetsSent, bytesSent])).toEqual([
      [1, 2, 8240],
      [2, 1, 1832],
    ]);
    expect(
      stats.countsOf(1).map(({ row, packetsReceived, bytesReceived }) => [row, packetsReceived, bytesReceived]),
    ).toEqual([
      [4, 1, 4120],
      [5, 2, 5952],
    ]);
  });

  test('what holds the network beyond up is passed on, and so is its check', () => {
    const held = [{ code: 'paused-ports', count: 1, text: '1 paused port', lines: [] }] as const;
    const beyond: NetworkFactory = () => ({
      name: 'beyond',
      post: () => {},
      heldUpBy: (nowPs) => (nowPs === 7 ? held : []),
      verify: () => {
        throw new Error('a packet is nowhere');
      },
    });
    const routed = network(MAPPING, 8, beyond);
    expect(routed.heldUpBy?.(7)).toBe(held);
    expect(() => routed.verify?.()).toThrow('a packet is nowhere');
    const plain = network(MAPPING, 8);
    expect(plain.heldUpBy?.(7)).toEqual([]);
    expect(() => plain.verify?.()).not.toThrow();
  });
});
