import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 1024;

/** Bitmaps of the acknowledgments that are on their way, 64 bits each, by the slots of their packets (UE-3). */
export class SackWindows {
  #words = new Int32Array(2 * FIRST_CAPACITY); // [slots × 2] low, high

  write(slot: number, low: number, high: number): void {
    if (2 * slot >= this.#words.length) this.#grow(slot);
    this.#words[2 * slot] = low;
    this.#words[2 * slot + 1] = high;
  }

  lowOf(slot: number): number {
    return this.#words[2 * slot];
  }

  highOf(slot: number): number {
    return this.#words[2 * slot + 1];
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#words.byteLength;
  }

  #grow(slot: number): void {
    const capacity = this.#words.length / 2;
    this.#words = grown(this.#words, 2 * Math.max(slot + 1, capacity + (capacity >> 2)));
  }
}
