import { grown } from '../base/grown.js';

/** Events pushed at or before the end of the run: a heap on time, order and sequence. */
export class NearEvents {
  length = 0;

  #sequence = 0; // of the event pushed next
  // The heap: [length] time (ps) and row of each event; behind them the rows that are free.
  #times = new Float64Array(16);
  #rows = Int32Array.from({ length: 16 }, (_, row) => row);
  // By row: the rest of an event.
  #orders = new Int32Array(16);
  #sequences = new Float64Array(16);
  #kinds = new Uint8Array(16);
  #payloads = new Int32Array(16);

  /** Time of the first event, ps. There must be one, as for the three below. */
  firstTime(): number {
    return this.#times[0];
  }

  firstOrder(): number {
    return this.#orders[this.#rows[0]];
  }

  firstKind(): number {
    return this.#kinds[this.#rows[0]];
  }

  firstPayload(): number {
    return this.#payloads[this.#rows[0]];
  }

  /** Events after a time, ps. */
  countAfter(timePs: number): number {
    let count = 0;
    for (let place = 0; place < this.length; place++) if (this.#times[place] > timePs) count++;
    return count;
  }

  push(time: number, order: number, kind: number, payload: number): void {
    if (this.length === this.#rows.length) this.#grow();
    if (this.length === 0) this.#sequence = 0;
    const times = this.#times;
    const rows = this.#rows;
    let place = this.length++;
    const row = rows[place];
    this.#orders[row] = order;
    this.#sequences[row] = this.#sequence++;
    this.#kinds[row] = kind;
    this.#payloads[row] = payload;
    // A new event has the largest sequence: it rises above none of its time and order.
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const parentTime = times[parent];
      if (parentTime < time || (parentTime === time && this.#orders[rows[parent]] <= order)) break;
      times[place] = parentTime;
      rows[place] = rows[parent];
      place = parent;
    }
    times[place] = time;
    rows[place] = row;
  }

  removeFirst(): void {
    const last = --this.length;
    if (last === 0) return;
    const row = this.#rows[0];
    this.#sink(this.#times[last], this.#rows[last], last);
    this.#rows[last] = row;
  }

  /** Lets an event sink from the first place. */
  #sink(time: number, row: number, length: number): void {
    const times = this.#times;
    const rows = this.#rows;
    let place = 0;
    for (let child = 1; child < length; child = 2 * place + 1) {
      let childTime = times[child];
      if (child + 1 < length) {
        const right = times[child + 1];
        if (right < childTime || (right === childTime && this.#precedes(rows[child + 1], rows[child]))) {
          child++;
          childTime = right;
        }
      }
      if (childTime > time || (childTime === time && this.#precedes(row, rows[child]))) break;
      times[place] = childTime;
      rows[place] = rows[child];
      place = child;
    }
    times[place] = time;
    rows[place] = row;
  }

  /** Whether one event comes before another one of its time. */
  #precedes(row: number, other: number): boolean {
    const before = this.#orders[row] - this.#orders[other];
    return before !== 0 ? before < 0 : this.#sequences[row] < this.#sequences[other];
  }

  #grow(): void {
    const length = this.length;
    this.#times = grown(this.#times, 2 * length);
    this.#rows = grown(this.#rows, 2 * length);
    for (let row = length; row < 2 * length; row++) this.#rows[row] = row;
    this.#orders = grown(this.#orders, 2 * length);
    this.#sequences = grown(this.#sequences, 2 * length);
    this.#kinds = grown(this.#kinds, 2 * length);
    this.#payloads = grown(this.#payloads, 2 * length);
  }
}
