import { existsSync, readFileSync } from 'node:fs';
import { finding } from '../base/catalogue.js';
import { requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { analyticalAware } from '../network/analytical-aware.js';
import { serverIdsOf } from '../network/analytical-placement.js';
import { analyticalUnaware } from '../network/analytical-unaware.js';
import type { NetworkSpec } from '../network/network-spec.js';
import type { NetworkFactory } from '../network/network.js';
import { notPacketNetwork } from '../network/packet/not-packet-network.js';
import { isShortNetworkForm, parseNetwork } from '../network/parse-network.js';
import { scaleUpRouted } from '../network/scale-up/scale-up-routed.js';
import { ScaleUpStats } from '../network/scale-up/scale-up-stats.js';
import { placeRanks, scaleUpSpecOf, type Mapping, type Placement } from '../replay/placement.js';
import type { SimulationRequest } from './simulation-request.js';

/** The network of a run, with the ranks on it. */
export interface SimulatedNetwork {
  readonly factory: NetworkFactory;
  readonly placement: Placement;
  /** Whether transfers influence each other, so that every one must be a node. */
  readonly hasContention: boolean;
  /** There where ranks are in scale-up groups. */
  readonly scaleUp?: { readonly stats?: ScaleUpStats };
  /** Settings without effect. */
  readonly findings: readonly Finding[];
}

/**
 * Places the ranks on the servers of a network and joins those of a group by a scale-up fabric.
 * @throws PrepError `NETWORK_NOT_PACKET`, and what {@link placeRanks} and {@link analyticalAware} throw
 */
export function simulatedNetwork(
  spec: NetworkSpec,
  rankCount: number,
  request: SimulationRequest,
  mapping: Mapping | undefined,
): SimulatedNetwork {
  if (request.backend === 'packet') throw notPacketNetwork(spec, request.network);
  const unused = request.packet?.findings ?? [];
  const { allowExtraServers, scaleUpMaxPayloadBytes, scaleUpHeaderBytes } = request;
  const serverIds = serverIdsOf(spec);
  const placement = placeRanks({
    rankCount,
    allowExtraServers,
    ...(serverIds === undefined ? {} : { serverIds }),
    ...(mapping === undefined || request.mapping === undefined ? {} : { mapping, mappingName: request.mapping }),
  });
  const servers = Int32Array.from(placement.serverOf, ({ id }) => id);
  const isAware = request.backend === 'analytical-aware';
  const analytical = isAware ? analyticalAware : analyticalUnaware;
  const beyond = analytical(spec, { servers, allowExtra: allowExtraServers });
  const sizes = { maxPayloadBytes: scaleUpMaxPayloadBytes, headerBytes: scaleUpHeaderBytes };
  const fabric = scaleUpSpecOf(placement, sizes);
  if (fabric === undefined) {
    const message = '--scale-up-stats (ScaleUpStatsEnabled) is not used: no rank is in a scale-up group';
    const findings = request.scaleUpStats ? [finding('SETTING_UNUSED', message)] : [];
    return { factory: beyond, placement, hasContention: isAware, findings: [...unused, ...findings] };
  }
  const stats = request.scaleUpStats ? new ScaleUpStats(rankCount, request.ndStatsIntervalPs) : undefined;
  return {
    factory: scaleUpRouted(beyond, fabric, stats),
    placement,
    hasContention: true,
    scaleUp: stats === undefined ? {} : { stats },
    findings: unused,
  };
}

/**
 * What `--network` names: a short form or a file.
 * @throws PrepError `NETWORK_UNREADABLE`, or what the parser throws
 */
export function readNetwork(text: string): NetworkSpec {
  if (isShortNetworkForm(text) && !existsSync(text)) return parseNetwork(text);
  let content: string;
  try {
    content = readFileSync(text, 'utf8');
  } catch (cause) {
    throw requestError(
      'NETWORK_UNREADABLE',
      `network ${text}: cannot be read (${(cause as Error).message})`,
      'expected a file or alpha-beta:latency=1us,bandwidth=50GB/s',
    );
  }
  return parseNetwork(content, text);
}
