import { beforeEndOfTime } from '../network/end-of-time.js';
import type { AnalyticalSpec } from '../network/network-spec.js';

/** Bytes per ns of a bandwidth in units of 2^30 bytes a second, evaluated as the program does (section 12). */
export function bytesPerNs(gibPerSecond: number): number {
  return (gibPerSecond * 2 ** 30) / 1e9;
}

/**
 * Times of messages without congestion (astra-sim-semantics section 12): hops × latency + bytes / bandwidth, truncated once. Only the
 * lowest dimension in which source and destination differ counts.
 */
export class UnawareTimes {
  readonly #counts: readonly number[];
  readonly #kinds: readonly AnalyticalSpec['dimensions'][number]['topology'][];
  readonly #latencyNs: readonly number[];
  readonly #bytesPerNs: readonly number[];

  constructor({ dimensions }: AnalyticalSpec) {
    this.#counts = dimensions.map(({ npus }) => npus);
    this.#kinds = dimensions.map(({ topology }) => topology);
    this.#latencyNs = dimensions.map(({ latencyNs }) => latencyNs);
    this.#bytesPerNs = dimensions.map(({ bandwidthGiBPerSecond }) => bytesPerNs(bandwidthGiBPerSecond));
  }

  /** Whole ns from send to arrival. */
  delayNs(source: number, destination: number, bytes: number): number {
    let from = source;
    let to = destination;
    for (let dimension = 0; ; dimension++) {
      const count = this.#counts[dimension];
      const distance = Math.abs((from % count) - (to % count));
      if (distance !== 0) {
        const kind = this.#kinds[dimension];
        const hops = kind === 'Ring' ? Math.min(distance, count - distance) : kind === 'Switch' ? 2 : 1;
        return beforeEndOfTime(Math.floor(hops * this.#latencyNs[dimension] + bytes / this.#bytesPerNs[dimension]));
      }
      from = Math.floor(from / count);
      to = Math.floor(to / count);
    }
  }
}
