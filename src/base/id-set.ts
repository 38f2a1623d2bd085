import { hashId } from './ids.js';

/** Ids that one slot of the table stands for: those that differ in the last five bits only. */
const BLOCK_BITS = 5;

/**
 * A set of 64-bit ids that only grows. Ids that lie close together cost about one bit each, one that stands alone 18 to 36
 * bytes.
 */
export class IdSet {
  #block = new Uint32Array(64); // [2^k] lower half of the ids of the slot, without the last five bits
  #high = new Uint32Array(64); // [2^k] upper half
  #bits = new Uint32Array(64); // [2^k] bit of each id of the block that is in the set; 0 for an empty slot
  #used = 0;
  #last = 0; // slot found last: ids mostly come in an order near their own

  add(low: number, high: number): void {
    const slot = this.#find(low >>> BLOCK_BITS, high >>> 0);
    if (this.#bits[slot] === 0) {
      this.#block[slot] = low >>> BLOCK_BITS;
      this.#high[slot] = high;
      this.#used++;
    }
    this.#bits[slot] |= 1 << (low & 31);
    if (this.#used * 3 > this.#bits.length * 2) this.#grow();
  }

  has(low: number, high: number): boolean {
    return (this.#bits[this.#find(low >>> BLOCK_BITS, high >>> 0)] & (1 << (low & 31))) !== 0;
  }

  /** The slot of a block, or the empty one where it would go. */
  #find(block: number, high: number): number {
    const last = this.#last;
    if (this.#block[last] === block && this.#high[last] === high && this.#bits[last] !== 0) return last;
    const mask = this.#bits.length - 1;
    let slot = hashId(block, high) & mask;
    while (this.#bits[slot] !== 0 && (this.#block[slot] !== block || this.#high[slot] !== high))
      slot = (slot + 1) & mask;
    this.#last = slot;
    return slot;
  }

  #grow(): void {
    const [block, high, bits] = [this.#block, this.#high, this.#bits];
    const size = bits.length * 2;
    this.#block = new Uint32Array(size);
    this.#high = new Uint32Array(size);
    this.#bits = new Uint32Array(size);
    for (let old = 0; old < bits.length; old++) {
      if (bits[old] === 0) continue;
      const slot = this.#find(block[old], high[old]);
      this.#block[slot] = block[old];
      this.#high[slot] = high[old];
      this.#bits[slot] = bits[old];
    }
  }
}
