import fc from 'fast-check';
import { checkInvariants } from '../../src/network/packet/checks/invariants.js';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import { runPackets, type EngineRun } from '../support/packet-engine-run.js';
import { packetSpecOf, randomPacketRun, type RandomPacketRun } from './random-packet-run.js';

/** Section 9 of network-models on random topologies, settings and transfers, with the checks of the network itself on. */

const RUNS = Number(process.env.PACKET_RUNS ?? 100);

function ran(drawn: RandomPacketRun, fold: boolean): EngineRun {
  const { topology, settings } = packetSpecOf(drawn);
  const run = runPackets({ topology, settings: { ...settings, fold, check: true } }, drawn.posts);
  checkInvariants(run.network);
  return run;
}

test.each(NIC_KINDS)(
  'all is delivered once and nothing is left, with the fold and without, at the same times: %s',
  (nic) => {
    fc.assert(
      fc.property(randomPacketRun(nic), (drawn) => {
        const folded = ran(drawn, true);
        for (const { transfer, atPs } of drawn.posts) {
          const { sent, received, acknowledged } = folded.times.get(transfer)!;
          expect(sent).toBeGreaterThan(atPs);
          expect(received).toBeGreaterThanOrEqual(sent);
          expect(acknowledged).toBeGreaterThan(received);
        }
        expect(ran(drawn, false).times).toEqual(folded.times);
        expect(ran(drawn, true).times).toEqual(folded.times);
      }),
      { numRuns: RUNS },
    );
  },
);
