import { EventClass } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import { checkPlacement, linkBytesPerNs, type AnalyticalPlacement } from './analytical-placement.js';
import { ByteRate, rateOfGiB } from './byte-rate.js';
import type { ContentionFree, Network, NetworkFactory, TransferListener } from './network.js';
import type { AlphaBetaSpec, AnalyticalSpec, NetworkSpec } from './network-spec.js';

/**
 * A network without congestion: sent = start + S/β rounded up to whole ps, received = sent + Σα, acknowledged =
 * received + Σα. Σα and β come from an α–β pair, or from an ASTRA-sim analytical topology as its congestion-unaware backend
 * takes them (astra-sim-semantics section 12), in ps instead of whole ns.
 *
 * @throws PrepError what {@link checkPlacement} throws, when a network is built
 */
export function analyticalUnaware(spec: NetworkSpec, placement: AnalyticalPlacement = {}): NetworkFactory {
  return (rankCount, kernel, listener) => {
    checkPlacement(spec, placement, rankCount);
    const { servers } = placement;
    const times = spec.kind === 'alpha-beta' ? new AlphaBetaTimes(spec) : new TopologyTimes(spec, servers);
    return new AnalyticalUnaware(times, linkBytesPerNs(spec), kernel, listener);
  };
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
    this.#rates = spec.dimensions.map((dimension) => rateOfGiB(dimension.bandwidthGiBPerSecond));
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
