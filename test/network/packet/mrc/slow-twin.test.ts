import fc from 'fast-check';
import { runMrc, sumOf } from '../../../support/mrc-runs.js';
import { leafSpine, singleSwitch } from '../../../support/slow-packet-network/small-topologies.js';
import { defaultSettings } from '../../../support/slow-packet-network/default-settings.js';
import { runSlowPackets } from '../../../support/slow-packet-network/slow-packet-network.js';

const TOPOLOGIES = [singleSwitch(6), leafSpine(2, 2, 3), leafSpine(3, 4, 2)] as const;

test('times are those of the network that has an object for every packet', () => {
  const post = fc.record({
    source: fc.nat(5),
    apart: fc.integer({ min: 1, max: 5 }),
    bytes: fc.oneof(fc.constantFrom(0, 1, 4096, 4097), fc.nat(600_000)),
    at: fc.oneof(fc.constant(0), fc.nat(20_000_000)),
  });
  const setting = fc.record({
    seed: fc.nat(1000),
    evMode: fc.constantFrom('ecmp' as const, 'structured' as const),
    gapDetect: fc.boolean(),
    ackEvery: fc.constantFrom(1, 1, 3),
    egressLimitBytes: fc.constantFrom(30_000, 60_000, 300_000),
    enabled: fc.constantFrom(true, true, false),
    fold: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...TOPOLOGIES),
      fc.array(post, { minLength: 1, maxLength: 8 }),
      setting,
      (topology, choices, { seed, evMode, gapDetect, ackEvery, egressLimitBytes, enabled, fold }) => {
        const posts = choices.map(({ apart, ...rest }) => ({ ...rest, destination: (rest.source + apart) % 6 }));
        const overrides = {
          ...{ seed, fold, mrc: { evMode, gapDetect }, uet: { ackEvery }, nscc: { enabled } },
          switches: { egressLimitBytes },
        };
        const { times, network } = runMrc(topology, posts, overrides);
        const slow = runSlowPackets(
          { topology, settings: defaultSettings('mrc', topology, overrides) },
          posts.map(({ at, ...rest }, transfer) => ({ ...rest, transfer, atPs: at })),
        );
        const expected = posts.map((_, transfer) => slow.times.get(transfer)!);
        expect(times).toEqual(expected.map(({ sent, received, acknowledged: acked }) => ({ sent, received, acked })));
        const hosts = [...slow.hosts.values()].map(({ counters }) => counters);
        const { retransmissions, timeouts, duplicates, outOfOrder } = network.hostCounters;
        expect([retransmissions, timeouts, duplicates, outOfOrder].map(sumOf)).toEqual([
          sumOf(hosts.map((each) => each.retransmissions)),
          sumOf(hosts.map((each) => each.timeouts)),
          sumOf(hosts.map((each) => each.duplicates)),
          sumOf(hosts.map((each) => each.outOfOrder)),
        ]);
      },
    ),
    { numRuns: 40 },
  );
});
