import { grown, type Column } from '../base/grown.js';

/** Different delays that get a lane of their own; events with other delays share one heap. */
const MOST_LANES = 256;
const SLOTS = 1024; // of the table delay → lane, a power of two
/** Lane 0 is the heap. */
const HEAP = 0;
const FIRST_CAPACITY = 16; // events, a power of two
const INTEGERS = 4;
/** Origin of a lane whose events of an instant have several. */
const MIXED = -1;
/** Bits of an event's kind; its amount lies above them. */
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;

/**
 * Future events in the order of their times, those of one instant in the order in which they were scheduled.
 *
 * Most events of a run happen after one of few delays, and those with equal delays are scheduled in the order in which they
 * happen. So each delay has a lane, a ring buffer without any sorting. Events of a lane that were scheduled one right after the other for
 * one instant form a run, which is taken without a look at other lanes: only runs have a time and a place, 16 bytes are left
 * for an event. A heap holds the lanes by their first runs. Events with rare delays, and those that are given an earlier place
 * among the events of their instant, go to an ordinary heap.
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

  /**
   * Whether the queue looks for events of one instant whose order depends on who scheduled them: those that were scheduled at one instant
   * under different {@link origin}s. Then {@link isAmbiguous} is set.
   */
  tracksOrigins = false;
  /** Who schedules the events that are pushed now, 0 or more. */
  origin = 0;
  /** Events of one instant under the same number, 0 or more, may change places. */
  interchange = -1;
  isAmbiguous = false;

  #scheduled = 0;
  readonly #lanes: Lane[] = [new Lane(NaN)];
  readonly #laneOf = new Int16Array(SLOTS); // [SLOTS] lane + 1, 0 for a free slot
  readonly #rare = new EventHeap();

  // The run that is being taken.
  #lane: Lane = this.#lanes[0];
  #left = 0; // events
  #stride = 1;

  // Lanes with runs that have not begun, as a binary heap on the place of their first ones.
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
   * @param kind below 8
   * @param amount whole, from 0 to below 2^28
   */
  push(lane: number, delay: number, kind: number, a: number, b: number, c: number, amount: number): void {
    const sequence = this.#scheduled++;
    if (this.tracksOrigins) this.track(lane, this.time + delay);
    if (lane === HEAP) this.insert(this.time + delay, sequence, kind, a, b, c, amount);
    else this.#append(lane, this.time + delay, sequence, 1, (amount << KIND_BITS) | kind, a, b, c);
  }

  /**
   * As {@link push}, and reserves the place right after the event, as {@link reserve} does. The event that may be inserted there
   * must not happen at the same time as this one.
   */
  pushAndReserve(lane: number, delay: number, kind: number, a: number): number {
    const sequence = this.#scheduled;
    this.#scheduled += 2;
    if (this.tracksOrigins) this.track(lane, this.time + delay);
    if (lane === HEAP) this.insert(this.time + delay, sequence, kind, a, 0, 0, 0);
    else this.#append(lane, this.time + delay, sequence, 2, kind, a, 0, 0);
    return sequence + 1;
  }

  /** Notes an event that is scheduled under {@link origin}, or may be: a lane has all events that are scheduled at one instant for another. */
  track(lane: number, time: number): void {
    const events = this.#lanes[lane];
    if (lane === HEAP) {
      this.isAmbiguous = true;
    } else if (time !== events.trackedTime) {
      events.trackedTime = time;
      events.trackedOrigin = this.origin;
      events.trackedInterchange = this.interchange;
    } else {
      if (this.interchange !== events.trackedInterchange) events.trackedInterchange = -1;
      if (this.origin === events.trackedOrigin) return;
      if (events.trackedInterchange < 0) this.isAmbiguous = true;
      events.trackedOrigin = MIXED;
    }
  }

  /** Reserves the next place among the events scheduled, for an event that may have to be inserted later. */
  reserve(): number {
    return this.#scheduled++;
  }

  /** Schedules an event at a time, with a place from {@link reserve}. */
  insert(time: number, sequence: number, kind: number, a: number, b: number, c: number, amount: number): void {
    const rare = this.#rare;
    const wasEmpty = rare.length === 0;
    rare.push(time, sequence, (amount << KIND_BITS) | kind, a, b, c);
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
    if (this.#left > 0) return this.time;
    return this.#active === 0 ? Infinity : this.#headTime[this.#order[0]];
  }

  /** Takes the next event; `false` when there is none. */
  pop(): boolean {
    if (this.#left > 0) {
      this.sequence += this.#stride;
    } else {
      if (this.#active === 0) return false;
      const lane = this.#order[0];
      if (lane === HEAP) {
        this.#popRare();
        return true;
      }
      this.#beginRun(lane);
    }
    this.#left--;
    this.popped++;
    const lane = this.#lane;
    const { integers, first } = lane;
    const place = first * INTEGERS;
    const what = integers[place];
    this.kind = what & KIND_MASK;
    this.amount = what >>> KIND_BITS;
    this.a = integers[place + 1];
    this.b = integers[place + 2];
    this.c = integers[place + 3];
    lane.first = (first + 1) & (lane.capacity - 1);
    lane.length--;
    return true;
  }

  #append(
    lane: number,
    time: number,
    sequence: number,
    stride: number,
    what: number,
    a: number,
    b: number,
    c: number,
  ): void {
    const events = this.#lanes[lane];
    if (events.length === events.capacity) events.grow();
    const place = ((events.first + events.length++) & (events.capacity - 1)) * INTEGERS;
    const { integers } = events;
    integers[place] = what;
    integers[place + 1] = a;
    integers[place + 2] = b;
    integers[place + 3] = c;
    if (
      events.runs > 0 &&
      sequence === events.nextSequence &&
      time === events.lastTime &&
      stride === events.lastStride
    ) {
      events.nextSequence += stride;
      events.lengthen();
      return;
    }
    events.addRun(time, sequence, stride);
    if (events.runs === 1) this.#activate(lane, time, sequence);
  }

  #beginRun(lane: number): void {
    const events = this.#lanes[lane];
    this.#lane = events;
    this.#left = events.firstRunLength;
    this.#stride = events.firstRunStride;
    this.time = this.#headTime[lane];
    this.sequence = this.#headSequence[lane];
    events.removeRun();
    if (events.runs === 0) {
      this.#removeFirst();
    } else {
      this.#headTime[lane] = events.firstRunTime;
      this.#headSequence[lane] = events.firstRunSequence;
      if (this.#active > 1) this.#sink(0);
    }
  }

  #popRare(): void {
    const rare = this.#rare;
    this.popped++;
    this.time = rare.firstTime;
    this.sequence = rare.firstSequence;
    const place = rare.firstSlot * INTEGERS;
    const what = rare.integers[place];
    this.kind = what & KIND_MASK;
    this.amount = what >>> KIND_BITS;
    this.a = rare.integers[place + 1];
    this.b = rare.integers[place + 2];
    this.c = rare.integers[place + 3];
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

/** A ring buffer of events that all happen the same delay after they were scheduled, and a ring buffer of the runs in it. */
class Lane {
  first = 0;
  /** Events, those of the run that is being taken too. */
  length = 0;
  capacity = FIRST_CAPACITY;
  integers = new Int32Array(FIRST_CAPACITY * INTEGERS); // amount and kind, a, b, c
  /** Runs that have not begun. */
  runs = 0;
  // The last of them.
  lastTime = 0;
  lastStride = 1;
  nextSequence = 0;
  // The latest instant that events are scheduled for, and what they have in common.
  trackedTime = NaN;
  trackedOrigin = 0;
  trackedInterchange = -1;
  #firstRun = 0;
  #runCapacity = FIRST_CAPACITY;
  #time = new Float64Array(FIRST_CAPACITY); // [run]
  #sequence = new Float64Array(FIRST_CAPACITY); // [run] of its first event
  #length = new Int32Array(FIRST_CAPACITY); // [run] events
  #stride = new Uint8Array(FIRST_CAPACITY); // [run] from the place of an event to that of the next

  constructor(readonly delay: number) {}

  get firstRunTime(): number {
    return this.#time[this.#firstRun];
  }

  get firstRunSequence(): number {
    return this.#sequence[this.#firstRun];
  }

  get firstRunLength(): number {
    return this.#length[this.#firstRun];
  }

  get firstRunStride(): number {
    return this.#stride[this.#firstRun];
  }

  addRun(time: number, sequence: number, stride: number): void {
    if (this.runs === this.#runCapacity) this.#growRuns();
    const run = (this.#firstRun + this.runs++) & (this.#runCapacity - 1);
    this.#time[run] = time;
    this.#sequence[run] = sequence;
    this.#length[run] = 1;
    this.#stride[run] = stride;
    this.lastTime = time;
    this.lastStride = stride;
    this.nextSequence = sequence + stride;
  }

  /** One more event in the last run. */
  lengthen(): void {
    this.#length[(this.#firstRun + this.runs - 1) & (this.#runCapacity - 1)]++;
  }

  removeRun(): void {
    this.#firstRun = (this.#firstRun + 1) & (this.#runCapacity - 1);
    this.runs--;
  }

  grow(): void {
    this.integers = unrolled(this.integers, this.first, INTEGERS);
    this.first = 0;
    this.capacity *= 2;
  }

  #growRuns(): void {
    const first = this.#firstRun;
    this.#time = unrolled(this.#time, first, 1);
    this.#sequence = unrolled(this.#sequence, first, 1);
    this.#length = unrolled(this.#length, first, 1);
    this.#stride = unrolled(this.#stride, first, 1);
    this.#firstRun = 0;
    this.#runCapacity *= 2;
  }
}

/** A full ring buffer from its first entry on, with as much room again. @param width numbers an entry */
function unrolled<T extends Column>(ring: T, first: number, width: number): T {
  const larger = new (ring.constructor as new (length: number) => T)(2 * ring.length);
  larger.set(ring.subarray(first * width));
  larger.set(ring.subarray(0, first * width), ring.length - first * width);
  return larger;
}

/** A binary heap on time, then sequence; events lie in slots so that only keys move. */
class EventHeap {
  length = 0;
  integers = new Int32Array(FIRST_CAPACITY * INTEGERS); // [slot] amount and kind, a, b, c
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

  push(time: number, sequence: number, what: number, a: number, b: number, c: number): void {
    if (this.length === this.#times.length) this.#grow();
    let place = this.length++;
    const slot = this.#slots[place];
    const integer = slot * INTEGERS;
    this.integers[integer] = what;
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
    this.integers = grown(this.integers, 2 * capacity * INTEGERS);
    this.#slots = grown(this.#slots, 2 * capacity);
    for (let slot = capacity; slot < 2 * capacity; slot++) this.#slots[slot] = slot;
  }
}
