import { grown } from '../base/grown.js';

/**
 * The queue of future events, in the order of R-004: time, class, entity, sequence.
 *
 * Times never go back, so no comparison heap is needed: pending events lie in a wheel of eleven levels of 32 buckets, one
 * level for every five bits in which a time differs from now. Popping opens the first bucket and spreads it over the levels
 * below; each event moves at most once a level and buckets keep the order of insertion, which is the sequence. The events of
 * one instant form a run, sorted by class and entity only where they did not come sorted. Events pushed for the
 * running instant wait in a small heap beside the run. `test/bench/event-queue.ts` measures it, a sorted array in the
 * tests checks it.
 */

/** Classes of events at equal time. Starts of nodes follow class 3 and come before class 4. */
export const EventClass = {
  completion: 0,
  arrival: 1,
  timer: 2,
  rank: 3,
  kick: 4,
  record: 5,
  stop: 6,
} as const;

const ENTITY_BITS = 28;

/** Place of an event among those of its instant: its class, then its entity (below 2^28). */
export function eventOrder(eventClass: number, entity: number): number {
  return eventClass * 2 ** ENTITY_BITS + entity;
}

/** What {@link EventQueue.nextOrder} gives when the running instant has no event left. */
export const NO_EVENT = 2 ** 31 - 1;

const LEVELS = 11;
const LEVEL_BITS = 5;
const SLOTS = 1 << LEVEL_BITS;
// A time is split in 30 low and 23 high bits, so that no level crosses the split.
const LOW_BITS = 30;
const LOW_LEVELS = LOW_BITS / LEVEL_BITS;
const LOW_SIZE = 2 ** LOW_BITS;
/** Events a chunk; a bucket is a chain of chunks of the pool. */
const CHUNK = 32;

export class EventQueue {
  /** The event popped last. Its time is now; before the first pop now is the start time. */
  time: number;
  order = 0;
  kind = 0;
  payload = 0;
  /** Events pushed and not popped. */
  length = 0;

  #nowHigh: number;
  #nowLow: number;

  // Pool of chunks: [chunks × CHUNK] events.
  #poolTime = new Float64Array(0);
  #poolOrder = new Int32Array(0);
  #poolPayload = new Int32Array(0);
  #poolKind = new Uint8Array(0);
  #nextChunk = new Int32Array(0); // [chunks] next of the chain or of the free list, −1 at its end
  #freeChunk = -1;
  #freeChunks = 0;

  readonly #head = new Int32Array(LEVELS * SLOTS).fill(-1); // first chunk of each bucket
  readonly #tail = new Int32Array(LEVELS * SLOTS); // last chunk of each bucket
  readonly #fill = new Int32Array(LEVELS * SLOTS); // events in the last chunk, 0 for an empty bucket
  readonly #occupied = new Int32Array(LEVELS); // bit per bucket of the level
  #levels = 0; // bit per level

  // Events of the running instant that were there when it began: [runLength], those before runNext are popped.
  #runOrder = new Int32Array(64);
  #runPayload = new Int32Array(64);
  #runKind = new Uint8Array(64);
  #runLength = 0;
  #runNext = 0;
  readonly #sorter = new RunSorter();

  readonly #late = new LateEvents();

  /** @param startPs the time before which no event lies */
  constructor(startPs = 0) {
    this.time = startPs;
    this.#nowHigh = Math.floor(startPs / LOW_SIZE);
    this.#nowLow = startPs - this.#nowHigh * LOW_SIZE;
  }

  /**
   * Adds an event.
   *
   * @param time integer ps, now or later
   * @param order see {@link eventOrder}
   * @param kind number below 256 that says whose event it is
   * @param payload int32
   */
  push(time: number, order: number, kind: number, payload: number): void {
    if (!(time > this.time)) {
      if (time !== this.time) throw new RangeError(`event at ${time} ps, but the time is ${this.time} ps already`);
      this.#late.push(order, kind, payload);
    } else {
      if (time < this.#peeked) this.#peeked = time;
      this.#place(time, order, kind, payload);
    }
    this.length++;
  }

  /** Takes the next event into `time`, `order`, `kind` and `payload`; `false` when there is none. */
  pop(): boolean {
    const late = this.#late;
    if (this.#runNext >= this.#runLength) {
      if (late.length === 0) {
        if (this.#levels === 0) return false;
        this.#nextInstant();
      } else {
        this.#takeLate();
        return true;
      }
    } else if (late.length > 0 && late.firstOrder() < this.#runOrder[this.#runNext]) {
      this.#takeLate();
      return true;
    }
    const next = this.#runNext++;
    this.order = this.#runOrder[next];
    this.kind = this.#runKind[next];
    this.payload = this.#runPayload[next];
    this.length--;
    return true;
  }

  /**
   * Moves now on to an event that somebody else keeps, which lies at {@link peekTime} at the latest. Events of that very instant
   * are then those that {@link nextOrder} and {@link pop} see.
   */
  advance(time: number): void {
    if (time === this.time) return;
    if (this.peekTime() === time) this.#nextInstant();
    else this.time = time;
  }

  /** Time of the next event, Infinity where there is none. */
  peekTime(): number {
    if (this.#runNext < this.#runLength || this.#late.length > 0) return this.time;
    if (this.#levels === 0) return Infinity;
    if (this.#peeked > this.time) return this.#peeked;
    const level = lowestBit(this.#levels);
    const bucket = level * SLOTS + lowestBit(this.#occupied[level]);
    return (this.#peeked = this.#earliest(this.#head[bucket], this.#tail[bucket], this.#fill[bucket]));
  }
  #peeked = -1;

  /** Order of the next event of the running instant, {@link NO_EVENT} when it has none left. */
  nextOrder(): number {
    const run = this.#runNext < this.#runLength ? this.#runOrder[this.#runNext] : NO_EVENT;
    if (this.#late.length === 0) return run;
    const late = this.#late.firstOrder();
    return late < run ? late : run;
  }

  #takeLate(): void {
    const late = this.#late;
    late.pop();
    this.order = late.order;
    this.kind = late.kind;
    this.payload = late.payload;
    this.length--;
  }

  #place(time: number, order: number, kind: number, payload: number): void {
    const high = (time * (1 / LOW_SIZE)) | 0;
    const low = (time - high * LOW_SIZE) | 0;
    const level = high !== this.#nowHigh ? LOW_LEVELS + digitOf(high ^ this.#nowHigh) : digitOf(low ^ this.#nowLow);
    const slot =
      level >= LOW_LEVELS
        ? (high >> ((level - LOW_LEVELS) * LEVEL_BITS)) & (SLOTS - 1)
        : (low >> (level * LEVEL_BITS)) & (SLOTS - 1);
    const place = this.#room(level, slot);
    this.#poolTime[place] = time;
    this.#poolOrder[place] = order;
    this.#poolKind[place] = kind;
    this.#poolPayload[place] = payload;
  }

  /** Place in the pool of one more event of a bucket. */
  #room(level: number, slot: number): number {
    const bucket = level * SLOTS + slot;
    let fill = this.#fill[bucket];
    let chunk = this.#tail[bucket];
    if (fill === CHUNK || fill === 0) {
      const added = this.#takeChunk();
      if (fill === 0) {
        this.#occupied[level] |= 1 << slot;
        this.#levels |= 1 << level;
        this.#head[bucket] = added;
      } else {
        this.#nextChunk[chunk] = added;
      }
      this.#tail[bucket] = added;
      chunk = added;
      fill = 0;
    }
    this.#fill[bucket] = fill + 1;
    return chunk * CHUNK + fill;
  }

  /** Moves now to the earliest pending time and its events into the run; the rest of their bucket goes to lower levels. */
  #nextInstant(): void {
    const level = lowestBit(this.#levels);
    const slot = lowestBit(this.#occupied[level]);
    const bucket = level * SLOTS + slot;
    this.#occupied[level] &= ~(1 << slot);
    if (this.#occupied[level] === 0) this.#levels &= ~(1 << level);
    const head = this.#head[bucket];
    const tail = this.#tail[bucket];
    const tailFill = this.#fill[bucket];
    this.#fill[bucket] = 0;

    const now = level === 0 ? this.#poolTime[head * CHUNK] : this.#earliest(head, tail, tailFill);
    const nowHigh = (now * (1 / LOW_SIZE)) | 0;
    const nowLow = (now - nowHigh * LOW_SIZE) | 0;
    this.time = now;
    this.#nowHigh = nowHigh;
    this.#nowLow = nowLow;

    // Spreading must not grow the pool, whose arrays are locals here: every lower bucket may open one chunk.
    while (this.#freeChunks <= level * SLOTS) this.#growPool();
    const poolTime = this.#poolTime;
    const poolOrder = this.#poolOrder;
    const poolKind = this.#poolKind;
    const poolPayload = this.#poolPayload;
    const tails = this.#tail;
    const fills = this.#fill;
    this.#runLength = 0;
    this.#runNext = 0;
    let sorted = true;
    let lastOrder = -1;
    for (let chunk = head; ;) {
      const end = chunk * CHUNK + (chunk === tail ? tailFill : CHUNK);
      for (let place = chunk * CHUNK; place < end; place++) {
        const time = poolTime[place];
        const order = poolOrder[place];
        if (time === now) {
          if (order < lastOrder) sorted = false;
          lastOrder = order;
          this.#addToRun(order, poolKind[place], poolPayload[place]);
          continue;
        }
        const high = (time * (1 / LOW_SIZE)) | 0;
        const low = (time - high * LOW_SIZE) | 0;
        let toLevel: number;
        let toSlot: number;
        if (high !== nowHigh) {
          const digit = digitOf(high ^ nowHigh);
          toSlot = (high >> (digit * LEVEL_BITS)) & (SLOTS - 1);
          toLevel = LOW_LEVELS + digit;
        } else {
          toLevel = digitOf(low ^ nowLow);
          toSlot = (low >> (toLevel * LEVEL_BITS)) & (SLOTS - 1);
        }
        const to = toLevel * SLOTS + toSlot;
        const fill = fills[to];
        let toPlace: number;
        if (fill > 0 && fill < CHUNK) {
          fills[to] = fill + 1;
          toPlace = tails[to] * CHUNK + fill;
        } else {
          toPlace = this.#room(toLevel, toSlot);
        }
        poolTime[toPlace] = time;
        poolOrder[toPlace] = order;
        poolKind[toPlace] = poolKind[place];
        poolPayload[toPlace] = poolPayload[place];
      }
      const next = this.#nextChunk[chunk];
      this.#nextChunk[chunk] = this.#freeChunk;
      this.#freeChunk = chunk;
      this.#freeChunks++;
      if (chunk === tail) break;
      chunk = next;
    }
    if (!sorted) this.#sorter.sort(this.#runOrder, this.#runKind, this.#runPayload, this.#runLength);
  }

  #earliest(head: number, tail: number, tailFill: number): number {
    const time = this.#poolTime;
    let earliest = Infinity;
    for (let chunk = head; ; chunk = this.#nextChunk[chunk]) {
      const end = chunk * CHUNK + (chunk === tail ? tailFill : CHUNK);
      for (let place = chunk * CHUNK; place < end; place++) {
        if (time[place] < earliest) earliest = time[place];
      }
      if (chunk === tail) return earliest;
    }
  }

  #addToRun(order: number, kind: number, payload: number): void {
    const place = this.#runLength++;
    if (place >= this.#runOrder.length) {
      this.#runOrder = grown(this.#runOrder, 2 * place);
      this.#runKind = grown(this.#runKind, 2 * place);
      this.#runPayload = grown(this.#runPayload, 2 * place);
    }
    this.#runOrder[place] = order;
    this.#runKind[place] = kind;
    this.#runPayload[place] = payload;
  }

  #takeChunk(): number {
    if (this.#freeChunk < 0) this.#growPool();
    const chunk = this.#freeChunk;
    this.#freeChunk = this.#nextChunk[chunk];
    this.#freeChunks--;
    return chunk;
  }

  #growPool(): void {
    const chunks = this.#nextChunk.length;
    const larger = Math.max(16, 2 * chunks);
    this.#poolTime = grown(this.#poolTime, larger * CHUNK);
    this.#poolOrder = grown(this.#poolOrder, larger * CHUNK);
    this.#poolKind = grown(this.#poolKind, larger * CHUNK);
    this.#poolPayload = grown(this.#poolPayload, larger * CHUNK);
    this.#nextChunk = grown(this.#nextChunk, larger);
    for (let chunk = chunks; chunk < larger; chunk++) {
      this.#nextChunk[chunk] = chunk + 1 < larger ? chunk + 1 : this.#freeChunk;
    }
    this.#freeChunk = chunks;
    this.#freeChunks += larger - chunks;
  }
}

/** Events pushed for the instant that is running: a heap on order, then sequence. */
class LateEvents {
  length = 0;
  /** The event popped last. */
  order = 0;
  kind = 0;
  payload = 0;

  #sequence = 0;
  #orders = new Int32Array(16);
  #sequences = new Float64Array(16);
  #kinds = new Uint8Array(16);
  #payloads = new Int32Array(16);

  firstOrder(): number {
    return this.#orders[0];
  }

  push(order: number, kind: number, payload: number): void {
    if (this.length === this.#orders.length) {
      this.#orders = grown(this.#orders, 2 * this.length);
      this.#sequences = grown(this.#sequences, 2 * this.length);
      this.#kinds = grown(this.#kinds, 2 * this.length);
      this.#payloads = grown(this.#payloads, 2 * this.length);
    }
    if (this.length === 0) this.#sequence = 0;
    let place = this.length++;
    // A new event has the largest sequence: only a smaller order lets it rise.
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#orders[parent] <= order) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#set(place, order, this.#sequence++, kind, payload);
  }

  pop(): void {
    const orders = this.#orders;
    const sequences = this.#sequences;
    this.order = orders[0];
    this.kind = this.#kinds[0];
    this.payload = this.#payloads[0];
    const last = --this.length;
    if (last === 0) return;
    const order = orders[last];
    const sequence = sequences[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= last) break;
      const right = child + 1;
      if (
        right < last &&
        (orders[right] < orders[child] || (orders[right] === orders[child] && sequences[right] < sequences[child]))
      ) {
        child = right;
      }
      if (orders[child] > order || (orders[child] === order && sequences[child] > sequence)) break;
      this.#move(child, place);
      place = child;
    }
    this.#set(place, order, sequence, this.#kinds[last], this.#payloads[last]);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#orders[from], this.#sequences[from], this.#kinds[from], this.#payloads[from]);
  }

  #set(place: number, order: number, sequence: number, kind: number, payload: number): void {
    this.#orders[place] = order;
    this.#sequences[place] = sequence;
    this.#kinds[place] = kind;
    this.#payloads[place] = payload;
  }
}

/** Stable merge sort on order that starts from the ascending stretches it finds; runs are nearly sorted as a rule. */
class RunSorter {
  #order = new Int32Array(0);
  #kind = new Uint8Array(0);
  #payload = new Int32Array(0);
  #starts: number[] = [];

  sort(order: Int32Array, kind: Uint8Array, payload: Int32Array, length: number): void {
    if (this.#order.length < length) {
      this.#order = new Int32Array(order.length);
      this.#kind = new Uint8Array(order.length);
      this.#payload = new Int32Array(order.length);
    }
    const starts = this.#starts;
    starts.length = 0;
    for (let place = 0; place < length; place++) {
      if (place === 0 || order[place] < order[place - 1]) starts.push(place);
    }
    while (starts.length > 1) {
      let kept = 0;
      for (let pair = 0; pair < starts.length; pair += 2) {
        const middle = pair + 1 < starts.length ? starts[pair + 1] : length;
        const end = pair + 2 < starts.length ? starts[pair + 2] : length;
        if (middle < end) this.#merge(order, kind, payload, starts[pair], middle, end);
        starts[kept++] = starts[pair];
      }
      starts.length = kept;
    }
  }

  #merge(order: Int32Array, kind: Uint8Array, payload: Int32Array, start: number, middle: number, end: number): void {
    const leftOrder = this.#order;
    const leftKind = this.#kind;
    const leftPayload = this.#payload;
    const leftLength = middle - start;
    for (let place = 0; place < leftLength; place++) {
      leftOrder[place] = order[start + place];
      leftKind[place] = kind[start + place];
      leftPayload[place] = payload[start + place];
    }
    let left = 0;
    let right = middle;
    let out = start;
    while (left < leftLength) {
      if (right < end && order[right] < leftOrder[left]) {
        order[out] = order[right];
        kind[out] = kind[right];
        payload[out] = payload[right];
        right++;
      } else {
        order[out] = leftOrder[left];
        kind[out] = leftKind[left];
        payload[out] = leftPayload[left];
        left++;
      }
      out++;
    }
  }
}

/** Digit of base 32 that holds the highest set bit of a number below 2^30: (bit × 13) >> 6 is bit / 5 there. */
function digitOf(difference: number): number {
  return ((31 - Math.clz32(difference)) * 13) >> 6;
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
