import { Kernel } from '../../src/kernel/kernel.js';
import { analyticalAware } from '../../src/network/analytical-aware.js';
import type { AnalyticalPlacement } from '../../src/network/analytical-placement.js';
import type { AnalyticalSpec } from '../../src/network/network-spec.js';
import { runOver, type PostedTransfer } from '../support/fabric-run.js';
import { topologyOf, type DimensionFacts } from '../support/topologies.js';

/** Of 262,144 B at 50 GB/s (of 2^30): 4,882.8125 ns, rounded up to whole ps on every link. */
const T = 4_882_813;
/** One hop, 500 ns. */
const L = 500_000;
const BYTES = 262_144;

function one(topology: DimensionFacts[0], npus: number): AnalyticalSpec {
  return topologyOf([topology, npus, 50, 500]);
}

type Short = readonly [source: number, destination: number, at?: number, bytes?: number];

function timesOf(spec: AnalyticalSpec, transfers: readonly Short[], ranks?: number, placement?: AnalyticalPlacement) {
  const posted = transfers.map(([source, destination, at = 0, bytes = BYTES]): PostedTransfer => ({
    source,
    destination,
    at,
    bytes,
  }));
  const npus = spec.dimensions.reduce((product, dimension) => product * dimension.npus, 1);
  return runOver(analyticalAware(spec, placement), ranks ?? npus, posted).times;
}

function receivedOf(...parameters: Parameters<typeof timesOf>): number[] {
  return timesOf(...parameters).map(({ received }) => received);
}

function networkOf(spec: AnalyticalSpec, ranks: number, placement?: AnalyticalPlacement) {
  const silent = { sent: () => {}, received: () => {}, acknowledged: () => {} };
  return analyticalAware(spec, placement)(ranks, new Kernel(), silent);
}

describe('congestion-aware network: links (astra-sim-semantics section 13)', () => {
  test('R-070 sent when the link has taken the last byte, received α later, acknowledged α after that', () => {
    expect(timesOf(one('FullyConnected', 3), [[0, 2, 7]])).toEqual([
      { sent: 7 + T, received: 7 + T + L, acknowledged: 7 + T + 2 * L },
    ]);
  });

  test('two messages over one link: the second waits, and S/β is rounded up for each', () => {
    expect(
      timesOf(one('FullyConnected', 2), [
        [0, 1],
        [0, 1, 1000],
      ]),
    ).toEqual([
      { sent: T, received: T + L, acknowledged: T + 2 * L },
      { sent: 9_765_626, received: 9_765_626 + L, acknowledged: 9_765_626 + 2 * L },
    ]);
  });

  test('a link is free when the message has left, not when it has arrived', () => {
    // The second is posted while the first is in flight.
    expect(
      receivedOf(one('FullyConnected', 2), [
        [0, 1],
        [0, 1, T + 1],
      ]),
    ).toEqual([T + L, T + 1 + T + L]);
  });

  test('FullyConnected: a link for each ordered pair, so nobody waits in an all-to-all', () => {
    const pairs = [0, 1, 2, 3].flatMap((from) =>
      [0, 1, 2, 3].filter((to) => to !== from).map((to): Short => [from, to]),
    );
    expect(receivedOf(one('FullyConnected', 4), pairs)).toEqual(new Array(12).fill(T + L));
  });

  test('Ring, two hops: stored and forwarded, sent after the first link, acknowledged 2 α after the arrival', () => {
    expect(timesOf(one('Ring', 8), [[0, 2]])).toEqual([
      { sent: T, received: 2 * (T + L), acknowledged: 2 * (T + L) + 2 * L },
    ]);
  });

  test('Ring: half-way round goes clockwise', () => {
    // Behind 0 → 1 on the clockwise link; 0 → 3 has the other one.
    expect(
      receivedOf(one('Ring', 4), [
        [0, 1],
        [0, 2],
        [0, 3],
      ]),
    ).toEqual([T + L, 3 * T + 2 * L, T + L]);
  });

  test('Ring: anticlockwise where that is strictly shorter', () => {
    // 0 → 3 of 5: three hops clockwise, two through 4, behind 0 → 4.
    expect(
      receivedOf(one('Ring', 5), [
        [0, 1],
        [0, 4],
        [0, 3],
      ]),
    ).toEqual([T + L, T + L, 3 * T + 2 * L]);
    // The two directions of one cable do not share: 4 → 0 is alone on its link.
    expect(
      receivedOf(one('Ring', 5), [
        [0, 4],
        [4, 0],
      ]),
    ).toEqual([T + L, T + L]);
  });

  test('Ring of two: one link each way', () => {
    expect(
      receivedOf(one('Ring', 2), [
        [0, 1],
        [1, 0],
        [0, 1],
      ]),
    ).toEqual([T + L, T + L, 2 * T + L]);
  });

  test('Switch: up, then down, with the bandwidth and the latency of both', () => {
    expect(timesOf(one('Switch', 4), [[3, 1]])).toEqual([
      { sent: T, received: 2 * T + 2 * L, acknowledged: 2 * T + 4 * L },
    ]);
  });

  test('Switch, incast: messages queue for the downlink of the receiver, and nobody else', () => {
    const spec = one('Switch', 5);
    // All are at the switch at T + L; the k-th leaves it k T later. 4 → 2 comes after 4 → 0 on the uplink of 4.
    expect(
      timesOf(spec, [
        [1, 0],
        [2, 0],
        [3, 0],
        [4, 0],
        [4, 2],
      ]),
    ).toEqual([
      { sent: T, received: 2 * T + 2 * L, acknowledged: 2 * T + 4 * L },
      { sent: T, received: 3 * T + 2 * L, acknowledged: 3 * T + 4 * L },
      { sent: T, received: 4 * T + 2 * L, acknowledged: 4 * T + 4 * L },
      { sent: T, received: 5 * T + 2 * L, acknowledged: 5 * T + 4 * L },
      { sent: 2 * T, received: 3 * T + 2 * L, acknowledged: 3 * T + 4 * L },
    ]);
  });

  test('Switch, example B of section 17: three messages of each of four ranks pass without waiting at the switch', () => {
    const direct = [0, 1, 2, 3].flatMap((from) => [1, 2, 3].map((step): Short => [from, (from + step) % 4]));
    const each = [2 * T + 2 * L, 3 * T + 2 * L, 4 * T + 2 * L];
    expect(receivedOf(one('Switch', 4), direct)).toEqual([...each, ...each, ...each, ...each]);
  });

  test('R-061 zero bytes take latencies only, and wait like any other message', () => {
    expect(timesOf(one('Switch', 3), [[0, 1, 0, 0]])).toEqual([{ sent: 0, received: 2 * L, acknowledged: 4 * L }]);
    expect(
      timesOf(one('FullyConnected', 2), [
        [0, 1],
        [0, 1, 0, 0],
        [0, 1, 5, 0],
      ]),
    ).toEqual([
      { sent: T, received: T + L, acknowledged: T + 2 * L },
      { sent: T, received: T + L, acknowledged: T + 2 * L },
      { sent: T, received: T + L, acknowledged: T + 2 * L },
    ]);
  });

  test('a time beyond 2^53 ps is one that a run does not reach', () => {
    // 2^40 B at 2^-20 GiB/s are 2^30 s.
    const spec = topologyOf(['FullyConnected', 2, 2 ** -20, 500]);
    const posted = [0, 1].map(() => ({ source: 0, destination: 1, at: 0, bytes: 2 ** 40 }));
    const { times, cutOff } = runOver(analyticalAware(spec), 2, posted, Number.MAX_SAFE_INTEGER);
    expect(cutOff).toBe(true);
    expect(times).toEqual([0, 1].map(() => ({ sent: NaN, received: NaN, acknowledged: NaN })));
  });
});

describe('congestion-aware network: several dimensions', () => {
  /** NPU = ring coordinate + 4 × switch coordinate. */
  const spec = topologyOf(['Ring', 4, 50, 500], ['Switch', 2, 25, 1000]);
  /** 262,144 B at 25 GB/s, and the latency of the switch's links. */
  const T1 = 9_765_625;
  const L1 = 1_000_000;

  test('coordinate 0 is put right first, then 1, and every hop is paid for', () => {
    // 1 → 6: one hop of the ring to 2, then up and down the switch that 2 and 6 share.
    expect(timesOf(spec, [[1, 6]])).toEqual([{ sent: T, received: 26_914_063, acknowledged: 26_914_063 + L + 2 * L1 }]);
    expect(26_914_063).toBe(T + L + 2 * (T1 + L1));
  });

  test('a message on its way waits for those of the rank it passes', () => {
    // 1 → 6 reaches NPU 2 while 2 → 6 is on the uplink until T1; on the downlink it comes just as that becomes free.
    expect(
      receivedOf(spec, [
        [1, 6],
        [2, 6],
      ]),
    ).toEqual([3 * T1 + 2 * L1, 2 * T1 + 2 * L1]);
  });

  test('each set of NPUs has links of its own: rings side by side, a switch for each ring place', () => {
    const pairs: Short[] = [
      [0, 1],
      [4, 5],
      [1, 5],
      [2, 6],
      [6, 2],
    ];
    const hop = T + L;
    const crossing = 2 * (T1 + L1);
    expect(receivedOf(spec, pairs)).toEqual([hop, hop, crossing, crossing, crossing]);
  });

  test('a ring of two in the middle has one link each way for each set', () => {
    // Strides 1, 2, 4. 0 → 2 and 2 → 0 and 1 → 3 and 4 → 6 are all over the middle dimension.
    const cube = topologyOf(['Ring', 2, 50, 500], ['Ring', 2, 50, 500], ['FullyConnected', 3, 50, 500]);
    expect(
      receivedOf(cube, [
        [0, 2],
        [2, 0],
        [1, 3],
        [4, 6],
        [0, 2],
      ]),
    ).toEqual([T + L, T + L, T + L, T + L, 2 * T + L]);
    // 0 → 11 = (1, 1, 2): three hops.
    expect(receivedOf(cube, [[0, 11]])).toEqual([3 * (T + L)]);
  });
});

describe('R-004 events of one instant', () => {
  test('a message that arrives on its way comes before one that is posted', () => {
    // 0 → 2 is at rank 1 at T + L, when rank 1 starts to send.
    expect(
      receivedOf(one('Ring', 4), [
        [1, 2, T + L],
        [0, 2],
      ]),
    ).toEqual([3 * T + 2 * L, 2 * T + 2 * L]);
  });

  test('a link that becomes free takes the message that waits before one that arrives', () => {
    // Rank 1 sends at L, the next waits from L + 1 on; the link is free at L + T, when 0 → 2 comes.
    const received = receivedOf(one('Ring', 4), [
      [1, 2, L],
      [1, 2, L + 1],
      [0, 2],
    ]);
    expect(received).toEqual([T + 2 * L, 2 * T + 2 * L, 3 * T + 2 * L]);
  });

  test('of two links that become free the one of the lower device is first', () => {
    // Ranks 1 and 2 send until T; what waits behind goes to rank 3 from both, and waited for rank 2 earlier.
    const transfers: Short[] = [
      [1, 0],
      [2, 0],
      [2, 3, 1],
      [1, 3, 2],
    ];
    expect(receivedOf(one('Switch', 4), transfers)).toEqual([
      2 * T + 2 * L,
      3 * T + 2 * L,
      4 * T + 2 * L,
      3 * T + 2 * L,
    ]);
  });

  test('of two messages that arrive at a device the one is first that its link took first', () => {
    // 19,531,250 ps from 0 and 9,765,625 ps from there: both are at the switch at 19,531,250 + L.
    const received = receivedOf(one('Switch', 3), [
      [1, 0, 9_765_625, 2 * BYTES],
      [2, 0, 0, 4 * BYTES],
    ]);
    expect(received).toEqual([2 * 19_531_250 + 9_765_625 + 2 * L, 2 * 19_531_250 + 2 * L]);
  });

  test('R-007 of messages posted at one instant the lower rank and node is first', () => {
    expect(
      receivedOf(one('Switch', 4), [
        [3, 0],
        [1, 0],
        [2, 0],
      ]),
    ).toEqual([2 * T + 2 * L, 3 * T + 2 * L, 4 * T + 2 * L]);
  });
});

describe('congestion-aware network: ranks on servers', () => {
  test('R-034 ways follow the servers that the ranks are placed on', () => {
    const servers = Int32Array.of(4, 1, 0, 2, 3);
    // Rank 0 on NPU 4 and rank 2 on NPU 0 are neighbours; rank 1 is two hops from rank 0, through rank 2.
    expect(
      receivedOf(
        one('Ring', 5),
        [
          [2, 1],
          [0, 1],
          [0, 2],
        ],
        5,
        { servers },
      ),
    ).toEqual([T + L, 2 * T + 2 * L, 2 * T + L]);
  });

  test('R-032 surplus servers carry what passes', () => {
    const placement = { servers: Int32Array.of(0, 2), allowExtra: true };
    expect(receivedOf(one('Ring', 8), [[0, 1]], 2, placement)).toEqual([2 * T + 2 * L]);
    expect(() => networkOf(one('Ring', 8), 2)).toThrow('gives 8 NPUs, the traceset has 2 ranks; expected as many');
  });

  test('R-037 a server that the topology does not have is refused', () => {
    expect(() => networkOf(one('Ring', 2), 2, { servers: Int32Array.of(0, 2) })).toThrow(
      'network: rank 1 is placed on server 2; the topology has servers 0 … 1',
    );
  });
});

describe('congestion-aware network: what it is', () => {
  test('R-157 the link of a rank is that of the fastest dimension; no transfer has times of its own', () => {
    const network = networkOf(topologyOf(['Ring', 4, 1, 500], ['Switch', 2, 2, 500]), 8);
    expect(network.name).toBe('analytical-aware');
    expect(network.linkBytesPerNs).toBe(2.147483648);
    expect(network.contentionFree).toBeUndefined();
    expect(network.isScaleUp).toBeUndefined();
  });

  test('an α–β network is refused: it has no links', () => {
    expect(() => analyticalAware({ kind: 'alpha-beta', latencyPs: 1, bytesPerNs: 1 })).toThrow(
      'network alpha-beta: it has no links, and analytical-aware simulates links; expected a topology',
    );
  });

  test('2^28 links are taken, more are refused', () => {
    expect(networkOf(one('FullyConnected', 16_384), 16_384).name).toBe('analytical-aware');
    expect(() => networkOf(topologyOf(['FullyConnected', 8192, 1, 1], ['Switch', 4, 1, 1]), 32_768)).toThrow(
      'network FullyConnected 8192 × Switch 4: it has 268500992 links; expected at most 268435456',
    );
  });
});

describe('congestion-aware network: many ranks', () => {
  test('Ring of 4,096: everyone sends two hops on, over links that pass one on as they become free for it', () => {
    const pairs = Array.from({ length: 4096 }, (_, from): Short => [from, (from + 2) % 4096]);
    // A link is free at T, and what has to be passed on comes at T + L.
    expect(new Set(receivedOf(one('Ring', 4096), pairs))).toEqual(new Set([2 * (T + L)]));
  });

  test('Switch of 1,024: an incast ends after as many messages as there are senders', () => {
    const pairs = Array.from({ length: 1023 }, (_, from): Short => [from + 1, 0]);
    const expected = pairs.map((_, place) => (place + 2) * T + 2 * L);
    expect(receivedOf(one('Switch', 1024), pairs)).toEqual(expected);
  });

  test('FullyConnected of 512: an all-to-all has 261,632 links, and nobody waits', () => {
    const kernel = new Kernel();
    const received = new Set<number>();
    let count = 0;
    const network = analyticalAware(one('FullyConnected', 512))(512, kernel, {
      sent: () => {},
      received: (_transfer, timePs) => {
        received.add(timePs);
        count++;
      },
      acknowledged: () => {},
    });
    for (let from = 0; from < 512; from++) {
      for (let to = 0; to < 512; to++) if (to !== from) network.post(512 * from + to, from, to, BYTES, 0);
    }
    kernel.run();
    expect([count, [...received]]).toEqual([261_632, [T + L]]);
  });
});
