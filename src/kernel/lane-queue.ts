import { grown } from '../base/grown.js';

/** Different delays that get a lane of their own; events with other delays share one heap. */
const MOST_LANES = 256;
const SLOTS = 1024; // of the table delay → lane, a power of two
/** Lane 0 is the heap. */
const HEAP = 0;
const FIRST_CAPACITY = 16; // events, a power of two
const INTEGERS = 4;
const DOUBLES = 3;

/**
 * Future events in the order of their times, those of one instant in the order in which they were scheduled.
 *
 * Most events of a run happen after one of few delays, and those with equal delays are scheduled in the order in which they
 * happen. So each delay has a lane, a ring buffer without any sorting, and only the heads of the lanes are kept in a heap.
 * Events with rare delays, and those that are given an earlier place among the events of their instant, go to an ordinary heap.
 */
export class LaneQueue {
  /** The event popped last; its time is now. */
  time = 0;
  kind = 0;
  a = 0;
  b = 0;
  c = 0;
  amount = 0;
  /** Place of the event popped last among all that were scheduled. */
  sequence = -1;
  /** Events popped. */
  popped = 0;

  #scheduled = 0;
  #lanes: Lane[] = [new Lane(NaN)];
  readonly #laneOf = new Int16Array(SLOTS); // [SLOTS] lane + 1, 0 for a free slot
  readonly #rare = new EventHeap();

  // Lanes that are not empty, as a binary heap on the place of their heads.
  readonly #order = new Int32Array(MOST_LANES + 1);
  #active = 0;
  readonly #headTime = new Float64Array(MOST_LANES + 1); // [lane]
  readonly #headSequence = new Float64Array(MOST_LANES + 1); // [lane]

  /** Lane of a delay, always the same one; 0 when there are too many others. @param delay whole, 0 or more */
  laneOf(delay: number): number {
    let slot = (Math.imul(delay | 0, 0x9e3779b1) ^ (delay * 2 ** -32)) & (SLOTS - 1);
    for (;;) {
      const lane = this.#laneOf[slot] - 1;
      if (lane < 0) break;
      if (this.#lanes[lane].delay === delay) return lane;
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.#lanes.length > MOST_LANES) return HEAP;
    this.#laneOf[slot] = this.#lanes.length + 1;
    return this.#lanes.push(new Lane(delay)) - 1;
  }

  /** Delay of a lane; not of lane 0. */
  delayOf(lane: number): number {
    return this.#lanes[lane].delay;
  }

  /**
   * Schedules an event `delay` from now.
   * @param lane what {@link laneOf} gives for the delay
   */
  push(lane: number, delay: number, kind: number, a: number, b: number, c: number, amount: number): void {
    const time = this.time + delay;
    const sequence = this.#scheduled++;
    if (lane === HEAP) {
      this.insert(time, sequence, kind, a, b, c, amount);
      return;
    }
    const events = this.#lanes[lane];
    if (events.length === events.capacity) events.grow();
    const place = (events.first + events.length) & (events.capacity - 1);
    if (events.length++ === 0) this.#activate(lane, time, sequence);
    const { doubles, integers } = events;
    const double = place * DOUBLES;
    doubles[double] = time;
    doubles[double + 1] = sequence;
    doubles[double + 2] = amount;
    const integer = place * INTEGERS;
    integers[integer] = kind;
    integers[integer + 1] = a;
    integers[integer + 2] = b;
    integers[integer + 3] = c;
  }

  /** Reserves the next place among the events scheduled, for an event that may have to be inserted later. */
  reserve(): number {
    return this.#scheduled++;
  }

  /** Schedules an event at a time, with a place from {@link reserve}. */
  insert(time: number, sequence: number, kind: number, a: number, b: number, c: number, amount: number): void {
    const rare = this.#rare;
    const wasEmpty = rare.length === 0;
    rare.push(time, sequence, kind, a, b, c, amount);
    if (wasEmpty) {
      this.#activate(HEAP, time, sequence);
    } else if (rare.firstSequence === sequence) {
      this.#headTime[HEAP] = time;
      this.#headSequence[HEAP] = sequence;
      let place = 0;
      while (this.#order[place] !== HEAP) place++;
      this.#rise(place);
    }
  }

  /** Time of the next event, Infinity when there is none. */
  nextTime(): number {
    return this.#active === 0 ? Infinity : this.#headTime[this.#order[0]];
  }

  /** Takes the next event; `false` when there is none. */
  pop(): boolean {
    if (this.#active === 0) return false;
    const lane = this.#order[0];
    this.popped++;
    if (lane === HEAP) {
      this.#popRare();
      return true;
    }
    const events = this.#lanes[lane];
    const { doubles, integers, first } = events;
    const double = first * DOUBLES;
    this.time = doubles[double];
    this.sequence = doubles[double + 1];
    this.amount = doubles[double + 2];
    const integer = first * INTEGERS;
    this.kind = integers[integer];
    this.a = integers[integer + 1];
    this.b = integers[integer + 2];
    this.c = integers[integer + 3];
    const next = (first + 1) & (events.capacity - 1);
    events.first = next;
    if (--events.length === 0) {
      this.#removeFirst();
    } else {
      this.#headTime[lane] = doubles[next * DOUBLES];
      this.#headSequence[lane] = doubles[next * DOUBLES + 1];
      if (this.#active > 1) this.#sink(0);
    }
    return true;
  }

  #popRare(): void {
    const rare = this.#rare;
    this.time = rare.firstTime;
    this.sequence = rare.firstSequence;
    const double = rare.firstSlot;
    this.amount = rare.amounts[double];
    const integer = double * INTEGERS;
    this.kind = rare.integers[integer];
    this.a = rare.integers[integer + 1];
    this.b = rare.integers[integer + 2];
    this.c = rare.integers[integer + 3];
    rare.pop();
    if (rare.length === 0) {
      this.#removeFirst();
    } else {
      this.#headTime[HEAP] = rare.firstTime;
      this.#headSequence[HEAP] = rare.firstSequence;
      this.#sink(0);
    }
  }

  #activate(lane: number, time: number, sequence: number): void {
    this.#headTime[lane] = time;
    this.#headSequence[lane] = sequence;
    const place = this.#active++;
    this.#order[place] = lane;
    this.#rise(place);
  }

  #removeFirst(): void {
    const last = --this.#active;
    if (last === 0) return;
    this.#order[0] = this.#order[last];
    this.#sink(0);
  }

  #rise(from: number): void {
    const order = this.#order;
    let place = from;
    const lane = order[place];
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(lane, order[parent])) break;
      order[place] = order[parent];
      place = parent;
    }
    order[place] = lane;
  }

  #sink(from: number): void {
    const order = this.#order;
    const length = this.#active;
    let place = from;
    const lane = order[place];
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#before(order[child + 1], order[child])) child++;
      if (!this.#before(order[child], lane)) break;
      order[place] = order[child];
      place = child;
    }
    order[place] = lane;
  }

  #before(first: number, second: number): boolean {
    const times = this.#headTime;
    if (times[first] !== times[second]) return times[first] < times[second];
    return this.#headSequence[first] < this.#headSequence[second];
  }
}

/** A ring buffer of events that all happen the same delay after they were scheduled. */
class Lane {
  first = 0;
  length = 0;
  capacity = FIRST_CAPACITY;
  doubles = new Float64Array(FIRST_CAPACITY * DOUBLES); // time, sequence, amount
  integers = new Int32Array(FIRST_CAPACITY * INTEGERS); // kind, a, b, c

  constructor(readonly delay: number) {}

  grow(): void {
    const { first, capacity } = this;
    const doubles = new Float64Array(2 * capacity * DOUBLES);
    const integers = new Int32Array(2 * capacity * INTEGERS);
    doubles.set(this.doubles.subarray(first * DOUBLES));
    doubles.set(this.doubles.subarray(0, first * DOUBLES), (capacity - first) * DOUBLES);
    integers.set(this.integers.subarray(first * INTEGERS));
    integers.set(this.integers.subarray(0, first * INTEGERS), (capacity - first) * INTEGERS);
    this.doubles = doubles;
    this.integers = integers;
    this.first = 0;
    this.capacity = 2 * capacity;
  }
}

/** A binary heap on time, then sequence; events lie in slots so that only keys move. */
class EventHeap {
  length = 0;
  amounts = new Float64Array(FIRST_CAPACITY); // [slot]
  integers = new Int32Array(FIRST_CAPACITY * INTEGERS); // [slot] kind, a, b, c
  #times = new Float64Array(FIRST_CAPACITY); // [place]
  #sequences = new Float64Array(FIRST_CAPACITY); // [place]
  /** [place] slot of its event; those from `length` on are the free ones. */
  #slots = Int32Array.from({ length: FIRST_CAPACITY }, (_, slot) => slot);

  get firstTime(): number {
    return this.#times[0];
  }

  get firstSequence(): number {
    return this.#sequences[0];
  }

  get firstSlot(): number {
    return this.#slots[0];
  }

  push(time: number, sequence: number, kind: number, a: number, b: number, c: number, amount: number): void {
    if (this.length === this.#times.length) this.#grow();
    let place = this.length++;
    const slot = this.#slots[place];
    this.amounts[slot] = amount;
    const integer = slot * INTEGERS;
    this.integers[integer] = kind;
    this.integers[integer + 1] = a;
    this.integers[integer + 2] = b;
    this.integers[integer + 3] = c;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#times[parent] < time || (this.#times[parent] === time && this.#sequences[parent] < sequence)) break;
      this.#set(place, this.#times[parent], this.#sequences[parent], this.#slots[parent]);
      place = parent;
    }
    this.#set(place, time, sequence, slot);
  }

  pop(): void {
    const times = this.#times;
    const sequences = this.#sequences;
    const freed = this.#slots[0];
    const last = --this.length;
    const time = times[last];
    const sequence = sequences[last];
    const slot = this.#slots[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= last) break;
      const right = child + 1;
      if (
        right < last &&
        (times[right] < times[child] || (times[right] === times[child] && sequences[right] < sequences[child]))
      ) {
        child = right;
      }
      if (times[child] > time || (times[child] === time && sequences[child] > sequence)) break;
      this.#set(place, times[child], sequences[child], this.#slots[child]);
      place = child;
    }
    if (last > 0) this.#set(place, time, sequence, slot);
    this.#slots[last] = freed;
  }

  #set(place: number, time: number, sequence: number, slot: number): void {
    this.#times[place] = time;
    this.#sequences[place] = sequence;
    this.#slots[place] = slot;
  }

  #grow(): void {
    const capacity = this.#times.length;
    this.#times = grown(this.#times, 2 * capacity);
    this.#sequences = grown(this.#sequences, 2 * capacity);
    this.amounts = grown(this.amounts, 2 * capacity);
    this.integers = grown(this.integers, 2 * capacity * INTEGERS);
    this.#slots = grown(this.#slots, 2 * capacity);
    for (let slot = capacity; slot < 2 * capacity; slot++) this.#slots[slot] = slot;
  }
}
