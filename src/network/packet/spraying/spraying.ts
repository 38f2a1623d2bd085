import type { RandomStream } from '../../../kernel/random.js';

/** First value of `default` spraying, and the only one of `none`. */
const FIRST_VALUE = 256;

/** How a UET group chooses the entropy values of its packets, and what the fate of a packet teaches it (section 7). */
export interface Spraying {
  /**
   * Value of the next data packet or retransmission.
   *
   * @param baseRttPs of the group now
   * @param random of the sending host, for this purpose
   */
  next(nowPs: number, baseRttPs: number, random: RandomStream): number;
  /** An ACK echoes a value, and whether its packet was marked. */
  acked(value: number, marked: boolean, nowPs: number): void;
  /** A trim NACK echoes a value, and whether the packet was trimmed at the port that faces the destination. */
  trimmed(value: number, lastHop: boolean, nowPs: number): void;
  timedOut(value: number, nowPs: number): void;
}

/** `default`: a fixed run of values around and around, whatever becomes of the packets. */
export class RotatingSpraying implements Spraying {
  readonly #paths: number;
  #step = 0;

  constructor(paths: number) {
    this.#paths = paths;
  }

  next(): number {
    const value = FIRST_VALUE + this.#step;
    this.#step = (this.#step + 1) % this.#paths;
    return value;
  }

  acked(): void {}

  trimmed(): void {}

  timedOut(): void {}
}

/** `none`: every packet of the group has the same value. */
export class SinglePath implements Spraying {
  next(): number {
    return FIRST_VALUE;
  }

  acked(): void {}

  trimmed(): void {}

  timedOut(): void {}
}
