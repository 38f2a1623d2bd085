import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { analyticalAware } from '../network/analytical-aware.js';
import { serverIdsOf } from '../network/analytical-placement.js';
import { analyticalUnaware } from '../network/analytical-unaware.js';
import type { NetworkSpec } from '../network/network-spec.js';
import type { NetworkFactory } from '../network/network.js';
import { IntervalStats } from '../network/packet/counts/interval-stats.js';
import { notPacketNetwork } from '../network/packet/settings/not-packet-network.js';
import { scaleUpRouted } from '../network/scale-up/scale-up-routed.js';
import { ScaleUpStats } from '../network/scale-up/scale-up-stats.js';
import { placeRanks, scaleUpSpecOf, type Mapping, type Placement, type PlacementRequest } from '../replay/placement.js';
import type { NamedNetwork } from './named-network.js';
import { builtOnce, packetNetworkOfRun, type BuiltOnce } from './packet-network-of-run.js';
import type { SimulationRequest } from './simulation-request.js';

/** The network of a run, with the ranks on it. */
export interface SimulatedNetwork {
  readonly factory: NetworkFactory;
  readonly placement: Placement;
  /** Whether transfers influence each other, so that every one must be a node. */
  readonly hasContention: boolean;
  /** There where ranks are in scale-up groups. */
  readonly scaleUp?: { readonly stats?: ScaleUpStats };
  /** There where packets are simulated. */
  readonly packets?: BuiltOnce;
  /** What is to be said of the network and its settings. */
  readonly findings: readonly Finding[];
}

/**
 * Places the ranks on the servers of a network and joins those of a group by a scale-up fabric.
 * @throws PrepError `NETWORK_NOT_PACKET`, `NETWORK_NOT_ANALYTICAL`, and what {@link placeRanks}, {@link analyticalAware} and
 *   {@link packetNetworkOfRun} throw
 */
export function simulatedNetwork(
  named: NamedNetwork,
  rankCount: number,
  request: SimulationRequest,
  mapping: Mapping | undefined,
): SimulatedNetwork {
  const beyond =
    named.kind === 'topology'
      ? overPackets(named.text, rankCount, request, mapping)
      : withoutPackets(named.spec, rankCount, request, mapping);
  const { placement } = beyond;
  const { scaleUpMaxPayloadBytes: maxPayloadBytes, scaleUpHeaderBytes: headerBytes } = request;
  const fabric = scaleUpSpecOf(placement, { maxPayloadBytes, headerBytes });
  if (fabric === undefined) {
    const message = '--scale-up-stats (ScaleUpStatsEnabled) is not used: no rank is in a scale-up group';
    const findings = request.scaleUpStats ? [finding('SETTING_UNUSED', message)] : [];
    return { ...beyond, findings: [...beyond.findings, ...findings] };
  }
  const stats = request.scaleUpStats ? new ScaleUpStats(rankCount, request.ndStatsIntervalPs) : undefined;
  return {
    ...beyond,
    factory: scaleUpRouted(beyond.factory, fabric, stats),
    hasContention: true,
    scaleUp: stats === undefined ? {} : { stats },
  };
}

function withoutPackets(
  spec: NetworkSpec,
  rankCount: number,
  request: SimulationRequest,
  mapping: Mapping | undefined,
): SimulatedNetwork {
  if (request.backend === 'packet') throw notPacketNetwork(spec, request.network);
  const { allowExtraServers: allowExtra } = request;
  const serverIds = serverIdsOf(spec);
  const placement = placeRanks({
    ...placementRequest(rankCount, request, mapping),
    ...(serverIds === undefined ? {} : { serverIds }),
  });
  const servers = Int32Array.from(placement.serverOf, ({ id }) => id);
  const isAware = request.backend === 'analytical-aware';
  const factory = (isAware ? analyticalAware : analyticalUnaware)(spec, { servers, allowExtra });
  return { factory, placement, hasContention: isAware, findings: request.packet?.findings ?? [] };
}

function overPackets(
  text: string,
  rankCount: number,
  request: SimulationRequest,
  mapping: Mapping | undefined,
): SimulatedNetwork {
  const { backend = 'packet', network } = request;
  if (backend !== 'packet') {
    throw requestError(
      'NETWORK_NOT_ANALYTICAL',
      `network ${network}: a topology of hosts and switches; --backend ${backend} expects an analytical network`,
      'leave out --backend, or name an analytical network',
    );
  }
  const { spec, servers, findings } = packetNetworkOfRun(text, rankCount, request);
  const placement = placeRanks({ ...placementRequest(rankCount, request, mapping), servers });
  const { recordsFolder, ndStatsIntervalPs } = request;
  const packets = builtOnce(
    spec,
    Int32Array.from(placement.serverOf, ({ node }) => node),
    recordsFolder === undefined ? undefined : new IntervalStats(spec.topology, ndStatsIntervalPs),
  );
  return { factory: packets.factory, placement, hasContention: true, packets, findings };
}

function placementRequest(
  rankCount: number,
  request: SimulationRequest,
  mapping: Mapping | undefined,
): PlacementRequest {
  const { allowExtraServers } = request;
  const mapped =
    mapping === undefined || request.mapping === undefined ? {} : { mapping, mappingName: request.mapping };
  return { rankCount, allowExtraServers, ...mapped };
}
