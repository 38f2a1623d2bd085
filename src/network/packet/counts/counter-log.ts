import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 64;

/** Counters of many devices at the ends of intervals. A device has an entry only where its counters changed. */
export class CounterLog {
  readonly devices: number;
  readonly width: number;
  /** What {@link note} takes: [width]. */
  readonly row: Float64Array;
  count = 0;
  intervals = new Float64Array(FIRST_CAPACITY); // [entries] k of the interval, ascending
  deviceOf = new Int32Array(FIRST_CAPACITY); // [entries]
  values: Float64Array; // [entries × width]
  readonly #compared: number;
  readonly #last: Float64Array; // [devices × compared] counters of the newest entry

  /**
   * @param width counters of a device
   * @param compared how many of them, the first ones, make an entry when they change; the others are of the interval only
   */
  constructor(devices: number, width: number, compared = width) {
    this.devices = devices;
    this.width = width;
    this.row = new Float64Array(width);
    this.values = new Float64Array(FIRST_CAPACITY * width);
    this.#compared = compared;
    this.#last = new Float64Array(devices * compared);
  }

  /**
   * Notes `row` as the counters of a device at the end of an interval, not before those noted so far.
   * @param isNew whether it is an entry although nothing that is compared changed
   */
  note(interval: number, device: number, isNew = false): void {
    const { row } = this;
    const compared = this.#compared;
    const last = this.#last;
    const at = device * compared;
    let isChanged = isNew;
    for (let place = 0; place < compared; place++) {
      if (last[at + place] === row[place]) continue;
      last[at + place] = row[place];
      isChanged = true;
    }
    if (!isChanged) return;
    if (this.count === this.intervals.length) this.#grow();
    const entry = this.count++;
    this.intervals[entry] = interval;
    this.deviceOf[entry] = device;
    this.values.set(row, entry * this.width);
  }

  #grow(): void {
    const length = 2 * this.count;
    this.intervals = grown(this.intervals, length);
    this.deviceOf = grown(this.deviceOf, length);
    this.values = grown(this.values, length * this.width);
  }
}

/** Goes through the intervals of a log, forwards. */
export class CounterReading {
  /** [devices × width] at the end of the interval, and at the end of the last one before it that has an entry. */
  readonly now: Float64Array;
  readonly before: Float64Array;
  readonly width: number;
  readonly #log: CounterLog;
  readonly #changedIn: Float64Array; // [devices] interval of the newest entry so far
  #interval = 0;
  #next = 0;

  constructor(log: CounterLog) {
    this.width = log.width;
    this.now = new Float64Array(log.devices * log.width);
    this.before = new Float64Array(log.devices * log.width);
    this.#log = log;
    this.#changedIn = new Float64Array(log.devices);
  }

  goTo(interval: number): void {
    const { count, intervals, deviceOf, values, width } = this.#log;
    this.#interval = interval;
    for (; this.#next < count && intervals[this.#next] <= interval; this.#next++) {
      const device = deviceOf[this.#next];
      const at = device * width;
      this.before.set(this.now.subarray(at, at + width), at);
      this.now.set(values.subarray(this.#next * width, (this.#next + 1) * width), at);
      this.#changedIn[device] = intervals[this.#next];
    }
  }

  /** Whether a device has an entry for the interval. */
  isChanged(device: number): boolean {
    return this.#changedIn[device] === this.#interval;
  }
}
