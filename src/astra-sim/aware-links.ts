import type { LaneQueue } from '../kernel/lane-queue.js';
import { beforeEndOfTime } from '../network/end-of-time.js';
import type { AnalyticalSpec, Topology } from '../network/network-spec.js';
import type { MessagePool } from './message-pool.js';
import type { MessageSizes } from './message-sizes.js';
import { bytesPerNs } from './unaware-times.js';

interface LinkDimension {
  readonly topology: Topology;
  readonly count: number;
  /** Product of the counts of the dimensions before it. */
  readonly stride: number;
  readonly latencyNs: number;
  readonly bytesPerNs: number;
  /** Number of its first link. */
  readonly first: number;
}

/** Sequence of a link whose end nobody asked for yet, and of one that has an event for its end. */
const IDLE = -1;
const EVENT = -2;
/** In the hop of a message, beside the dimension of the link it takes: whether that link ends in a switch. */
const IN_SWITCH = 1;

/**
 * Links with queues (astra-sim-semantics section 13). A message takes the links of its way one after another, whole; a link carries
 * one message at a time, first come first served. Ways are found hop by hop: coordinate 0 is corrected first, then 1, ….
 *
 * A link that falls free while nobody waits for it needs no event: it keeps the instant, and the place among the events of
 * it, and an event is made only when a message comes before then.
 */
export class AwareLinks {
  readonly #queue: LaneQueue;
  readonly #messages: MessagePool;
  readonly #sizes: MessageSizes;
  /** Whether the links of rank 0 stand for those of all ranks (see {@link Folding}). */
  readonly #isFolded: boolean;
  readonly #arrivalEvent: number;
  readonly #freeEvent: number;
  readonly #dimensions: readonly LinkDimension[];
  readonly #freeAtNs: Float64Array; // [links]
  readonly #freeSequence: Float64Array; // [links] place of the end among the events; IDLE, EVENT
  readonly #firstWaiting: Int32Array; // [links] message, −1 for none
  readonly #lastWaiting: Int32Array; // [links]
  // The delays of the link and size used last.
  #lastSize = -1;
  #lastDimension = -1;
  #arrivalNs = 0;
  #arrivalLane = 0;
  #busyNs = 0;
  #busyLane = 0;
  /** Origin of what happens at the end of the link found last. */
  #origin = 0;

  /** @param arrivalEvent kind of events whose `a` is a message at the end of a link. @param freeEvent … whose `a` is a link that is free */
  constructor(
    spec: AnalyticalSpec,
    queue: LaneQueue,
    messages: MessagePool,
    sizes: MessageSizes,
    arrivalEvent: number,
    freeEvent: number,
    isFolded: boolean,
  ) {
    this.#sizes = sizes;
    this.#isFolded = isFolded;
    this.#queue = queue;
    this.#messages = messages;
    this.#arrivalEvent = arrivalEvent;
    this.#freeEvent = freeEvent;
    const ranks = isFolded ? 1 : spec.dimensions.reduce((product, { npus }) => product * npus, 1);
    let links = 0;
    let stride = 1;
    this.#dimensions = spec.dimensions.map(({ topology, npus, latencyNs, bandwidthGiBPerSecond }) => {
      const first = links;
      links += ranks * (topology === 'FullyConnected' ? npus : 2);
      const dimension = {
        topology,
        count: npus,
        stride,
        latencyNs,
        bytesPerNs: bytesPerNs(bandwidthGiBPerSecond),
        first,
      };
      stride *= npus;
      return dimension;
    });
    this.#freeAtNs = new Float64Array(links);
    this.#freeSequence = new Float64Array(links).fill(IDLE);
    this.#firstWaiting = new Int32Array(links).fill(-1);
    this.#lastWaiting = new Int32Array(links).fill(-1);
  }

  /** A message leaves its source. */
  send(message: number): void {
    this.#offer(message);
  }

  /** A message has come to the end of a link: gives whether it is where it wanted to go; otherwise it goes on. */
  arrive(message: number): boolean {
    const messages = this.#messages;
    if ((messages.hop(message) & IN_SWITCH) === 0 && messages.at(message) === messages.destination(message))
      return true;
    this.#offer(message);
    return false;
  }

  /** A link has fallen free: the message that waits first takes it. */
  free(link: number): void {
    this.#freeSequence[link] = IDLE;
    const message = this.#firstWaiting[link];
    if (message < 0) return;
    const next = this.#messages.next(message);
    this.#firstWaiting[link] = next;
    if (next < 0) this.#lastWaiting[link] = -1;
    this.#start(link, message);
  }

  #offer(message: number): void {
    const link = this.#nextLink(message);
    const freeSequence = this.#freeSequence[link];
    if (freeSequence !== IDLE) {
      const queue = this.#queue;
      const freeAt = this.#freeAtNs[link];
      if (freeSequence === EVENT || freeAt > queue.time || (freeAt === queue.time && freeSequence > queue.sequence)) {
        if (freeSequence !== EVENT) {
          queue.insert(freeAt, freeSequence, this.#freeEvent, link, 0, 0, 0);
          this.#freeSequence[link] = EVENT;
        }
        const last = this.#lastWaiting[link];
        if (last < 0) this.#firstWaiting[link] = message;
        else this.#messages.setNext(last, message);
        this.#messages.setNext(message, -1);
        this.#lastWaiting[link] = message;
        return;
      }
    }
    this.#start(link, message);
  }

  #start(link: number, message: number): void {
    const queue = this.#queue;
    const dimension = this.#messages.hop(message) >> 1;
    const size = this.#messages.size(message);
    if (size !== this.#lastSize || dimension !== this.#lastDimension) this.#setDelays(dimension, size);
    if (this.#isFolded) {
      this.#startFolded(link, message);
    } else if (this.#firstWaiting[link] >= 0) {
      queue.push(this.#arrivalLane, this.#arrivalNs, this.#arrivalEvent, message, 0, 0, 0);
      queue.push(this.#busyLane, this.#busyNs, this.#freeEvent, link, 0, 0, 0);
      this.#freeSequence[link] = EVENT;
    } else {
      this.#freeAtNs[link] = queue.time + this.#busyNs;
      if (this.#busyNs < this.#arrivalNs) {
        this.#freeSequence[link] = queue.pushAndReserve(
          this.#arrivalLane,
          this.#arrivalNs,
          this.#arrivalEvent,
          message,
        );
      } else {
        queue.push(this.#arrivalLane, this.#arrivalNs, this.#arrivalEvent, message, 0, 0, 0);
        this.#freeSequence[link] = queue.reserve();
      }
    }
  }

  /** As {@link #start}, telling the queue who schedules: the arrival is for another rank, the end of the link for its own. */
  #startFolded(link: number, message: number): void {
    const queue = this.#queue;
    queue.origin = this.#origin;
    queue.push(this.#arrivalLane, this.#arrivalNs, this.#arrivalEvent, message, 0, 0, 0);
    queue.origin = 0;
    queue.push(this.#busyLane, this.#busyNs, this.#freeEvent, link, 0, 0, 0);
    this.#freeSequence[link] = EVENT;
  }

  #setDelays(dimension: number, size: number): void {
    const bytes = this.#sizes.bytes(size);
    const { latencyNs, bytesPerNs: rate } = this.#dimensions[dimension];
    this.#lastSize = size;
    this.#lastDimension = dimension;
    this.#arrivalNs = beforeEndOfTime(Math.floor(latencyNs + bytes / rate));
    this.#arrivalLane = this.#queue.laneOf(this.#arrivalNs);
    this.#busyNs = beforeEndOfTime(Math.floor(bytes / rate));
    this.#busyLane = this.#queue.laneOf(this.#busyNs);
  }

  /** The link a message takes next; it then counts as being at the end of it. */
  #nextLink(message: number): number {
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
      this.#origin = 0;
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
        this.#origin = originOf(index, clockwise);
        return first + this.#owner(at) * 2;
      }
      messages.setHop(message, index << 1);
      if (topology === 'FullyConnected') {
        messages.setAt(message, at + (to - from) * stride);
        this.#origin = originOf(index, clockwise);
        return this.#isFolded ? first + clockwise : first + at * count + to;
      }
      const isClockwise = clockwise <= count - clockwise;
      this.#origin = originOf(index, isClockwise ? 1 : count - 1);
      if (isClockwise) {
        messages.setAt(message, from + 1 === count ? at - (count - 1) * stride : at + stride);
        return first + this.#owner(at) * 2;
      }
      messages.setAt(message, from === 0 ? at + (count - 1) * stride : at - stride);
      return first + this.#owner(at) * 2 + 1;
    }
  }

  /** The rank whose links a message takes that is at a rank. */
  #owner(rank: number): number {
    return this.#isFolded ? 0 : rank;
  }
}

/** Number of the way from a rank to one at a distance in a dimension: under folding, who schedules what happens there. */
export function originOf(dimension: number, distance: number): number {
  return dimension * 2 ** 24 + distance;
}
