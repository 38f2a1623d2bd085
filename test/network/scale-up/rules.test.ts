import { MAX_EXACT } from '../../../src/base/units.js';
import { nanoseconds, oneGroup, runTransfers, type PostedTransfer } from '../../support/fabric-run.js';

/** G = 800 Gbit/s, h = c = 100 ns, P = 4,096 B, H = 24 B unless a test says otherwise: a full packet takes 41.2 ns. */

function post(source: number, destination: number, bytes: number, atNs = 0): PostedTransfer {
  return { source, destination, bytes, at: Math.round(atNs * 1000) };
}

/** Sent, received, acknowledged of each transfer in ns. */
function run(spec: ReturnType<typeof oneGroup>, ...transfers: PostedTransfer[]): number[][] {
  return runTransfers(spec, transfers).times.map(nanoseconds);
}

describe('scale-up fabric', () => {
  test('SU-1 a transfer of P bytes is one packet, one byte more makes a second with a header of its own', () => {
    // 25 B at 800 Gbit/s are 0.25 ns.
    expect(run(oneGroup(2), post(0, 1, 4096))).toEqual([[41.2, 382.4, 641.2]]);
    expect(run(oneGroup(2), post(0, 1, 4097))).toEqual([[41.45, 382.65, 641.45]]);
  });

  test('SU-1 no bytes and no header is a packet that takes no time', () => {
    expect(run(oneGroup(2, { headerBytes: 0 }), post(0, 1, 0))).toEqual([[0, 300, 600]]);
  });

  test('SU-2 a lane for each receiver, in each the order of posting', () => {
    // Both lanes at half rate until 82.4; then the second packet and the second transfer to 1, alone.
    expect(run(oneGroup(3), post(0, 1, 8192), post(0, 1, 4096), post(0, 2, 4096)).map(([sent]) => sent)).toEqual([
      123.6, 164.8, 82.4,
    ]);
  });

  test('SU-3 lanes run side by side; size, n and G are rounded once', () => {
    // 4,120 B × 8000 × 2 / 900 = 73,244.4 ps; twice the rounded time of one packet would be 73,246.
    const [first, second] = run(oneGroup(3, { bandwidthGbps: 900 }), post(0, 1, 4096), post(0, 2, 4096));
    expect([first[0], second[0]]).toEqual([73.245, 73.245]);
  });

  test('SU-3 packets of different sizes that start together end each at its own time', () => {
    // 4,120, 1,024 and 124 B with n = 3.
    expect(run(oneGroup(4), post(0, 1, 4096), post(0, 2, 1000), post(0, 3, 100)).map(([sent]) => sent)).toEqual([
      123.6, 30.72, 3.72,
    ]);
  });

  test('SU-3 a rate with decimals is meant as written', () => {
    // 4,120 × 8000 / 53.333 = 618,003.86 ps.
    expect(run(oneGroup(2, { bandwidthGbps: 53.333 }), post(0, 1, 4096))[0][0]).toBe(618.004);
  });

  test('SU-4 n is read when a packet starts, after all posts of the instant', () => {
    // The second packet to 1 starts at 41.2, when the transfer to 2 is posted: both at half rate, 82.4 ns.
    expect(run(oneGroup(3), post(0, 1, 8192), post(0, 2, 4096, 41.2)).map(([sent]) => sent)).toEqual([123.6, 123.6]);
  });

  test('SU-4 a lane whose last packet is still sent counts', () => {
    // 0→2 starts at 10 with n = 2 though nothing waits for 1: 10 + 82.4.
    expect(run(oneGroup(3), post(0, 1, 4096), post(0, 2, 4096, 10))[1][0]).toBe(92.4);
  });

  test('SU-5 a packet under way is not slowed by lanes that begin later', () => {
    expect(run(oneGroup(3), post(0, 1, 4096), post(0, 2, 4096, 10))[0][0]).toBe(41.2);
  });

  test('SU-6 crossing: h + 2c in a subgroup, 3h + 4c between subgroups', () => {
    // h = 50, c = 33.5 ns: 117 and 284 ns.
    const spec = oneGroup(3, { switchLatencyPs: 50_000, cableLatencyPs: 33_500 }, [4, 4, 9]);
    expect(run(spec, post(0, 1, 4096))).toEqual([[41.2, 199.4, 275.2]]);
    expect(run(spec, post(0, 2, 4096))).toEqual([[41.2, 366.4, 609.2]]);
  });

  test('SU-6 packets sent together to both kinds of subgroup arrive each after its own crossing', () => {
    const spec = oneGroup(3, {}, [0, 0, 1]);
    // Sent at 82.4 with n = 2; 300 and 700 ns later received alone in 41.2.
    expect(run(spec, post(0, 1, 4096), post(0, 2, 4096))).toEqual([
      [82.4, 423.6, 682.4],
      [82.4, 823.6, 1482.4],
    ]);
  });

  test('SU-7 a packet in the crossing does not count as received', () => {
    // Arrivals 341.2 and 382.4: the second comes when the first has ended.
    expect(run(oneGroup(3), post(1, 0, 4096), post(2, 0, 4096, 41.2)).map(([, received]) => received)).toEqual([
      382.4, 423.6,
    ]);
  });

  test('SU-7 a sender whose packet is being received counts', () => {
    // Arrivals 341.2 and 361.2: the second at half rate, until 443.6; the first is not slowed.
    expect(run(oneGroup(3), post(1, 0, 4096), post(2, 0, 4096, 20)).map(([, received]) => received)).toEqual([
      382.4, 443.6,
    ]);
  });

  test('SU-8 acknowledged two crossings after sent, however long the receiver needs', () => {
    // Two senders, 256 packets each: received 41.2 + 300 + 256 × 2 × 41.2.
    expect(run(oneGroup(3), post(1, 0, 1 << 20), post(2, 0, 1 << 20))).toEqual([
      [10_547.2, 21_435.6, 11_147.2],
      [10_547.2, 21_435.6, 11_147.2],
    ]);
  });

  test('SU-9 packets end before others arrive', () => {
    // Example C: the third packet to 3 arrives at 547.2, when the second has been received: it starts with m = 1.
    expect(run(oneGroup(4), post(0, 1, 4096), post(0, 2, 8192), post(0, 3, 12_288))[2][1]).toBe(588.4);
  });

  test('SU-9 lanes start in ascending peer rank, in whatever order they were posted', () => {
    // 7 and 64 have no common divisor: every receiver 1 … 63 once, in an order of many ascending stretches.
    const receivers = Array.from({ length: 63 }, (_, index) => (7 * (index + 1)) % 64);
    const { calls } = runTransfers(
      oneGroup(64),
      receivers.map((receiver) => post(0, receiver, 4096)),
    );
    const sent = calls.filter(([, what]) => what === 'sent').map(([, , transfer]) => receivers[transfer]);
    expect(sent).toEqual(Array.from({ length: 63 }, (_, index) => index + 1));
  });

  test('SU-9 the order of simultaneous posts does not matter', () => {
    const posts = [post(1, 0, 9000), post(2, 0, 5000), post(3, 0, 4096), post(3, 1, 70), post(2, 3, 0)];
    const forward = run(oneGroup(4), ...posts);
    expect(run(oneGroup(4), ...[...posts].reverse()).reverse()).toEqual(forward);
  });

  test('SU-10 sending and receiving do not slow each other', () => {
    const alone = run(oneGroup(2), post(0, 1, 1 << 20));
    expect(alone).toEqual([[10_547.2, 10_888.4, 11_147.2]]);
    expect(run(oneGroup(2), post(0, 1, 1 << 20), post(1, 0, 1 << 20))).toEqual([...alone, ...alone]);
  });

  test('R-001 a packet that ends beyond 2^53 ps ends after the run', () => {
    const slow = oneGroup(2, { bandwidthGbps: 1e-9 });
    const { times, cutOff } = runTransfers(slow, [post(0, 1, 1 << 20)], { stopPs: MAX_EXACT });
    expect(cutOff).toBe(true);
    expect(times).toEqual([{ sent: NaN, received: NaN, acknowledged: NaN }]);
  });
});
