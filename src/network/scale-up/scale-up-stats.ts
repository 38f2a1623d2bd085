/** What one device did in one interval. */
export interface IntervalCounts {
  /** k of the interval from (k − 1) × interval to k × interval; its end belongs to it, its start does not. */
  readonly row: number;
  packetsSent: number;
  packetsReceived: number;
  /** Headers included. */
  bytesSent: number;
  bytesReceived: number;
}

/** Packets and bytes of every rank's scale-up device by interval, for `nd-stats`. */
export class ScaleUpStats {
  readonly #devices: IntervalCounts[][];

  constructor(
    rankCount: number,
    readonly intervalPs: number,
  ) {
    this.#devices = Array.from({ length: rankCount }, () => []);
  }

  /** The serialisation of a packet has ended; times of one device never go back. */
  sent(rank: number, bytes: number, timePs: number): void {
    const counts = this.#at(rank, timePs);
    counts.packetsSent++;
    counts.bytesSent += bytes;
  }

  /** The receive service of a packet has ended. */
  received(rank: number, bytes: number, timePs: number): void {
    const counts = this.#at(rank, timePs);
    counts.packetsReceived++;
    counts.bytesReceived += bytes;
  }

  /** Intervals in which the device did something, ascending. */
  countsOf(rank: number): readonly IntervalCounts[] {
    return this.#devices[rank];
  }

  #at(rank: number, timePs: number): IntervalCounts {
    const row = Math.max(1, Math.ceil(timePs / this.intervalPs));
    const counts = this.#devices[rank];
    const last = counts.at(-1);
    if (last?.row === row) return last;
    const next = { row, packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };
    counts.push(next);
    return next;
  }
}
