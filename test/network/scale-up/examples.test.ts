import { nanoseconds, oneGroup, runTransfers, type PostedTransfer } from '../../support/fabric-run.js';

/** The worked examples of network-models section 10, exact to the ps; times in ns, sent / received / acknowledged. */

const MIB = 1 << 20;

function post(source: number, destination: number, bytes: number, atNs = 0): PostedTransfer {
  return { source, destination, bytes, at: atNs * 1000 };
}

test('SU example A one transfer of 10,000 B in a subgroup', () => {
  const { times } = runTransfers(oneGroup(2), [post(0, 1, 10_000)]);
  expect(times.map(nanoseconds)).toEqual([[100.72, 441.92, 700.72]]);
});

test('SU example B two senders and one receiver', () => {
  const { times } = runTransfers(oneGroup(3), [post(1, 0, 8192), post(2, 0, 8192)]);
  expect(times.map(nanoseconds)).toEqual([
    [82.4, 506, 682.4],
    [82.4, 506, 682.4],
  ]);
});

test('SU example C three receivers with one, two and three packets', () => {
  const { times } = runTransfers(oneGroup(4), [post(0, 1, 4096), post(0, 2, 8192), post(0, 3, 12_288)]);
  expect(times.map(nanoseconds)).toEqual([
    [123.6, 464.8, 723.6],
    [206, 547.2, 806],
    [247.2, 588.4, 847.2],
  ]);
});

test('SU example D between subgroups', () => {
  const { times } = runTransfers(oneGroup(2, {}, [0, 1]), [post(0, 1, 4096)]);
  expect(times.map(nanoseconds)).toEqual([[41.2, 782.4, 1441.2]]);
});

test('SU example E zero bytes', () => {
  const { times } = runTransfers(oneGroup(2), [post(0, 1, 0)]);
  expect(times.map(nanoseconds)).toEqual([[0.24, 300.48, 600.24]]);
});

test('SU example F the number of receivers changes while a packet is sent', () => {
  const { times } = runTransfers(oneGroup(3), [post(0, 1, 12_288), post(0, 2, 4096, 60)]);
  expect(times.map(nanoseconds)).toEqual([
    [164.8, 506, 764.8],
    [142.4, 483.6, 742.4],
  ]);
});

test('SU example G two transfers to one receiver posted together', () => {
  const { times } = runTransfers(oneGroup(2), [post(0, 1, 4096), post(0, 1, 4096)]);
  expect(times.map(({ received }) => received / 1000)).toEqual([382.4, 423.6]);
});

test('SU example H the cost of headers', () => {
  const without = runTransfers(oneGroup(2, { headerBytes: 0 }), [post(0, 1, MIB)]).times[0];
  expect([without.sent, without.received]).toEqual([10_485_760, 10_826_720]);
  const { sent, received } = runTransfers(oneGroup(2), [post(0, 1, MIB)]).times[0];
  expect([sent, received]).toEqual([10_547_200, 10_888_400]);
  expect(sent / without.sent).toBe(4120 / 4096);
});

test('SU example I seven senders: acknowledged long before received', () => {
  const senders = [1, 2, 3, 4, 5, 6, 7];
  const { times } = runTransfers(
    oneGroup(8),
    senders.map((sender) => post(sender, 0, MIB)),
  );
  expect(times.map(nanoseconds)).toEqual(senders.map(() => [10_547.2, 74_171.6, 11_147.2]));
});

test('SU example J all-to-all of 8 ranks', () => {
  const pairs = Array.from({ length: 64 }, (_, pair) => [pair >> 3, pair & 7]).filter(([from, to]) => from !== to);
  const { times } = runTransfers(
    oneGroup(8),
    pairs.map(([from, to]) => post(from, to, 131_072)),
  );
  for (const { sent, received } of times) expect([sent, received]).toEqual([9_228_800, 9_817_200]);
});

test('SU example K rounding at 900 Gbit/s', () => {
  const spec = oneGroup(2, { bandwidthGbps: 900, switchLatencyPs: 50_000, cableLatencyPs: 33_500 });
  const { times } = runTransfers(spec, [post(0, 1, 5000)]);
  expect(times.map(nanoseconds)).toEqual([[44.872, 198.495, 278.872]]);
});
