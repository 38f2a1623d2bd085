import { grown } from '../base/grown.js';
import type { LaneQueue } from '../kernel/lane-queue.js';

/** Pending instants of a rank beyond which they are found through a map instead of a list. */
const LONGEST_LIST = 8;

// A timer is four numbers next to each other.
const CODE = 0;
const REFERENCE = 1;
const TIMES = 2; // how often it was registered, one time right after the other
const NEXT = 3; // next of the same instant, or free one; −1 at the end
const FIELDS = 4;

/**
 * The system layer's timers. Those of one rank that end at one instant share one event, at the place of the one that was
 * registered first, and end one after another in order of registration; one that is registered while they end, for the
 * same instant, joins them (astra-sim-semantics section 2).
 */
export class RankTimers {
  readonly #queue: LaneQueue;
  readonly #event: number;
  // Timers, in slots of a free list.
  #timers = new Int32Array(64 * FIELDS);
  #freeTimer = -1;
  // Instants, in slots of a free list.
  #first = new Int32Array(16); // [instant] its first timer
  #last = new Int32Array(16); // [instant] its last timer
  #timeNs = new Float64Array(16); // [instant]
  #nextInstant = new Int32Array(16); // [instant] another one of the rank, or free one; −1 at the end
  #freeInstant = -1;
  readonly #instants: Int32Array; // [ranks] latest instant of the rank, −1 when none is pending
  readonly #pending: Int32Array; // [ranks] instants pending
  readonly #byTime: (Map<number, number> | undefined)[]; // [ranks] time → instant, of ranks with many

  /** @param event kind of the events that are scheduled; `a` is the rank, `b` the instant */
  constructor(queue: LaneQueue, rankCount: number, event: number) {
    this.#queue = queue;
    this.#event = event;
    this.#instants = new Int32Array(rankCount).fill(-1);
    this.#pending = new Int32Array(rankCount);
    this.#byTime = new Array<undefined>(rankCount).fill(undefined);
    this.#linkTimers(0);
    this.#linkInstants(0);
  }

  /** @param lane lane of the delay in the queue */
  register(rank: number, lane: number, delayNs: number, code: number, reference: number): void {
    const time = this.#queue.time + delayNs;
    const instant = this.#pending[rank] === 0 ? -1 : this.#find(rank, time);
    if (instant < 0) {
      this.#queue.push(lane, delayNs, this.#event, rank, this.#add(rank, time, this.#take(code, reference)), 0, 0);
      return;
    }
    const place = this.#last[instant] * FIELDS;
    if (this.#timers[place + REFERENCE] === reference && this.#timers[place + CODE] === code) {
      this.#timers[place + TIMES]++;
      return;
    }
    const timer = this.#take(code, reference);
    this.#timers[place + NEXT] = timer;
    this.#last[instant] = timer;
  }

  /** First timer of the instant that has come; {@link next} gives the others. */
  first(instant: number): number {
    return this.#first[instant];
  }

  /** What the timer was registered with. */
  code(timer: number): number {
    return this.#timers[timer * FIELDS + CODE];
  }

  reference(timer: number): number {
    return this.#timers[timer * FIELDS + REFERENCE];
  }

  /** How often the timer ends; may grow while it does. */
  times(timer: number): number {
    return this.#timers[timer * FIELDS + TIMES];
  }

  /** The timer after this one, −1 when it was the last: then the instant is over. */
  next(rank: number, instant: number, timer: number): number {
    const next = this.#timers[timer * FIELDS + NEXT];
    this.#giveTimer(timer);
    if (next < 0) this.#remove(rank, instant);
    return next;
  }

  #find(rank: number, time: number): number {
    const map = this.#byTime[rank];
    if (map !== undefined) return map.get(time) ?? -1;
    let instant = this.#instants[rank];
    while (instant >= 0 && this.#timeNs[instant] !== time) instant = this.#nextInstant[instant];
    return instant;
  }

  #add(rank: number, time: number, timer: number): number {
    if (this.#freeInstant < 0) this.#growInstants();
    const instant = this.#freeInstant;
    this.#freeInstant = this.#nextInstant[instant];
    this.#first[instant] = timer;
    this.#last[instant] = timer;
    this.#timeNs[instant] = time;
    const pending = ++this.#pending[rank];
    let map = this.#byTime[rank];
    if (map === undefined) {
      this.#nextInstant[instant] = this.#instants[rank];
      this.#instants[rank] = instant;
      if (pending <= LONGEST_LIST) return instant;
      map = new Map();
      this.#byTime[rank] = map;
      for (let one = instant; one >= 0; one = this.#nextInstant[one]) map.set(this.#timeNs[one], one);
      this.#instants[rank] = -1;
    }
    map.set(time, instant);
    return instant;
  }

  #remove(rank: number, instant: number): void {
    const pending = --this.#pending[rank];
    const map = this.#byTime[rank];
    if (map !== undefined) {
      if (pending === 0) this.#byTime[rank] = undefined;
      else map.delete(this.#timeNs[instant]);
    } else {
      let one = this.#instants[rank];
      if (one === instant) {
        this.#instants[rank] = this.#nextInstant[instant];
      } else {
        while (this.#nextInstant[one] !== instant) one = this.#nextInstant[one];
        this.#nextInstant[one] = this.#nextInstant[instant];
      }
    }
    this.#nextInstant[instant] = this.#freeInstant;
    this.#freeInstant = instant;
  }

  #take(code: number, reference: number): number {
    if (this.#freeTimer < 0) {
      const timers = this.#timers.length / FIELDS;
      this.#timers = grown(this.#timers, 2 * timers * FIELDS);
      this.#linkTimers(timers);
    }
    const timer = this.#freeTimer;
    const place = timer * FIELDS;
    this.#freeTimer = this.#timers[place + NEXT];
    this.#timers[place + CODE] = code;
    this.#timers[place + REFERENCE] = reference;
    this.#timers[place + TIMES] = 1;
    this.#timers[place + NEXT] = -1;
    return timer;
  }

  #giveTimer(timer: number): void {
    this.#timers[timer * FIELDS + NEXT] = this.#freeTimer;
    this.#freeTimer = timer;
  }

  #linkTimers(from: number): void {
    for (let timer = this.#timers.length / FIELDS - 1; timer >= from; timer--) this.#giveTimer(timer);
  }

  #growInstants(): void {
    const instants = this.#first.length;
    this.#first = grown(this.#first, 2 * instants);
    this.#last = grown(this.#last, 2 * instants);
    this.#timeNs = grown(this.#timeNs, 2 * instants);
    this.#nextInstant = grown(this.#nextInstant, 2 * instants);
    this.#linkInstants(instants);
  }

  #linkInstants(from: number): void {
    for (let instant = this.#first.length - 1; instant >= from; instant--) {
      this.#nextInstant[instant] = this.#freeInstant;
      this.#freeInstant = instant;
    }
  }
}
