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

/** The id `distance` above another one, as {@link idForJson} gives it. */
export function idAbove(low: number, high: number, distance: number): number | string {
  const id = ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) + BigInt(distance);
  return idForJson(Number(id & 0xffffffffn), Number(id >> 32n));
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
    const { smallest, largest, wide } = idRange(low, high, length);
    this.#dense = !wide && length > 0 && largest - smallest < 4 * length + 1024;
    this.#first = smallest;
    this.#table = this.#dense ? denseTable(low, length, smallest, largest) : hashTable(low, high, length);
  }

  /** Index of the first node with this id, −1 when there is none. */
  indexOf(low: number, high: number): number {
    const table = this.#table;
    if (this.#dense) {
      const place = (low >>> 0) - this.#first;
      return high !== 0 || place < 0 || place >= table.length ? -1 : table[place];
    }
    const mask = table.length - 1;
    let slot = hashId(low, high) & mask;
    for (;;) {
      const index = table[slot];
      if (index < 0 || (this.#low[index] === low >>> 0 && this.#high[index] === high >>> 0)) return index;
      slot = (slot + 1) & mask;
    }
  }
}

// Each loop is a function of its own: a loop that becomes hot inside a longer function is compiled for what ran so far,
// and thrown away at the next one.
function idRange(low: Uint32Array, high: Uint32Array, length: number) {
  let smallest = 0xffffffff;
  let largest = 0;
  let wide = 0;
  for (let index = 0; index < length; index++) {
    wide |= high[index];
    const value = low[index];
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  return { smallest, largest, wide: wide !== 0 };
}

function denseTable(low: Uint32Array, length: number, smallest: number, largest: number): Int32Array {
  const table = new Int32Array(largest - smallest + 1).fill(-1);
  for (let index = length - 1; index >= 0; index--) table[low[index] - smallest] = index;
  return table;
}

function hashTable(low: Uint32Array, high: Uint32Array, length: number): Int32Array {
  let size = 16;
  while (size < 2 * length) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const mask = size - 1;
  for (let index = 0; index < length; index++) {
    let slot = hashId(low[index], high[index]) & mask;
    while (table[slot] >= 0 && (low[table[slot]] !== low[index] || high[table[slot]] !== high[index])) {
      slot = (slot + 1) & mask;
    }
    if (table[slot] < 0) table[slot] = index;
  }
  return table;
}

/** Mixes the halves of an id into 32 bits, for tables with open addressing. */
export function hashId(low: number, high: number): number {
  let mixed = Math.imul(low ^ (low >>> 16), 0x7feb352d) ^ Math.imul(high, 0x846ca68b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
