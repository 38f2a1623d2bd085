import { requestError } from '../base/errors.js';
import { EventClass } from '../kernel/event-queue.js';
import type { Kernel } from '../kernel/kernel.js';
import { ByteRate } from './byte-rate.js';
import type { ContentionFree, Network, NetworkFactory, TransferListener } from './network.js';
import type { AlphaBetaSpec, AnalyticalSpec, NetworkSpec } from './network-spec.js';

/**
 * A network without congestion: sent = start + S/β rounded up to whole ps, received = sent + Σα, acknowledged =
 * received + Σα. Σα and β come from an α–β pair, or from an ASTRA-sim analytical topology as its congestion-unaware backend
 * takes them (astra-sim-semantics section 12), in ps instead of whole ns.
 *
 * @throws PrepError `NETWORK_SIZE` when a topology does not have as many NPUs as there are ranks
 */
export function analyticalUnaware(spec: NetworkSpec): NetworkFactory {
  return (rankCount, kernel, listener) => {
    const times = spec.kind === 'alpha-beta' ? new AlphaBetaTimes(spec) : new TopologyTimes(spec, rankCount);
    return new AnalyticalUnaware(times, kernel, listener);
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

/** Only the lowest dimension in which two ranks differ is charged, with its own latency and bandwidth. */
class TopologyTimes implements ContentionFree {
  readonly #spec: AnalyticalSpec;
  readonly #rates: readonly ByteRate[];

  constructor(spec: AnalyticalSpec, rankCount: number) {
    const npus = spec.dimensions.reduce((product, dimension) => product * dimension.npus, 1);
    if (npus !== rankCount) {
      const counts = spec.dimensions.map((dimension) => dimension.npus).join(' × ');
      throw requestError(
        'NETWORK_SIZE',
        `network: npus_count ${counts} gives ${npus} NPUs, the traceset has ${rankCount} ranks; expected as many`,
      );
    }
    this.#spec = spec;
    this.#rates = spec.dimensions.map(
      (dimension) => new ByteRate(dimension.bandwidthGiBPerSecond, 2n ** 30n, 10n ** 9n),
    );
  }

  sendPs(source: number, destination: number, bytes: number): number {
    return this.#rates[this.#dimension(source, destination)].picoseconds(bytes);
  }

  latencyPs(source: number, destination: number): number {
    const { dimensions } = this.#spec;
    let from = source;
    let to = destination;
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
    let from = source;
    let to = destination;
    let index = 0;
    while (from % dimensions[index].npus === to % dimensions[index].npus) {
      from = Math.floor(from / dimensions[index].npus);
      to = Math.floor(to / dimensions[index].npus);
      index++;
    }
    return index;
  }
}
