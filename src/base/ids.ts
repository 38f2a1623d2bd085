/**
 * Node ids are unsigned 64-bit numbers on the wire. Inside, an id is two unsigned 32-bit halves, so that every id
 * survives exactly without a `bigint` per node; a node is addressed by its index.
 */

/** The id as text, exact. */
export function formatId(low: number, high: number): string {
  return high === 0 ? String(low >>> 0) : String((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
}

/** The id for JSON and findings: a number below 2^53, decimal text above. */
export function idForJson(low: number, high: number): number | string {
  return high >>> 0 < 0x200000 ? (high >>> 0) * 0x100000000 + (low >>> 0) : formatId(low, high);
}

/** Finds the index of an id among n ids: dense ids by a table, others by open addressing. Of equal ids the first wins. */
export class IdIndex {
  readonly #low: Uint32Array; // [n] lower half of each id
  readonly #high: Uint32Array; // [n] upper half of each id
  readonly #table: Int32Array; // dense: index by id − first; else [2^k] slot → index, −1 empty
  readonly #dense: boolean;
  readonly #first: number;

  constructor(low: Uint32Array, high: Uint32Array, length: number) {
    this.#low = low;
    this.#high = high;
    let smallest = 0xffffffff;
    let largest = 0;
    let wide = false;
    for (let index = 0; index < length; index++) {
      if (high[index] !== 0) wide = true;
      const value = low[index];
      if (value < smallest) smallest = value;
      if (value > largest) largest = value;
    }
    this.#dense = !wide && length > 0 && largest - smallest < 4 * length + 1024;
    this.#first = smallest;
    if (this.#dense) {
      const table = new Int32Array(largest - smallest + 1).fill(-1);
      for (let index = length - 1; index >= 0; index--) table[low[index] - smallest] = index;
      this.#table = table;
      return;
    }
    let size = 16;
    while (size < 2 * length) size *= 2;
    const table = new Int32Array(size).fill(-1);
    const mask = size - 1;
    for (let index = 0; index < length; index++) {
      let slot = hash(low[index], high[index]) & mask;
      while (table[slot] >= 0 && (low[table[slot]] !== low[index] || high[table[slot]] !== high[index])) {
        slot = (slot + 1) & mask;
      }
      if (table[slot] < 0) table[slot] = index;
    }
    this.#table = table;
  }

  /** Index of the first node with this id, −1 when there is none. */
  indexOf(low: number, high: number): number {
    const table = this.#table;
    if (this.#dense) {
      const place = (low >>> 0) - this.#first;
      return high !== 0 || place < 0 || place >= table.length ? -1 : table[place];
    }
    const mask = table.length - 1;
    let slot = hash(low, high) & mask;
    for (;;) {
      const index = table[slot];
      if (index < 0 || (this.#low[index] === low >>> 0 && this.#high[index] === high >>> 0)) return index;
      slot = (slot + 1) & mask;
    }
  }
}

function hash(low: number, high: number): number {
  let mixed = Math.imul(low ^ (low >>> 16), 0x7feb352d) ^ Math.imul(high, 0x846ca68b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
