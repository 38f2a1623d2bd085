import type { Kernel } from '../kernel/kernel.js';

/**
 * How bytes take time between ranks (R-070, NET-1). A network knows no trace: a transfer is a number the caller chose.
 * Times are integer ps in a double.
 */
export interface Network {
  readonly name: string;
  /**
   * Set when no transfer ever influences another: the times of one are then a function of its start alone, and a replay
   * may work them out in any order.
   */
  readonly contentionFree?: ContentionFree;
  /**
   * Rate of a rank's link into the network, bytes per ns: what ideal times are reckoned with. Where links of one rank
   * differ it is the fastest, and times from it are lower bounds.
   */
  readonly linkBytesPerNs?: number;
  /**
   * Whether transfers between two ranks go over a scale-up fabric: there is none where this is absent. A receiver
   * does not wait for their acknowledgments.
   */
  isScaleUp?(source: number, destination: number): boolean;
  /** Whether there is a way between two ranks. Absent where there is one between any two. */
  hasRoute?(source: number, destination: number): boolean;
  /** After a run that came to a stop: what holds transfers up in the network. Absent or empty for nothing. @param nowPs the stop */
  heldUpBy?(nowPs: number): readonly HeldUp[];
  /**
   * After a run with nothing left to do: asserts what must hold then.
   * @throws Error for what does not, a fault of the network
   */
  verify?(): void;
  /** Starts a transfer between two different ranks at `nowPs`. The network calls back each of sent, received, acknowledged exactly once, at its time. */
  post(transfer: number, source: number, destination: number, bytes: number, nowPs: number): void;
}

/** One thing that holds transfers up in a network. */
export interface HeldUp {
  /** `pause-cycle`: ports that have paused each other in a circle; no one of them can ever go on (SW-6). */
  readonly code: 'pause-cycle' | 'paused-ports' | 'packets-waiting';
  /** Ports it is true of, or packets. */
  readonly count: number;
  /** One line for a person: what, and how many. */
  readonly text: string;
  /** Where, line by line. */
  readonly lines: readonly string[];
}

/** Times of a transfer on a network without contention, each relative to its start, ps. */
export interface ContentionFree {
  /** Until the last byte has left the sender. */
  sendPs(source: number, destination: number, bytes: number): number;
  /** From the last byte's departure to its arrival; the acknowledgment takes as long again. */
  latencyPs(source: number, destination: number): number;
}

/** What a replay is told about its transfers. */
export interface TransferListener {
  sent(transfer: number, timePs: number): void;
  received(transfer: number, timePs: number): void;
  acknowledged(transfer: number, timePs: number): void;
}

/**
 * Builds the network of one run over ranks 0 … rankCount − 1. A network that is only asked for `contentionFree` times
 * schedules nothing and calls nobody back.
 * @throws PrepError when the network does not have that many ranks
 */
export type NetworkFactory = (rankCount: number, kernel: Kernel, listener: TransferListener) => Network;
