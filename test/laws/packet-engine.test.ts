import fc from 'fast-check';
import { checkInvariants } from '../../src/network/packet/checks/invariants.js';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import { enginePackets, runPackets } from '../support/packet-engine-run.js';
import { engineFacts, twinFacts } from '../support/packet-run-facts.js';
import { runSlowPackets } from '../support/slow-packet-network/slow-packet-network.js';
import { packetSpecOf, randomPacketRun } from './random-packet-run.js';

const RUNS = Number(process.env.PACKET_RUNS ?? 150);

test.each(NIC_KINDS)('the engine gives the times and counts of its slow twin, with the fold on and off: %s', (nic) => {
  fc.assert(
    fc.property(randomPacketRun(nic), (drawn) => {
      const { topology, settings } = packetSpecOf(drawn);
      const slow = runSlowPackets({ topology, settings }, drawn.posts);
      expect(slow.hasEnded).toBe(true);
      expect(slow.leftovers()).toEqual([]);
      const expected = twinFacts(slow);
      for (const fold of [true, false]) {
        const run = runPackets({ topology, settings: { ...settings, fold, check: true } }, drawn.posts);
        expect(engineFacts(run)).toEqual(expected);
        checkInvariants(run.network);
      }
    }),
    { numRuns: RUNS },
  );
});

test('two networks in one process know nothing of each other', () => {
  fc.assert(
    fc.property(randomPacketRun(), randomPacketRun(), (one, other) => {
      const alone = [one, other].map((drawn) => engineFacts(runPackets(packetSpecOf(drawn), drawn.posts)));
      const built = [one, other].map((drawn) => enginePackets(packetSpecOf(drawn), drawn.posts));
      for (const { kernel } of [...built].reverse()) kernel.run();
      expect(built.map(engineFacts)).toEqual(alone);
    }),
    { numRuns: 30 },
  );
});
