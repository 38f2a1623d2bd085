import { requestError } from '../base/errors.js';
import type { AnalyticalSpec, NetworkSpec } from './network-spec.js';

/** Where the ranks run. */
export interface AnalyticalPlacement {
  /**
   * [ranks] server id of each rank, the bits of an unsigned integer; in a topology the number of its NPU. Rank r is
   * on server r where absent.
   */
  readonly servers?: Int32Array | undefined;
  /** Whether a topology may have NPUs that no rank runs on. */
  readonly allowExtra?: boolean | undefined;
}

/** Ids of the servers of a network, ascending: the NPUs of a topology. `undefined` for α–β, which has any. */
export function serverIdsOf(spec: NetworkSpec): number[] | undefined {
  return spec.kind === 'alpha-beta' ? undefined : Array.from({ length: npusOf(spec) }, (_, npu) => npu);
}

/** Number of NPUs of a topology. */
export function npusOf(spec: AnalyticalSpec): number {
  return spec.dimensions.reduce((product, dimension) => product * dimension.npus, 1);
}

/** β, or the bandwidth of the fastest dimension, bytes per ns. */
export function linkBytesPerNs(spec: NetworkSpec): number {
  if (spec.kind === 'alpha-beta') return spec.bytesPerNs;
  return (Math.max(...spec.dimensions.map((dimension) => dimension.bandwidthGiBPerSecond)) * 2 ** 30) / 1e9;
}

/**
 * Whether the ranks of a traceset can be placed so.
 * @throws PrepError `NETWORK_SIZE` when a topology has fewer NPUs than there are ranks, or more without `allowExtra`; when
 *   `servers` is not as long as there are ranks, names a server twice, or one that a topology does not have
 */
export function checkPlacement(spec: NetworkSpec, placement: AnalyticalPlacement, rankCount: number): void {
  checkSize(spec, placement, rankCount);
  if (placement.servers) checkServers(placement.servers, serverIdsOf(spec), rankCount);
}

function checkSize(spec: NetworkSpec, { allowExtra }: AnalyticalPlacement, rankCount: number): void {
  if (spec.kind === 'alpha-beta') return;
  const npus = npusOf(spec);
  if (npus === rankCount || (npus > rankCount && allowExtra)) return;
  const counts = spec.dimensions.map((dimension) => dimension.npus).join(' × ');
  throw requestError(
    'NETWORK_SIZE',
    `network: npus_count ${counts} gives ${npus} NPUs, the traceset has ${rankCount} ranks; expected ${allowExtra ? 'at least ' : ''}as many`,
  );
}

function checkServers(servers: Int32Array, ids: readonly number[] | undefined, rankCount: number): void {
  if (servers.length !== rankCount) {
    throw requestError(
      'NETWORK_SIZE',
      `network: ${servers.length} ranks are placed on servers, the traceset has ${rankCount}; expected as many`,
      'place every rank of the traceset',
    );
  }
  const rankOn = new Map<number, number>();
  for (const [rank, server] of servers.entries()) {
    if (ids && !(server >= 0 && server < ids.length)) {
      throw requestError(
        'NETWORK_SIZE',
        `network: rank ${rank} is placed on server ${server >>> 0}; the topology has servers 0 … ${ids.length - 1}`,
        'name a server of the topology',
      );
    }
    const other = rankOn.get(server);
    if (other !== undefined) {
      throw requestError(
        'NETWORK_SIZE',
        `network: ranks ${other} and ${rank} are both placed on server ${server >>> 0}; expected one rank a server`,
        'place each rank on a server of its own',
      );
    }
    rankOn.set(server, rank);
  }
}
