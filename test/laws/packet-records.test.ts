import fc from 'fast-check';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import { RECORDS } from '../../src/records/records.js';
import { recordedRun } from '../support/packet-records.js';
import { leafSpine, singleSwitch } from '../support/packet-runs.js';
import { defaultSettings } from '../support/slow-packet-network/default-settings.js';
import { linesOf } from '../support/records.js';

/** Records of random transfers over the packet network. */

const drawn = fc.record({
  nic: fc.constantFrom(...NIC_KINDS),
  plain: fc.constantFrom(singleSwitch(4), leafSpine(2, 2, 2)),
  loss: fc.constantFrom(0, 0.02),
  posts: fc
    .array(
      fc.record({
        source: fc.nat(3),
        destination: fc.nat(3),
        bytes: fc.oneof(fc.constantFrom(0, 4096), fc.integer({ min: 0, max: 200_000 })),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((posts) => posts.filter(({ source, destination }) => source !== destination)),
  intervalPs: fc.constantFrom(50_000_000, 83_080, 1_000_003),
  seed: fc.nat(1000),
});

/** Rows up to here; the beacon would make a run of microseconds a thousand times longer. */
const END_PS = 60_000_000;

test('V-19: records are the same bytes with the fold on and off', () => {
  fc.assert(
    fc.property(drawn, ({ nic, plain, loss, posts, intervalPs, seed }) => {
      const topology = { ...plain, links: plain.links.map((link) => ({ ...link, loss })) };
      const settings = defaultSettings(nic, topology, {
        seed,
        ...(loss > 0 ? { switches: { pfc: 'off' as const } } : {}),
        roce: { retransmitTimeoutPs: 30e6 },
      });
      const texts = [true, false].map((fold) => {
        const { outcome, facts } = recordedRun(topology, { ...settings, fold }, posts, intervalPs);
        const until = { ...outcome, simulationEndPs: END_PS };
        return RECORDS.filter((table) => table.applies(outcome, facts)).map((table) =>
          [table.name, ...linesOf(table, until, facts)].join('\n'),
        );
      });
      expect(texts[0]).toHaveLength(RECORDS.length);
      expect(texts[0]).toEqual(texts[1]);
    }),
    { numRuns: 20 },
  );
});
