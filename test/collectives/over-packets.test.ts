import { ALGORITHMS } from '../../src/collectives/catalogue.js';
import { analyticalUnaware } from '../../src/network/analytical-unaware.js';
import type { NetworkFactory } from '../../src/network/network.js';
import { packetSettings } from '../../src/network/packet/settings/default-settings.js';
import { packetNetwork } from '../../src/network/packet/packet-network.js';
import { NIC_KINDS, type NicKind } from '../../src/network/packet/settings/packet-settings.js';
import type { StatedSettings } from '../../src/network/packet/settings/stated-settings.js';
import type { Topology } from '../../src/network/topology/topology.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import { replay } from '../../src/replay/replay.js';
import { COLLECTIVE_NAMES } from '../../src/trace/collective-type.js';
import { leafSpine, singleSwitch } from '../support/packet-runs.js';
import { collective, groupsOf, prepareAll } from '../support/preparation.js';
import { traceOf } from '../support/traces.js';

/** Collectives over packets: 400 Gbit/s and 500 ns on every link. */

function over(topology: Topology, nic: NicKind, stated: StatedSettings = {}): NetworkFactory {
  return packetNetwork({
    topology,
    settings: packetSettings(topology, { nic, seed: 1, stated, check: true }).settings,
  });
}

function ran(option: string, algorithm: string, ranks: number, size: number, network: NetworkFactory): ReplayOutcome {
  const type = COLLECTIVE_NAMES.findIndex((name) => name.option === option);
  const group = Array.from({ length: ranks }, (_, rank) => rank);
  const traces = group.map((rank) => traceOf([collective(1, { type, size, group: 'all', root: 0 })], rank));
  const algorithms = { [option]: algorithm };
  return replay(prepareAll(traces, { algorithms, expand: true, groups: groupsOf({ all: group }) }).traces, { network });
}

describe('four ranks on one switch, UET, one packet a transfer unless said', () => {
  // Of a full packet, 4,202 bytes, and of an acknowledgment, 78 bytes: serialisation, ns.
  const FULL = 84.04;
  const ACK = 1.56;
  // Alone: sent on two links, and the acknowledgment of the last back.
  const ALONE = 2 * FULL + 1000;
  const BACK = 2 * ACK + 1000;
  // What is sent because something has arrived goes behind the acknowledgment of that.
  const steps = (count: number, alone = ALONE): number => count * alone + (count - 1) * ACK + BACK;
  const BARRIER = 2 * 2.12 + 1000; // 106 bytes

  test.each([
    ['allreduce', 'ring', 16_384, steps(6)],
    // Two packets in the first and the last step.
    ['allreduce', 'halving-doubling', 16_384, steps(4) + 2 * FULL],
    // Up: two leaves to their parent, one behind the other; the parent to the root. Down the same way.
    ['allreduce', 'tree', 4096, steps(4) + 2 * FULL],
    ['reduce', 'ring', 4096, steps(3)],
    ['allgather', 'ring', 4096, steps(3)],
    ['reducescatter', 'ring', 16_384, steps(3)],
    ['reducescatter', 'halving', 16_384, steps(2) + FULL],
    // Three packets behind each other, from the root or to it.
    ['broadcast', 'interleaved', 4096, steps(1) + 2 * FULL],
    ['broadcast', 'sequential', 4096, steps(1) + 2 * FULL],
    ['gather', 'direct', 4096, steps(1) + 2 * FULL],
    ['scatter', 'direct', 16_384, steps(1) + 2 * FULL],
    ['alltoall', 'sequential', 16_384, steps(1) + 2 * FULL],
    ['alltoall', 'interleaved', 16_384, steps(1) + 2 * FULL],
    ['barrier', 'ring', 0, steps(6, BARRIER)],
  ])('R-100 %s %s, %d bytes', (option, algorithm, size, ns) => {
    const { status, endPs } = ran(option, algorithm, 4, size, over(singleSwitch(4), 'uet'));
    expect([status, endPs]).toEqual(['finished', Math.round(ns * 1000)]);
  });

  test('RC-2: RoCEv2 waits for the acknowledgment before the next message of a queue pair, unless told otherwise', () => {
    // 4,154 bytes are 83,080 ps, and 126 bytes 2,520 ps: 2 × 83,080 + 2 × 2,520 + 2,000,000 (V-3).
    const oneByOne = ran('allreduce', 'ring', 4, 16_384, over(singleSwitch(4), 'roce'));
    expect(oneByOne.endPs).toBe(6 * 2_171_200);
    const atOnce = ran('allreduce', 'ring', 4, 16_384, over(singleSwitch(4), 'roce', { QpMessagesInFlight: 0 }));
    expect(atOnce.endPs).toBe(6 * 1_166_160 + 5 * 2_520 + 1_005_040);
  });

  test('MRC: 4,170 bytes a packet', () => {
    expect(ran('allreduce', 'ring', 4, 16_384, over(singleSwitch(4), 'mrc')).endPs).toBe(
      6 * (2 * 83_400 + 1_000_000) + 5 * 1560 + 1_003_120,
    );
  });
});

const KINDS = ALGORITHMS.flatMap((algorithms, type) =>
  algorithms.map(({ name }) => [COLLECTIVE_NAMES[type].option, name] as const),
);

describe.each(NIC_KINDS)('eight ranks on two leaves and four spines, %s', (nic) => {
  test.each(KINDS)(
    '%s %s ends, moves what it moves without packets, and is not faster than its bits',
    (option, name) => {
      const size = option === 'barrier' ? 0 : 1_000_000;
      const outcome = ran(option, name, 8, size, over(leafSpine(2, 4, 4), nic));
      const ideal = analyticalUnaware({ kind: 'alpha-beta', latencyPs: 1_000_000, bytesPerNs: 50 });
      const plain = ran(option, name, 8, size, ideal);
      expect(outcome.status).toBe('finished');
      expect([outcome.transfers, outcome.bytes]).toEqual([plain.transfers, plain.bytes]);
      expect(outcome.ranks.map(({ bytesReceived }) => bytesReceived)).toEqual(
        plain.ranks.map(({ bytesReceived }) => bytesReceived),
      );
      const bound = Math.max(
        ...outcome.ranks.map(({ bytesSent, bytesReceived }) => Math.max(bytesSent, bytesReceived)),
      );
      expect(outcome.endPs).toBeGreaterThan((bound * 8000) / 400 + 2_000_000);
    },
  );
});
