import { requestError } from '../base/errors.js';
import { EventClass } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import { ByteRate } from './byte-rate.js';
import type { ContentionFree, Network, NetworkFactory, TransferListener } from './network.js';
import type { AlphaBetaSpec, AnalyticalSpec, NetworkSpec } from './network-spec.js';

const GIB = 2n ** 30n;

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

/**
 * A network without congestion: sent = start + S/β rounded up to whole ps, received = sent + Σα, acknowledged =
 * received + Σα. Σα and β come from an α–β pair, or from an ASTRA-sim analytical topology as its congestion-unaware backend
 * takes them (astra-sim-semantics section 12), in ps instead of whole ns.
 *
 * @throws PrepError `NETWORK_SIZE` when a topology has fewer NPUs than there are ranks, or more without `allowExtra`; when
 *   `servers` is not as long as there are ranks, names a server twice, or one that a topology does not have
 */
export function analyticalUnaware(spec: NetworkSpec, placement: AnalyticalPlacement = {}): NetworkFactory {
  return (rankCount, kernel, listener) => {
    checkSize(spec, placement, rankCount);
    const { servers } = placement;
    if (servers) checkServers(servers, serverIdsOf(spec), rankCount);
    const times = spec.kind === 'alpha-beta' ? new AlphaBetaTimes(spec) : new TopologyTimes(spec, servers);
    return new AnalyticalUnaware(times, linkBytesPerNs(spec), kernel, listener);
  };
}

/** Ids of the servers of a network, ascending: the NPUs of a topology. `undefined` for α–β, which has any. */
export function serverIdsOf(spec: NetworkSpec): number[] | undefined {
  return spec.kind === 'alpha-beta' ? undefined : Array.from({ length: npusOf(spec) }, (_, npu) => npu);
}

class AnalyticalUnaware implements Network {
  readonly name = 'analytical-unaware';
  readonly #kernel: Kernel;
  readonly #sent: number;
  readonly #received: number;
  readonly #acknowledged: number;

  constructor(
    readonly contentionFree: ContentionFree,
    readonly linkBytesPerNs: number,
    kernel: Kernel,
    listener: TransferListener,
  ) {
    this.#kernel = kernel;
    this.#sent = kernel.addHandler((transfer) => listener.sent(transfer, kernel.now));
    this.#received = kernel.addHandler((transfer) => listener.received(transfer, kernel.now));
    this.#acknowledged = kernel.addHandler((transfer) => listener.acknowledged(transfer, kernel.now));
  }

  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void {
    const latency = this.contentionFree.latencyPs(source, destination);
    const sent = nowPs + this.contentionFree.sendPs(source, destination, bytes);
    const kernel = this.#kernel;
    kernel.schedule(sent, EventClass.completion, source, this.#sent, transfer);
    kernel.schedule(sent + latency, EventClass.completion, destination, this.#received, transfer);
    kernel.schedule(sent + 2 * latency, EventClass.completion, source, this.#acknowledged, transfer);
  }
}

class AlphaBetaTimes implements ContentionFree {
  readonly #rate: ByteRate;
  readonly #latencyPs: number;

  constructor(spec: AlphaBetaSpec) {
    this.#rate = new ByteRate(spec.bytesPerNs);
    this.#latencyPs = spec.latencyPs;
  }

  sendPs(_source: number, _destination: number, bytes: number): number {
    return this.#rate.picoseconds(bytes);
  }

  latencyPs(): number {
    return this.#latencyPs;
  }
}

/** Only the lowest dimension in which two servers differ is charged, with its own latency and bandwidth. */
class TopologyTimes implements ContentionFree {
  readonly #spec: AnalyticalSpec;
  readonly #servers: Int32Array | undefined; // [ranks]
  readonly #rates: readonly ByteRate[];

  constructor(spec: AnalyticalSpec, servers: Int32Array | undefined) {
    this.#spec = spec;
    this.#servers = servers;
    this.#rates = spec.dimensions.map((dimension) => new ByteRate(dimension.bandwidthGiBPerSecond, GIB, 10n ** 9n));
  }

  sendPs(source: number, destination: number, bytes: number): number {
    return this.#rates[this.#dimension(source, destination)].picoseconds(bytes);
  }

  latencyPs(source: number, destination: number): number {
    const { dimensions } = this.#spec;
    let from = this.#serverOf(source);
    let to = this.#serverOf(destination);
    for (let index = 0; ; index++) {
      const { npus, topology, latencyPs } = dimensions[index];
      const distance = Math.abs((from % npus) - (to % npus));
      if (distance !== 0) {
        if (topology === 'Ring') return Math.min(distance, npus - distance) * latencyPs;
        return topology === 'Switch' ? 2 * latencyPs : latencyPs;
      }
      from = Math.floor(from / npus);
      to = Math.floor(to / npus);
    }
  }

  #dimension(source: number, destination: number): number {
    const { dimensions } = this.#spec;
    let from = this.#serverOf(source);
    let to = this.#serverOf(destination);
    let index = 0;
    while (from % dimensions[index].npus === to % dimensions[index].npus) {
      from = Math.floor(from / dimensions[index].npus);
      to = Math.floor(to / dimensions[index].npus);
      index++;
    }
    return index;
  }

  #serverOf(rank: number): number {
    return this.#servers === undefined ? rank : this.#servers[rank];
  }
}

function npusOf(spec: AnalyticalSpec): number {
  return spec.dimensions.reduce((product, dimension) => product * dimension.npus, 1);
}

/** β, or the bandwidth of the fastest dimension. */
function linkBytesPerNs(spec: NetworkSpec): number {
  if (spec.kind === 'alpha-beta') return spec.bytesPerNs;
  return (Math.max(...spec.dimensions.map((dimension) => dimension.bandwidthGiBPerSecond)) * Number(GIB)) / 1e9;
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
