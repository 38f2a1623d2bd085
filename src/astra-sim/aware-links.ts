import type { LaneQueue } from '../kernel/lane-queue.js';
import { beforeEndOfTime } from '../network/end-of-time.js';
import type { AnalyticalSpec } from '../network/network-spec.js';
import { LinkWays } from './link-ways.js';
import type { MessagePool } from './message-pool.js';
import type { MessageSizes } from './message-sizes.js';
import { bytesPerNs } from './unaware-times.js';

/** Sequence of a link whose end nobody asked for yet, and of one that has an event for its end. */
const IDLE = -1;
const EVENT = -2;

/**
 * Links with queues (astra-sim-semantics section 13). A message takes the links of its way one after another, whole; a link carries
 * one message at a time, first come first served.
 *
 * A link that falls free while nobody waits for it needs no event: it keeps the instant, and the place among the events of
 * it, and an event is made only when a message comes before then.
 */
export class AwareLinks {
  readonly #queue: LaneQueue;
  readonly #messages: MessagePool;
  readonly #sizes: MessageSizes;
  readonly #ways: LinkWays;
  readonly #isFolded: boolean;
  readonly #arrivalEvent: number;
  readonly #freeEvent: number;
  readonly #latencyNs: readonly number[]; // [dimensions]
  readonly #bytesPerNs: readonly number[]; // [dimensions]
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

  /**
   * @param arrivalEvent kind of events whose `a` is a message at the end of a link
   * @param freeEvent kind of events whose `a` is a link that is free
   * @param isFolded whether the links of rank 0 stand for those of all ranks
   */
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
    this.#latencyNs = spec.dimensions.map(({ latencyNs }) => latencyNs);
    this.#bytesPerNs = spec.dimensions.map(({ bandwidthGiBPerSecond }) => bytesPerNs(bandwidthGiBPerSecond));
    this.#ways = new LinkWays(spec, messages, isFolded);
    const links = this.#ways.linkCount;
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
    if (this.#ways.isThere(message)) return true;
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
    const link = this.#ways.next(message);
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
    const dimension = this.#ways.dimensionOf(message);
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
    queue.origin = this.#ways.origin(message, link);
    queue.push(this.#arrivalLane, this.#arrivalNs, this.#arrivalEvent, message, 0, 0, 0);
    queue.origin = 0;
    queue.push(this.#busyLane, this.#busyNs, this.#freeEvent, link, 0, 0, 0);
    this.#freeSequence[link] = EVENT;
  }

  #setDelays(dimension: number, size: number): void {
    const bytes = this.#sizes.bytes(size);
    const transferNs = bytes / this.#bytesPerNs[dimension];
    this.#lastSize = size;
    this.#lastDimension = dimension;
    this.#arrivalNs = beforeEndOfTime(Math.floor(this.#latencyNs[dimension] + transferNs));
    this.#arrivalLane = this.#queue.laneOf(this.#arrivalNs);
    this.#busyNs = beforeEndOfTime(Math.floor(transferNs));
    this.#busyLane = this.#queue.laneOf(this.#busyNs);
  }
}
