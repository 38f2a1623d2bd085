import type { Finding } from '../base/finding.js';
import { DEFAULT_RUN_OPTIONS } from '../config/run-options.js';
import type { NetworkFactory } from '../network/network.js';
import { packetSettings } from '../network/packet/settings/default-settings.js';
import type { IntervalStats } from '../network/packet/counts/interval-stats.js';
import { packetNetwork, type PacketNetwork } from '../network/packet/packet-network.js';
import type { PacketNetworkSpec } from '../network/packet/settings/packet-settings.js';
import { readTopology } from '../network/topology/read-topology.js';
import { hostsOf } from '../network/topology/topology.js';
import type { Server } from '../replay/placement.js';
import type { SimulationRequest } from './simulation-request.js';

/** A packet network as a request describes it, before ranks are placed on it. */
export interface PacketNetworkOfRun {
  readonly spec: PacketNetworkSpec;
  /** A server for each host. */
  readonly servers: readonly Server[];
  readonly findings: readonly Finding[];
}

/**
 * Reads a topology and completes the settings of the network on it.
 * @throws PrepError what {@link readTopology} and {@link packetSettings} throw
 */
export function packetNetworkOfRun(text: string, rankCount: number, request: SimulationRequest): PacketNetworkOfRun {
  const { network, seed = DEFAULT_RUN_OPTIONS.seed, packet } = request;
  const nic = packet?.nic ?? 'roce';
  const { topology, findings } = readTopology(text, network, { rankCount });
  const completed = packetSettings(topology, {
    nic,
    seed,
    stated: packet?.stated ?? {},
    check: packet?.check ?? false,
  });
  return {
    spec: { topology, settings: completed.settings },
    servers: hostsOf(topology).map((id) => ({ id, name: topology.nodes[id].name, node: id, nicNode: id, nic })),
    findings: [...findings, ...completed.findings],
  };
}

/** A factory, and the network that it has built. */
export interface BuiltOnce {
  readonly factory: NetworkFactory;
  readonly spec: PacketNetworkSpec;
  /** Counts of its intervals, where records are written. */
  readonly stats: IntervalStats | undefined;
  network(): PacketNetwork | undefined;
}

/** @param hosts [ranks] node id of the host of each rank */
export function builtOnce(spec: PacketNetworkSpec, hosts: Int32Array, stats?: IntervalStats): BuiltOnce {
  let built: PacketNetwork | undefined;
  return {
    factory: packetNetwork(spec, { hosts, stats, onBuilt: (network) => (built = network) }),
    spec,
    stats,
    network: () => built,
  };
}
