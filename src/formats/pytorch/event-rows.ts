import { grown } from '../../base/grown.js';
import type { EventColumns } from './device-trace.js';
import type { EventTime } from './event-time.js';

/** Columns of events of one kind while they are added. Times are absolute until `finish`. */
export class EventRows {
  length = 0;
  durationNs = new Float64Array(64);
  /** Columns of this kind of event. */
  readonly extra: Float64Array[];
  #name = new Int32Array(64);
  #micros = new Float64Array(64);
  #nanos = new Int32Array(64);
  #thread = new Float64Array(64);
  #externalId = new Float64Array(64);

  /** @param extra number of further columns */
  constructor(extra: number) {
    this.extra = Array.from({ length: extra }, () => new Float64Array(64));
  }

  /** Adds an event. Its place; the further columns there are to be filled by the caller. */
  add(name: number, start: EventTime, durationNs: number, thread: number, externalId: number): number {
    if (this.length === this.#name.length) this.#grow();
    const row = this.length++;
    this.#name[row] = name;
    this.#micros[row] = start.micros;
    this.#nanos[row] = start.nanos;
    this.durationNs[row] = durationNs;
    this.#thread[row] = thread;
    this.#externalId[row] = externalId;
    return row;
  }

  /** Whole µs of the earliest event, Infinity without one. */
  earliest(): number {
    let least = Infinity;
    for (let row = 0; row < this.length; row++) if (this.#micros[row] < least) least = this.#micros[row];
    return least;
  }

  /** ns from an event of the list to a time. */
  nanosUntil(row: number, end: EventTime): number {
    return (end.micros - this.#micros[row]) * 1000 + end.nanos - this.#nanos[row];
  }

  /** @param baseMicros what times count from @param addedNs ns that are added to all of them */
  finish(baseMicros: number, addedNs: number): EventColumns {
    const { length } = this;
    const startNs = new Float64Array(length);
    for (let row = 0; row < length; row++) {
      startNs[row] = (this.#micros[row] - baseMicros) * 1000 + this.#nanos[row] + addedNs;
    }
    return {
      length,
      name: this.#name.slice(0, length),
      startNs,
      durationNs: this.durationNs.slice(0, length),
      thread: this.#thread.slice(0, length),
      externalId: this.#externalId.slice(0, length),
    };
  }

  /** A further column as it is. */
  numbers(column: number): Float64Array {
    return this.extra[column].slice(0, this.length);
  }

  /** A further column as integers, −1 for none. */
  integers(column: number): Int32Array {
    return Int32Array.from(this.numbers(column), (value) => (Number.isNaN(value) ? -1 : value));
  }

  /** A further column of small numbers. */
  bytes(column: number): Uint8Array {
    return Uint8Array.from(this.numbers(column));
  }

  #grow(): void {
    const capacity = 2 * this.length;
    this.#name = grown(this.#name, capacity);
    this.#micros = grown(this.#micros, capacity);
    this.#nanos = grown(this.#nanos, capacity);
    this.durationNs = grown(this.durationNs, capacity);
    this.#thread = grown(this.#thread, capacity);
    this.#externalId = grown(this.#externalId, capacity);
    this.extra.forEach((column, place) => {
      this.extra[place] = grown(column, capacity);
    });
  }
}
