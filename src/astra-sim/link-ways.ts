import { npusOf } from '../network/analytical-placement.js';
import type { AnalyticalSpec, Topology } from '../network/network-spec.js';
import type { MessagePool } from './message-pool.js';

interface LinkDimension {
  readonly topology: Topology;
  readonly count: number;
  /** Product of the counts of the dimensions before it. */
  readonly stride: number;
  /** Number of its first link. */
  readonly first: number;
}

/** In the hop of a message, beside the dimension of the link it takes: whether that link ends in a switch. */
const IN_SWITCH = 1;

/**
 * The links of a network with congestion, and the ways over them (astra-sim-semantics section 13). Ways are found hop by hop: coordinate
 * 0 is corrected first, then 1, ….
 */
export class LinkWays {
  readonly linkCount: number;
  readonly #messages: MessagePool;
  readonly #isFolded: boolean;
  readonly #dimensions: readonly LinkDimension[];

  /** @param isFolded whether the links of rank 0 stand for those of all ranks */
  constructor(spec: AnalyticalSpec, messages: MessagePool, isFolded: boolean) {
    this.#messages = messages;
    this.#isFolded = isFolded;
    const ranks = isFolded ? 1 : npusOf(spec);
    let first = 0;
    let stride = 1;
    this.#dimensions = spec.dimensions.map(({ topology, npus }) => {
      const dimension = { topology, count: npus, stride, first };
      first += ranks * (topology === 'FullyConnected' ? npus : 2);
      stride *= npus;
      return dimension;
    });
    this.linkCount = first;
  }

  /** The dimension of the link that a message takes. */
  dimensionOf(message: number): number {
    return this.#messages.hop(message) >> 1;
  }

  /** Whether a message is where it wants to go. */
  isThere(message: number): boolean {
    const messages = this.#messages;
    return (messages.hop(message) & IN_SWITCH) === 0 && messages.at(message) === messages.destination(message);
  }

  /** The link that a message takes next; it then counts as being at the end of it. */
  next(message: number): number {
    const messages = this.#messages;
    const at = messages.at(message);
    const destination = messages.destination(message);
    const hop = messages.hop(message);
    if ((hop & IN_SWITCH) !== 0) {
      // Down to the rank that differs from the one it came from in this coordinate only.
      const { count, stride, first } = this.#dimensions[hop >> 1];
      const coordinate = Math.floor(destination / stride) % count;
      const to = at + (coordinate - (Math.floor(at / stride) % count)) * stride;
      messages.setAt(message, to);
      messages.setHop(message, hop & ~IN_SWITCH);
      return first + this.#owner(to) * 2 + 1;
    }
    for (let index = 0; ; index++) {
      const { topology, count, stride, first } = this.#dimensions[index];
      const from = Math.floor(at / stride) % count;
      const to = Math.floor(destination / stride) % count;
      if (from === to) continue;
      const clockwise = to > from ? to - from : to - from + count;
      if (topology === 'Switch') {
        messages.setHop(message, (index << 1) | IN_SWITCH);
        return first + this.#owner(at) * 2;
      }
      messages.setHop(message, index << 1);
      if (topology === 'FullyConnected') {
        messages.setAt(message, at + (to - from) * stride);
        return this.#isFolded ? first + clockwise : first + at * count + to;
      }
      const isClockwise = clockwise <= count - clockwise;
      if (isClockwise) {
        messages.setAt(message, from + 1 === count ? at - (count - 1) * stride : at + stride);
        return first + this.#owner(at) * 2;
      }
      messages.setAt(message, from === 0 ? at + (count - 1) * stride : at - stride);
      return first + this.#owner(at) * 2 + 1;
    }
  }

  /**
   * Where one rank stands for all: who schedules that a message comes to the end of the link it takes ({@link originOf}), 0 for the
   * switch that sends it down.
   */
  origin(message: number, link: number): number {
    const messages = this.#messages;
    const hop = messages.hop(message);
    const index = hop >> 1;
    const { topology, count, stride, first } = this.#dimensions[index];
    if (topology === 'FullyConnected') return originOf(index, link - first);
    if (topology === 'Ring') return originOf(index, link === first ? 1 : count - 1);
    if ((hop & IN_SWITCH) === 0) return 0;
    const from = Math.floor(messages.at(message) / stride) % count;
    const to = Math.floor(messages.destination(message) / stride) % count;
    return originOf(index, to > from ? to - from : to - from + count);
  }

  /** The rank whose links a message takes that is at a rank. */
  #owner(rank: number): number {
    return this.#isFolded ? 0 : rank;
  }
}

/** Number of the way from a rank to one at a distance in a dimension: where one rank stands for all, who schedules what happens there. */
export function originOf(dimension: number, distance: number): number {
  return dimension * 2 ** 24 + distance;
}
