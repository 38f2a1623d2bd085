import { grown } from '../../../base/grown.js';

/** Bits of an event's time within its bucket, and of its entity, in a key. */
const WIDTH_BITS = 8;
export const ENTITY_BITS = 22;
export const ENTITY_MASK = 2 ** ENTITY_BITS - 1;
export const WIDTH = 2 ** WIDTH_BITS; // ps
const SLOTS = 2 ** 14;
const SLOT_MASK = SLOTS - 1;
/** Time that the wheel covers, ps: 4.2 µs. */
export const SPAN = SLOTS * WIDTH;
/** From here on the sort of the library is faster. */
const FEW = 24;

/**
 * The near future of a packet network: at most one event an entity, within 4 µs of now, in the order of times, then of
 * entities. A bucket of 256 ps is a list through the entities, and is sorted when its time has come; so an event costs a few
 * steps, however many there are.
 */
export class PortWheel {
  /** The event {@link pop popped} last. */
  time = 0;
  entity = 0;
  readonly #timeOf: Float64Array; // [entities] ps
  readonly #next: Int32Array; // [entities] next of its bucket
  readonly #head = new Int32Array(SLOTS).fill(-1); // first entity of each bucket
  readonly #bits = new Int32Array(SLOTS / 32); // a bit for each bucket that has one
  readonly #bitsOfBits = new Int32Array(SLOTS / 1024); // a bit for each word of those
  #count = 0; // events in buckets that are not open

  // The bucket that is open: keys, those before runNext are popped.
  run = new Int32Array(64);
  runNext = 0;
  runLength = 0;
  runStart = 0; // ps
  #runSlot = 0;

  /** @param entities below 2^22 */
  constructor(entities: number) {
    this.#timeOf = new Float64Array(entities);
    this.#next = new Int32Array(entities);
  }

  get isEmpty(): boolean {
    return this.#count === 0 && this.runNext === this.runLength;
  }

  /** Whether an event at `time` finds room. @param now ps, before which nothing lies any more */
  reaches(time: number, now: number): boolean {
    if (time - this.runStart < SPAN) return true;
    if (this.#count > 0 || this.runNext < this.runLength) return false;
    this.runStart = Math.floor(now / WIDTH) * WIDTH;
    return time - this.runStart < SPAN;
  }

  /** Adds the event of an entity that has none; {@link reaches} holds for it, and no later event was popped. */
  push(entity: number, time: number): void {
    const from = time - this.runStart;
    if (from < WIDTH) {
      this.#insert(entity, from);
      return;
    }
    this.add(entity, time, from);
  }

  /** As {@link push}, for an event behind the open bucket. @param from time since the start of that bucket, ps */
  add(entity: number, time: number, from: number): void {
    const slot = (this.#runSlot + (from >> WIDTH_BITS)) & SLOT_MASK;
    this.#timeOf[entity] = time;
    this.#count++;
    const head = this.#head[slot];
    this.#next[entity] = head;
    this.#head[slot] = entity;
    if (head < 0) {
      this.#bits[slot >> 5] |= 1 << slot;
      this.#bitsOfBits[slot >> 10] |= 1 << (slot >> 5);
    }
  }

  /**
   * Time of the next event if it lies before `limit` or at it, Infinity where there is none or it lies behind. Nothing may be
   * pushed afterwards that lies before `limit` and before this time.
   */
  nextTime(limit: number): number {
    if (this.runNext === this.runLength && !this.open(limit)) return Infinity;
    return this.runStart + (this.run[this.runNext] >> ENTITY_BITS);
  }

  /** Entity of the event that {@link nextTime} found. */
  get nextEntity(): number {
    return this.run[this.runNext] & ENTITY_MASK;
  }

  /** Takes the event that {@link nextTime} found. */
  pop(): void {
    this.runNext++;
  }

  /** Opens the first bucket that has events, unless it begins behind the limit. */
  open(limit: number): boolean {
    if (this.#count === 0) {
      return false;
    }
    const slot = this.#firstSlot();
    const start = this.runStart + ((slot - this.#runSlot) & SLOT_MASK) * WIDTH;
    if (start > limit) return false;
    this.runStart = start;
    this.#runSlot = slot;
    let entity = this.#head[slot];
    this.#head[slot] = -1;
    this.#bits[slot >> 5] &= ~(1 << slot);
    if (this.#bits[slot >> 5] === 0) this.#bitsOfBits[slot >> 10] &= ~(1 << (slot >> 5));
    let run = this.run;
    let length = 0;
    for (; entity >= 0; entity = this.#next[entity]) {
      const key = ((this.#timeOf[entity] - start) << ENTITY_BITS) | entity;
      if (length === run.length) run = this.run = grown(run, 2 * length);
      let place = length++;
      if (length <= FEW) {
        while (place > 0 && run[place - 1] > key) {
          run[place] = run[place - 1];
          place--;
        }
      }
      run[place] = key;
    }
    if (length > FEW) run.subarray(0, length).sort();
    this.#count -= length;
    this.runNext = 0;
    this.runLength = length;
    return true;
  }

  /** The first bucket with events behind the open one. */
  #firstSlot(): number {
    const from = (this.#runSlot + 1) & SLOT_MASK;
    const word = from >> 5;
    const inWord = this.#bits[word] & (-1 << from);
    if (inWord !== 0) return (word << 5) + lowestBit(inWord);
    const group = word >> 5;
    const rest = (word & 31) === 31 ? 0 : this.#bitsOfBits[group] & (-2 << word);
    let found = rest;
    let at = group;
    while (found === 0) {
      at = (at + 1) & (SLOTS / 1024 - 1);
      found = this.#bitsOfBits[at];
    }
    const first = (at << 5) + lowestBit(found);
    return (first << 5) + lowestBit(this.#bits[first]);
  }

  /** Adds an event to the bucket that is open. */
  #insert(entity: number, from: number): void {
    if (this.runLength === this.run.length) this.run = grown(this.run, 2 * this.runLength);
    const run = this.run;
    const key = (from << ENTITY_BITS) | entity;
    let place = this.runLength++;
    while (place > this.runNext && run[place - 1] > key) {
      run[place] = run[place - 1];
      place--;
    }
    run[place] = key;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
