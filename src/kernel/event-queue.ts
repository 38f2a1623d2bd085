import { grown } from '../base/grown.js';
import type { BucketReader } from './bucket-reader.js';
import { EventRun } from './event-run.js';
import { NearEvents } from './near-events.js';

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

const CHUNK_BITS = 5;
/** Events a chunk; a bucket is a chain of chunks, all but the last one full. */
const CHUNK = 1 << CHUNK_BITS;
/** Events beside the run beyond which it may be too long a time. */
const NEAR_LIMIT = 32;

// Layout of an event in the pool: one double is its time, the words of 32 bits behind it are the rest. The pool is in this file
// because the compiler of the engine takes for constant only what the module itself declares.
const TIMES = 3;
const WORDS = 6;
const ORDER = 2;
const PAYLOAD = 3;
const KIND = 4;

/**
 * The queue of future events, in the order of R-004: time, class, entity, sequence.
 *
 * Times never go back, so pending events need no order among all of them. They lie in eleven levels of 32 buckets, one level for
 * every five bits in which a time differs from a base: its level is that of the highest such digit, its bucket the value of
 * the digit. A bucket keeps the order of insertion, which is the sequence.
 *
 * Popping opens the earliest bucket. Where it is of one instant, or not too large, it is sorted as a whole into a run, which may
 * then hold many instants; otherwise it is spread over a lower level first. The time of the run's last event becomes the
 * base. What is pushed later than it goes into the levels; what is pushed for an earlier time, or the base itself, waits in a
 * heap beside the run.
 *
 * A run may turn out to be too long a time, so that short delays fill the heap. Then now becomes the base, and all that lies
 * after it goes back into the levels: an event of the run to a lower level than its bucket was of, any other, pushed since the
 * run began, once. So an event moves at most once a level, and once more.
 *
 * `test/bench/event-queue.ts` measures it, a sorted array in the tests checks it.
 */
export class EventQueue {
  /** The event popped last. Its time is now; before the first pop now is the start time. */
  time = 0;
  order = 0;
  kind = 0;
  payload = 0;
  /** Events pushed and not popped. */
  length = 0;

  // Time of the run's last event, ps: later events lie in the levels, others in the run or near it.
  #base = 0;
  #baseHigh = 0;
  #baseLow = 0;

  readonly #pool = new EventPool();
  readonly #head = new Int32Array(LEVELS * SLOTS); // first chunk of each bucket
  readonly #end = new Int32Array(LEVELS * SLOTS); // place after the last event of each bucket, 0 for an empty one
  readonly #occupied = new Int32Array(LEVELS); // bit per bucket of the level
  #levels = 0; // bit per level

  readonly #run = new EventRun(this.#pool);
  // First and last chunk of the run's bucket, −1 for none.
  #runHead = -1;
  #runTail = -1;

  #near = new NearEvents();
  #spareNear = new NearEvents(); // empty
  #nearLimit = NEAR_LIMIT; // events near the run at which it is looked at again

  /** @param startPs the time before which no event lies */
  constructor(startPs = 0) {
    this.time = startPs;
    this.#setBase(startPs);
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
    if (time > this.#base && time > this.time) this.#place(time, order, kind, payload);
    else this.#pushNear(time, order, kind, payload);
    this.length++;
  }

  /** Takes the next event into `time`, `order`, `kind` and `payload`; `false` when there is none. */
  pop(): boolean {
    if (this.#near.length > 0 && this.#isNearFirst()) return this.#popNear();
    const run = this.#run;
    if (run.next === run.length && !this.#nextRun()) return false;
    const { words } = this.#pool;
    const word = run.places[run.next] * WORDS;
    this.time = run.times[run.next++];
    this.order = words[word + ORDER];
    this.kind = words[word + KIND];
    this.payload = words[word + PAYLOAD];
    this.length--;
    return true;
  }

  /** Time of the next event, Infinity where there is none. */
  peekTime(): number {
    const run = this.#run;
    const isRunOver = run.next === run.length;
    if (this.#near.length === 0) return isRunOver && !this.#nextRun() ? Infinity : run.times[run.next];
    return isRunOver ? this.#near.firstTime() : Math.min(this.#near.firstTime(), run.times[run.next]);
  }

  /**
   * Moves now on to an event that somebody else keeps, which lies at {@link peekTime} at the latest. Events of that very instant
   * are then those that {@link nextOrder} and {@link pop} see.
   */
  advance(time: number): void {
    if (time === this.time) return;
    this.peekTime();
    this.time = time;
  }

  /** Order of the next event of the running instant, {@link NO_EVENT} when it has none left. */
  nextOrder(): number {
    const run = this.#run;
    const order = run.next < run.length && run.times[run.next] === this.time ? run.nextOrder() : NO_EVENT;
    return this.#near.length > 0 ? this.#nearOrder(order) : order;
  }

  #nearOrder(order: number): number {
    return this.#near.firstTime() === this.time ? Math.min(order, this.#near.firstOrder()) : order;
  }

  /** Whether an event near the run comes before the next one of the run; that of the run was pushed earlier. */
  #isNearFirst(): boolean {
    const run = this.#run;
    if (run.next === run.length) return true;
    const time = this.#near.firstTime();
    const runTime = run.times[run.next];
    return time < runTime || (time === runTime && this.#near.firstOrder() < run.nextOrder());
  }

  #popNear(): boolean {
    const near = this.#near;
    this.time = near.firstTime();
    this.order = near.firstOrder();
    this.kind = near.firstKind();
    this.payload = near.firstPayload();
    near.removeFirst();
    this.length--;
    return true;
  }

  #pushNear(time: number, order: number, kind: number, payload: number): void {
    if (!(time >= this.time)) throw new RangeError(`event at ${time} ps, but the time is ${this.time} ps already`);
    this.#near.push(time, order, kind, payload);
    if (this.#near.length > this.#nearLimit) this.#thinNear();
  }

  /** Ends the run with now when most of what lies near it comes later; events of now would be here with any run. */
  #thinNear(): void {
    const later = this.#base > this.time ? this.#near.countAfter(this.time) : 0;
    if (2 * later > this.#near.length) this.#cutRun();
    else this.#nearLimit = 2 * this.#near.length;
  }

  /** Puts what lies after now back into the levels. Of equal times, what was in the run is older than what lies near it. */
  #cutRun(): void {
    const now = this.time;
    this.#moveBaseBack(now);
    const run = this.#run;
    let end = run.next;
    while (end < run.length && run.times[end] === now) end++;
    for (let next = end; next < run.length; next++) this.#placeAgain(run.places[next]);
    run.length = end;

    const near = this.#near;
    const nearNow = this.#spareNear;
    for (; near.length > 0; near.removeFirst()) {
      const time = near.firstTime();
      const order = near.firstOrder();
      if (time === now) nearNow.push(time, order, near.firstKind(), near.firstPayload());
      else this.#place(time, order, near.firstKind(), near.firstPayload());
    }
    this.#near = nearNow;
    this.#spareNear = near;
  }

  /** Moves the base back to now. Events below the level in which the two differ belong into one bucket of that level then. */
  #moveBaseBack(now: number): void {
    const pool = this.#pool;
    const level = this.#levelOf(now);
    this.#setBase(now);
    const lower = (1 << level) - 1;
    while ((this.#levels & lower) !== 0) {
      const bucket = this.#takeBucket(lowestBit(this.#levels));
      const last = this.#end[bucket] - 1;
      this.#end[bucket] = 0;
      for (let place = this.#head[bucket] * CHUNK; ; place = pool.after(place)) {
        this.#placeAgain(place);
        if (place === last) break;
      }
      pool.free(this.#head[bucket], chunkOf(last));
    }
  }

  #placeAgain(place: number): void {
    const { times, words } = this.#pool;
    const word = place * WORDS;
    this.#place(times[place * TIMES], words[word + ORDER], words[word + KIND], words[word + PAYLOAD]);
  }

  /** Adds an event after the base to the levels. */
  #place(time: number, order: number, kind: number, payload: number): void {
    const high = (time * (1 / LOW_SIZE)) | 0;
    const low = (time - high * LOW_SIZE) | 0;
    let bucket: number;
    if (high === this.#baseHigh) {
      const digit = digitOf(low ^ this.#baseLow);
      bucket = digit * SLOTS + ((low >> (digit * LEVEL_BITS)) & (SLOTS - 1));
    } else {
      const digit = digitOf(high ^ this.#baseHigh);
      bucket = (LOW_LEVELS + digit) * SLOTS + ((high >> (digit * LEVEL_BITS)) & (SLOTS - 1));
    }
    const place = this.#room(bucket);
    const { times, words } = this.#pool;
    const word = place * WORDS;
    times[place * TIMES] = time;
    words[word + ORDER] = order;
    words[word + PAYLOAD] = payload;
    words[word + KIND] = kind;
  }

  /** Place in the pool of one more event of a bucket. */
  #room(bucket: number): number {
    const end = this.#end[bucket];
    const place = (end & (CHUNK - 1)) !== 0 ? end : this.#addChunk(bucket, end);
    this.#end[bucket] = place + 1;
    return place;
  }

  #addChunk(bucket: number, end: number): number {
    const chunk = this.#pool.take();
    if (end === 0) {
      const level = bucket >> LEVEL_BITS;
      this.#occupied[level] |= 1 << (bucket & (SLOTS - 1));
      this.#levels |= 1 << level;
      this.#head[bucket] = chunk;
    } else {
      this.#pool.link(chunkOf(end - 1), chunk);
    }
    return chunk * CHUNK;
  }

  /** Takes the first bucket out of a level; its chunks are the caller's, who sets its end to 0. */
  #takeBucket(level: number): number {
    const slot = lowestBit(this.#occupied[level]);
    this.#occupied[level] &= ~(1 << slot);
    if (this.#occupied[level] === 0) this.#levels &= ~(1 << level);
    return level * SLOTS + slot;
  }

  /** Makes the earliest bucket the run, having spread it where it is too large; `false` when there is none. */
  #nextRun(): boolean {
    if (this.#levels === 0) return false;
    if (this.#runHead >= 0) this.#pool.free(this.#runHead, this.#runTail);
    const run = this.#run;
    for (;;) {
      const bucket = this.#takeBucket(lowestBit(this.#levels));
      const head = this.#head[bucket];
      const last = this.#end[bucket] - 1;
      this.#end[bucket] = 0;
      this.#runHead = head;
      this.#runTail = chunkOf(last);
      if (run.take(head * CHUNK, last)) break;
      this.#spread(head, last, run.earliest, run.latest);
    }
    this.#nearLimit = NEAR_LIMIT;
    this.#setBase(run.times[run.length - 1]);
    return true;
  }

  /** Spreads a bucket over the level in which its earliest and its latest time differ. */
  #spread(head: number, last: number, earliest: number, latest: number): void {
    this.#setBase(earliest);
    const level = this.#levelOf(latest);
    const size = 2 ** (level * LEVEL_BITS);
    const origin = Math.floor(earliest / (SLOTS * size)) * SLOTS * size;
    const perPs = 1 / size;
    const firstBucket = level * SLOTS;
    const pool = this.#pool;
    pool.reserve(SLOTS + 1); // each bucket may begin one chunk more than are freed
    const { times, words } = pool;
    const tail = chunkOf(last);
    for (let chunk = head; ;) {
      const end = chunk === tail ? last + 1 : (chunk + 1) * CHUNK;
      for (let place = chunk * CHUNK; place < end; place++) {
        const time = times[place * TIMES];
        const to = this.#room(firstBucket + (((time - origin) * perPs) | 0));
        times[to * TIMES] = time;
        words[to * WORDS + ORDER] = words[place * WORDS + ORDER];
        words[to * WORDS + PAYLOAD] = words[place * WORDS + PAYLOAD];
        words[to * WORDS + KIND] = words[place * WORDS + KIND];
      }
      const next = pool.next(chunk);
      pool.free(chunk, chunk);
      if (chunk === tail) return;
      chunk = next;
    }
  }

  #setBase(time: number): void {
    const high = (time * (1 / LOW_SIZE)) | 0;
    this.#base = time;
    this.#baseHigh = high;
    this.#baseLow = (time - high * LOW_SIZE) | 0;
  }

  /** Level of the highest digit in which a time differs from the base. */
  #levelOf(time: number): number {
    const high = (time * (1 / LOW_SIZE)) | 0;
    if (high !== this.#baseHigh) return LOW_LEVELS + digitOf(high ^ this.#baseHigh);
    return digitOf((time - high * LOW_SIZE) ^ this.#baseLow);
  }
}

/** Room for events in chunks, which are free or in the chain of a bucket. */
class EventPool implements BucketReader {
  // [chunks × CHUNK] events one behind the other, as doubles and, the same bytes, as words.
  times = new Float64Array(0);
  words = new Int32Array(0);

  #next = new Int32Array(0); // [chunks] next of the chain or of the free list, −1 at the end of the list
  #free = -1;
  #freeCount = 0;

  time(place: number): number {
    return this.times[place * TIMES];
  }

  order(place: number): number {
    return this.words[place * WORDS + ORDER];
  }

  after(place: number): number {
    return (place & (CHUNK - 1)) === CHUNK - 1 ? this.#next[chunkOf(place)] * CHUNK : place + 1;
  }

  /** Chunk that follows in the chain. */
  next(chunk: number): number {
    return this.#next[chunk];
  }

  link(chunk: number, next: number): void {
    this.#next[chunk] = next;
  }

  /** Takes a chunk. */
  take(): number {
    if (this.#free < 0) this.#grow();
    const chunk = this.#free;
    this.#free = this.#next[chunk];
    this.#freeCount--;
    return chunk;
  }

  /** Gives back a chain of chunks. */
  free(head: number, tail: number): void {
    let count = 1;
    for (let chunk = head; chunk !== tail; chunk = this.#next[chunk]) count++;
    this.#next[tail] = this.#free;
    this.#free = head;
    this.#freeCount += count;
  }

  /** Sees to it that so many chunks can be taken without new `times` and `words`. */
  reserve(chunks: number): void {
    while (this.#freeCount < chunks) this.#grow();
  }

  #grow(): void {
    const chunks = this.#next.length;
    const larger = Math.max(16, 2 * chunks);
    this.times = grown(this.times, larger * CHUNK * TIMES);
    this.words = new Int32Array(this.times.buffer);
    this.#next = grown(this.#next, larger);
    for (let chunk = chunks; chunk < larger; chunk++) {
      this.#next[chunk] = chunk + 1 < larger ? chunk + 1 : this.#free;
    }
    this.#free = chunks;
    this.#freeCount += larger - chunks;
  }
}

function chunkOf(place: number): number {
  return place >> CHUNK_BITS;
}

/** Digit of base 32 that holds the highest set bit of a number below 2^30: (bit × 13) >> 6 is bit / 5 there. */
function digitOf(difference: number): number {
  return ((31 - Math.clz32(difference)) * 13) >> 6;
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
