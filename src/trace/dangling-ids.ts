import { hashId } from '../base/ids.js';

const NONE = new Uint32Array(0);
const NO_TABLE = new Int32Array(0);

/** Gathers ids, each once, and numbers them in the order in which they come. Takes no memory before the first. */
export class DanglingIds {
  #count = 0;
  #low = NONE; // [capacity] lower half of each id
  #high = NONE; // [capacity] upper half of each id
  #table = NO_TABLE; // [2^k] slot → place, −1 empty

  /** @param expected how many ids there will be about */
  constructor(private readonly expected = 0) {}

  /** Number of ids. */
  get count(): number {
    return this.#count;
  }

  /** Lower halves of the ids, by place. */
  get low(): Uint32Array {
    return this.#low.slice(0, this.#count);
  }

  /** Upper halves of the ids, by place. */
  get high(): Uint32Array {
    return this.#high.slice(0, this.#count);
  }

  /** Place of the id, which is the next free one for an id not seen before. */
  placeOf(low: number, high: number): number {
    if (this.#count === this.#low.length) this.#grow();
    const table = this.#table;
    const mask = table.length - 1;
    let slot = hashId(low, high) & mask;
    for (;;) {
      const place = table[slot];
      if (place < 0) break;
      if (this.#low[place] === low >>> 0 && this.#high[place] === high >>> 0) return place;
      slot = (slot + 1) & mask;
    }
    const place = this.#count++;
    this.#low[place] = low;
    this.#high[place] = high;
    table[slot] = place;
    return place;
  }

  #grow(): void {
    const capacity = Math.max(16, this.#low.length === 0 ? this.expected : this.#low.length * 2);
    const [low, high] = [new Uint32Array(capacity), new Uint32Array(capacity)];
    low.set(this.#low);
    high.set(this.#high);
    this.#low = low;
    this.#high = high;
    let size = 32;
    while (size < 2 * capacity) size *= 2;
    const table = new Int32Array(size).fill(-1);
    const mask = size - 1;
    for (let place = 0; place < this.#count; place++) {
      let slot = hashId(low[place], high[place]) & mask;
      while (table[slot] >= 0) slot = (slot + 1) & mask;
      table[slot] = place;
    }
    this.#table = table;
  }
}
