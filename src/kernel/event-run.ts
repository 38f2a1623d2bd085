import type { BucketReader } from './bucket-reader.js';
import { OrderSorter } from './order-sorter.js';

/** Events up to which a bucket is sorted by insertion alone. */
const FEW = 16;
/** Events up to which a bucket becomes a run although its times differ. */
const MANY = 1024;
/** Events that share a slot of time from which on sorting by insertion would take too long. */
const CROWD = 32;

/** The events of a bucket in their order: by time, then order, then insertion. They stay where they are in the pool. */
export class EventRun {
  /** [length] ps. */
  times = new Float64Array(MANY);
  /** [length] places in the pool of the reader. */
  places = new Int32Array(MANY);
  length = 0;
  /** Events taken from it. */
  next = 0;
  /** Times of a bucket that was refused, ps. */
  earliest = 0;
  latest = 0;

  readonly #reader: BucketReader;
  readonly #starts = new Int32Array(MANY); // [slots of time] where the next event of each goes
  readonly #sorter = new OrderSorter();

  constructor(reader: BucketReader) {
    this.#reader = reader;
  }

  /** Order of the next event; only where `next` is below `length`. */
  nextOrder(): number {
    return this.#reader.order(this.places[this.next]);
  }

  /**
   * Makes the events from a first to a last place the run; `false` when there are too many of several times. Then `earliest`
   * and `latest` tell of them, and the run is undefined.
   */
  take(first: number, last: number): boolean {
    const length = last - first + 1;
    if (length > 0 && length <= FEW) this.#takeFew(first, length);
    else if (!this.#takeMany(first, last)) return false;
    this.next = 0;
    return true;
  }

  #takeFew(first: number, length: number): void {
    const { times, places } = this;
    const reader = this.#reader;
    for (let next = 0; next < length; next++) {
      times[next] = reader.time(first + next);
      places[next] = first + next;
    }
    this.length = length;
    this.#insert();
  }

  #takeMany(first: number, last: number): boolean {
    const reader = this.#reader;
    let earliest = Infinity;
    let latest = 0;
    let length = 0;
    for (let place = first; ; place = reader.after(place)) {
      const time = reader.time(place);
      if (time < earliest) earliest = time;
      if (time > latest) latest = time;
      length++;
      if (place === last) break;
    }
    this.length = length;
    this.earliest = earliest;
    this.latest = latest;
    if (earliest === latest) this.#takeInstant(first, last);
    else if (length > MANY || !this.#distribute(first, last)) return false;
    return true;
  }

  #takeInstant(first: number, last: number): void {
    const { length } = this;
    if (length > this.places.length) {
      this.times = new Float64Array(2 * length);
      this.places = new Int32Array(2 * length);
    }
    const reader = this.#reader;
    const { places } = this;
    let sorted = true;
    let lastOrder = -1;
    let next = 0;
    for (let place = first; ; place = reader.after(place)) {
      const order = reader.order(place);
      if (order < lastOrder) sorted = false;
      lastOrder = order;
      places[next++] = place;
      if (place === last) break;
    }
    if (!sorted) this.#sorter.sort(reader, places, length);
    this.times.fill(this.earliest, 0, length);
  }

  /** Sorts by as many slots of time as there are events, then by insertion; `false` when too many share a slot. */
  #distribute(first: number, last: number): boolean {
    const reader = this.#reader;
    const { earliest, length, times, places } = this;
    const perPs = (length - 1) / (this.latest - earliest);
    const starts = this.#starts;
    starts.fill(0, 0, length);
    for (let place = first; ; place = reader.after(place)) {
      starts[((reader.time(place) - earliest) * perPs) | 0]++;
      if (place === last) break;
    }
    let start = 0;
    for (let slot = 0; slot < length; slot++) {
      const count = starts[slot];
      if (count > CROWD) return false;
      starts[slot] = start;
      start += count;
    }
    for (let place = first; ; place = reader.after(place)) {
      const time = reader.time(place);
      const next = starts[((time - earliest) * perPs) | 0]++;
      times[next] = time;
      places[next] = place;
      if (place === last) break;
    }
    this.#insert();
    return true;
  }

  /** Sorts what is nearly sorted. */
  #insert(): void {
    const { times, places, length } = this;
    const reader = this.#reader;
    for (let sorted = 1; sorted < length; sorted++) {
      const time = times[sorted];
      let before = times[sorted - 1];
      if (before < time) continue;
      const place = places[sorted];
      const order = reader.order(place);
      let to = sorted;
      while (before > time || (before === time && reader.order(places[to - 1]) > order)) {
        times[to] = before;
        places[to] = places[to - 1];
        if (--to === 0) break;
        before = times[to - 1];
      }
      times[to] = time;
      places[to] = place;
    }
  }
}
