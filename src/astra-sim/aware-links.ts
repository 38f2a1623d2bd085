import type { LaneQueue } from '../kernel/lane-queue.js';
import type { AnalyticalSpec, Topology } from '../network/network-spec.js';
import type { MessagePool } from './message-pool.js';
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
  readonly #arrivalEvent: number;
  readonly #freeEvent: number;
  readonly #dimensions: readonly LinkDimension[];
  readonly #freeAtNs: Float64Array; // [links]
  readonly #freeSequence: Float64Array; // [links] place of the end among the events; IDLE, EVENT
  readonly #firstWaiting: Int32Array; // [links] message, −1 for none
  readonly #lastWaiting: Int32Array; // [links]
  /** By message slot: where the message is. */
  #at = new Int32Array(64); // [slot] rank it left last
  #hop = new Int32Array(64); // [slot] dimension of the switch it is in, or −1 − dimension while on the way to a rank
  // The delays of the link and size used last.
  #lastBytes = -1;
  #lastDimension = -1;
  #arrivalNs = 0;
  #arrivalLane = 0;
  #busyNs = 0;
  #busyLane = 0;

  /** @param arrivalEvent kind of events whose `a` is a message at the end of a link. @param freeEvent … whose `a` is a link that is free */
  constructor(spec: AnalyticalSpec, queue: LaneQueue, messages: MessagePool, arrivalEvent: number, freeEvent: number) {
    this.#queue = queue;
    this.#messages = messages;
    this.#arrivalEvent = arrivalEvent;
    this.#freeEvent = freeEvent;
    const ranks = spec.dimensions.reduce((product, { npus }) => product * npus, 1);
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
    while (message >= this.#at.length) {
      const at = new Int32Array(2 * this.#at.length);
      at.set(this.#at);
      this.#at = at;
      const hop = new Int32Array(at.length);
      hop.set(this.#hop);
      this.#hop = hop;
    }
    this.#at[message] = this.#messages.source[message];
    this.#hop[message] = -1;
    this.#offer(message);
  }

  /** A message has come to the end of a link: gives whether it is where it wanted to go; otherwise it goes on. */
  arrive(message: number): boolean {
    const hop = this.#hop[message];
    const destination = this.#messages.destination[message];
    if (hop >= 0) {
      this.#offer(message);
      return false;
    }
    if (this.#at[message] === destination) return true;
    this.#offer(message);
    return false;
  }

  /** A link has fallen free: the message that waits first takes it. */
  free(link: number): void {
    this.#freeSequence[link] = IDLE;
    const message = this.#firstWaiting[link];
    if (message < 0) return;
    const next = this.#messages.next[message];
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
        else this.#messages.next[last] = message;
        this.#messages.next[message] = -1;
        this.#lastWaiting[link] = message;
        return;
      }
    }
    this.#start(link, message);
  }

  #start(link: number, message: number): void {
    const queue = this.#queue;
    const dimension = this.#hop[message] >= 0 ? this.#hop[message] : -1 - this.#hop[message];
    const bytes = this.#messages.bytes[message];
    if (bytes !== this.#lastBytes || dimension !== this.#lastDimension) this.#setDelays(dimension, bytes);
    queue.push(this.#arrivalLane, this.#arrivalNs, this.#arrivalEvent, message, 0, 0, 0);
    if (this.#firstWaiting[link] >= 0) {
      queue.push(this.#busyLane, this.#busyNs, this.#freeEvent, link, 0, 0, 0);
      this.#freeSequence[link] = EVENT;
    } else {
      this.#freeAtNs[link] = queue.time + this.#busyNs;
      this.#freeSequence[link] = queue.reserve();
    }
  }

  #setDelays(dimension: number, bytes: number): void {
    const { latencyNs, bytesPerNs: rate } = this.#dimensions[dimension];
    this.#lastBytes = bytes;
    this.#lastDimension = dimension;
    this.#arrivalNs = Math.floor(latencyNs + bytes / rate);
    this.#arrivalLane = this.#queue.laneOf(this.#arrivalNs);
    this.#busyNs = Math.floor(bytes / rate);
    this.#busyLane = this.#queue.laneOf(this.#busyNs);
  }

  /** The link a message takes next; it then counts as being at the end of it. */
  #nextLink(message: number): number {
    const at = this.#at[message];
    const destination = this.#messages.destination[message];
    const hop = this.#hop[message];
    if (hop >= 0) {
      // In a switch: down to the rank that differs from the one it came from in this coordinate only.
      const { count, stride, first } = this.#dimensions[hop];
      const coordinate = Math.floor(destination / stride) % count;
      const to = at + (coordinate - (Math.floor(at / stride) % count)) * stride;
      this.#at[message] = to;
      this.#hop[message] = -1 - hop;
      return first + to * 2 + 1;
    }
    for (let index = 0; ; index++) {
      const { topology, count, stride, first } = this.#dimensions[index];
      const from = Math.floor(at / stride) % count;
      const to = Math.floor(destination / stride) % count;
      if (from === to) continue;
      if (topology === 'Switch') {
        this.#hop[message] = index;
        return first + at * 2;
      }
      this.#hop[message] = -1 - index;
      if (topology === 'FullyConnected') {
        this.#at[message] = at + (to - from) * stride;
        return first + at * count + to;
      }
      const clockwise = to > from ? to - from : to - from + count;
      if (clockwise <= count - clockwise) {
        this.#at[message] = from + 1 === count ? at - (count - 1) * stride : at + stride;
        return first + at * 2;
      }
      this.#at[message] = from === 0 ? at + (count - 1) * stride : at - stride;
      return first + at * 2 + 1;
    }
  }
}
