import fc from 'fast-check';
import { packetNetwork } from '../../src/network/packet/packet-network.js';
import { NIC_KINDS } from '../../src/network/packet/settings/packet-settings.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { scaleUpRouted } from '../../src/network/scale-up/scale-up-routed.js';
import { hostsOf } from '../../src/network/topology/topology.js';
import { replay } from '../../src/replay/replay.js';
import { slowPacketNetwork } from '../support/slow-packet-network/kernel-network.js';
import { packetSpecOf, randomPacketRun } from './random-packet-run.js';
import { expanded, fabricOf, randomRun, scaleUpGroups } from './random-run.js';

/**
 * Replays over the packet network, which keeps most of its events to itself, and over its slow twin, whose events all lie in the
 * kernel's queue, among those of ranks and of a scale-up fabric.
 */

const RUNS = Number(process.env.PACKET_RUNS ?? 60);

function replayed(
  traces: ReturnType<typeof expanded>,
  network: NetworkFactory,
  startPs: number,
  stopPs: number,
): unknown {
  const outcome = replay(traces, { network, recordTransfers: true, startPs, stopPs });
  const log = outcome.transferLog!;
  const rows = Array.from({ length: log.length }, (_, row) => row);
  const upToStop = (timePs: number): number => (timePs <= stopPs ? timePs : Infinity);
  return {
    status: outcome.status,
    endPs: outcome.endPs,
    ranks: outcome.ranks,
    transfers: rows.map((row) => [
      ...[log.sender[row], log.receiver[row], log.bytes[row], log.tag[row]],
      ...[log.start, log.sent, log.received, log.acknowledged].map((column) => upToStop(column[row])),
    ]),
  };
}

test.each(NIC_KINDS)('a replay over the engine is one over its slow twin: %s', (nic) => {
  fc.assert(
    fc.property(
      randomRun(true),
      randomPacketRun(nic),
      fc.option(scaleUpGroups, { freq: 1, nil: undefined }),
      fc.boolean(),
      fc.constantFrom(0, 1, 4_000_000),
      fc.oneof(fc.constant(Infinity), fc.nat({ max: 60_000_000 })),
      (run, drawn, groups, sync, startPs, lengthPs) => {
        const { topology, settings } = packetSpecOf(drawn);
        fc.pre(hostsOf(topology).length >= run.rankCount);
        const traces = expanded(run, sync);
        const over = (beyond: NetworkFactory): unknown => {
          const network = groups === undefined ? beyond : scaleUpRouted(beyond, fabricOf(groups, run.rankCount));
          return replayed(traces, network, startPs, startPs + lengthPs);
        };
        const expected = over(slowPacketNetwork({ topology, settings }));
        for (const fold of [true, false]) {
          expect(over(packetNetwork({ topology, settings: { ...settings, fold, check: true } }))).toEqual(expected);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
