import { grown } from '../base/grown.js';
import type { LaneQueue } from '../kernel/lane-queue.js';

/** Pending instants of a rank beyond which they are found through a map instead of a list. */
const LONGEST_LIST = 8;

/**
 * The system layer's timers. Those of one rank that end at one instant share one event, at the place of the one that was
 * registered first, and end one after another in order of registration; one that is registered while they end, for the
 * same instant, joins them (astra-sim-semantics section 2).
 */
export class RankTimers {
  readonly #queue: LaneQueue;
  readonly #event: number;
  // Timers, in slots of a free list.
  #code = new Uint8Array(64); // [slot]
  #reference = new Int32Array(64); // [slot]
  #times = new Int32Array(64); // [slot] how often it was registered, one time right after the other
  #next = new Int32Array(64); // [slot] next of the same instant, or free one; −1 at the end
  // An instant is its first timer's slot.
  #tail = new Int32Array(64); // [slot] last timer of the instant
  #timeNs = new Float64Array(64); // [slot]
  #nextInstant = new Int32Array(64); // [slot] another instant of the rank, −1 at the end
  #free = -1;
  readonly #instants: Int32Array; // [ranks] latest instant of the rank, −1 when none is pending
  readonly #pending: Int32Array; // [ranks] instants pending
  readonly #byTime: (Map<number, number> | undefined)[]; // [ranks] time → instant, of ranks with many

  /** @param event kind of the events that are scheduled; `a` is the rank, `b` goes to {@link end} */
  constructor(queue: LaneQueue, rankCount: number, event: number) {
    this.#queue = queue;
    this.#event = event;
    this.#instants = new Int32Array(rankCount).fill(-1);
    this.#pending = new Int32Array(rankCount);
    this.#byTime = new Array<undefined>(rankCount).fill(undefined);
    this.#linkFree(0);
  }

  /** @param lane lane of the delay in the queue */
  register(rank: number, lane: number, delayNs: number, code: number, reference: number): void {
    const time = this.#queue.time + delayNs;
    const instant = this.#pending[rank] === 0 ? -1 : this.#find(rank, time);
    if (instant >= 0) {
      const tail = this.#tail[instant];
      if (this.#reference[tail] === reference && this.#code[tail] === code) {
        this.#times[tail]++;
        return;
      }
    }
    const slot = this.#take();
    this.#code[slot] = code;
    this.#reference[slot] = reference;
    this.#times[slot] = 1;
    this.#next[slot] = -1;
    if (instant >= 0) {
      this.#next[this.#tail[instant]] = slot;
      this.#tail[instant] = slot;
      return;
    }
    this.#tail[slot] = slot;
    this.#timeNs[slot] = time;
    this.#add(rank, slot, time);
    this.#queue.push(lane, delayNs, this.#event, rank, slot, 0, 0);
  }

  /** What the timer was registered with. An instant that has come is its own first timer; {@link next} gives the others. */
  code(timer: number): number {
    return this.#code[timer];
  }

  reference(timer: number): number {
    return this.#reference[timer];
  }

  /** How often the timer ends; may grow while it does. */
  times(timer: number): number {
    return this.#times[timer];
  }

  /** The timer after this one, −1 when it was the last: then the instant is over. */
  next(rank: number, instant: number, timer: number): number {
    const next = this.#next[timer];
    if (next < 0) this.#remove(rank, instant);
    // The slot of the first timer names the instant until it is over.
    if (timer !== instant) this.#give(timer);
    if (next < 0) this.#give(instant);
    return next;
  }

  #find(rank: number, time: number): number {
    const map = this.#byTime[rank];
    if (map !== undefined) return map.get(time) ?? -1;
    let instant = this.#instants[rank];
    while (instant >= 0 && this.#timeNs[instant] !== time) instant = this.#nextInstant[instant];
    return instant;
  }

  #add(rank: number, instant: number, time: number): void {
    const pending = ++this.#pending[rank];
    let map = this.#byTime[rank];
    if (map === undefined) {
      this.#nextInstant[instant] = this.#instants[rank];
      this.#instants[rank] = instant;
      if (pending <= LONGEST_LIST) return;
      map = new Map();
      this.#byTime[rank] = map;
      for (let one = instant; one >= 0; one = this.#nextInstant[one]) map.set(this.#timeNs[one], one);
      this.#instants[rank] = -1;
    }
    map.set(time, instant);
  }

  #remove(rank: number, instant: number): void {
    const pending = --this.#pending[rank];
    const map = this.#byTime[rank];
    if (map !== undefined) {
      if (pending === 0) this.#byTime[rank] = undefined;
      else map.delete(this.#timeNs[instant]);
      return;
    }
    let one = this.#instants[rank];
    if (one === instant) {
      this.#instants[rank] = this.#nextInstant[instant];
      return;
    }
    while (this.#nextInstant[one] !== instant) one = this.#nextInstant[one];
    this.#nextInstant[one] = this.#nextInstant[instant];
  }

  #take(): number {
    if (this.#free < 0) {
      const capacity = this.#code.length;
      this.#code = grown(this.#code, 2 * capacity);
      this.#reference = grown(this.#reference, 2 * capacity);
      this.#times = grown(this.#times, 2 * capacity);
      this.#next = grown(this.#next, 2 * capacity);
      this.#tail = grown(this.#tail, 2 * capacity);
      this.#timeNs = grown(this.#timeNs, 2 * capacity);
      this.#nextInstant = grown(this.#nextInstant, 2 * capacity);
      this.#linkFree(capacity);
    }
    const slot = this.#free;
    this.#free = this.#next[slot];
    return slot;
  }

  #give(slot: number): void {
    this.#next[slot] = this.#free;
    this.#free = slot;
  }

  #linkFree(from: number): void {
    for (let slot = this.#code.length - 1; slot >= from; slot--) this.#give(slot);
  }
}
