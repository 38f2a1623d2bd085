import { IntervalStats } from '../../src/network/packet/counts/interval-stats.js';
import { packetNetwork, type PacketNetwork } from '../../src/network/packet/packet-network.js';
import type { PacketSettings } from '../../src/network/packet/settings/packet-settings.js';
import { hostsOf, type Topology } from '../../src/network/topology/topology.js';
import type { RunFacts } from '../../src/records/run-facts.js';
import type { ReplayOptions } from '../../src/replay/replay-options.js';
import type { ReplayOutcome } from '../../src/replay/outcome.js';
import type { Placement } from '../../src/replay/placement.js';
import { receive, run, send, traces } from './jobs.js';
import type { PacketPost } from './packet-runs.js';
import { factsOf } from './records.js';

export interface RecordedRun {
  readonly outcome: ReplayOutcome;
  readonly facts: RunFacts;
  readonly network: PacketNetwork;
}

/**
 * Replays transfers over a packet network that counts at an interval. Rank r is on the r-th host; the transfers of a rank start
 * together, so `at` must be absent.
 */
export function recordedRun(
  topology: Topology,
  settings: PacketSettings,
  posts: readonly PacketPost[],
  intervalPs: number,
  options: Partial<ReplayOptions> = {},
): RecordedRun {
  const hosts = hostsOf(topology);
  const ranks = hosts.map((_, rank) =>
    posts.flatMap(({ source, destination, bytes }, tag) => [
      ...(source === rank ? [send(tag + 1, destination, bytes, tag)] : []),
      ...(destination === rank ? [receive(tag + 1, source, bytes, tag)] : []),
    ]),
  );
  const stats = new IntervalStats(topology, intervalPs);
  let network: PacketNetwork | undefined;
  const outcome = run(traces(...ranks), {
    recordTransfers: true,
    ...options,
    network: packetNetwork({ topology, settings }, { stats, onBuilt: (built) => (network = built) }),
  });
  const facts = factsOf({ placement: placementOn(topology), packet: { topology, settings, stats } });
  return { outcome, facts, network: network! };
}

/** Rank r on the r-th host, by the names and ids of the topology. */
export function placementOn(topology: Topology): Placement {
  const hosts = hostsOf(topology);
  const servers = hosts.map((node, id) => ({ id, name: topology.nodes[node].name, node, nicNode: node }));
  return {
    servers,
    serverOf: servers,
    groups: [],
    groupOf: new Int32Array(hosts.length).fill(-1),
    subgroupOf: new Uint32Array(hosts.length),
  };
}

/** Rows of a table as objects, by the header line. */
export function rowsByName(lines: readonly string[]): Record<string, string>[] {
  const names = lines[0].split(',');
  return lines.slice(1).map((line) => Object.fromEntries(line.split(',').map((cell, column) => [names[column], cell])));
}
