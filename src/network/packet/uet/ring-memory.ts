import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 1024;

/** Memory for ring buffers: blocks of a power of two integers, used again by whoever needs as many. */
export class RingMemory {
  /** Another array after {@link take}. */
  integers = new Int32Array(FIRST_CAPACITY);
  readonly #free = new Int32Array(32).fill(-1); // [exponent] first free block of so many integers
  #fresh = 0;

  /** Where a block begins that has room for `length` integers, a power of two; it holds what was left there. */
  take(length: number): number {
    const exponent = 31 - Math.clz32(length);
    const block = this.#free[exponent];
    if (block >= 0) {
      this.#free[exponent] = this.integers[block];
      return block;
    }
    const fresh = this.#fresh;
    this.#fresh += length;
    if (this.#fresh > this.integers.length) {
      const { length: before } = this.integers;
      this.integers = grown(this.integers, Math.max(this.#fresh, before + (before >> 2)));
    }
    return fresh;
  }

  release(block: number, length: number): void {
    const exponent = 31 - Math.clz32(length);
    this.integers[block] = this.#free[exponent];
    this.#free[exponent] = block;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.integers.byteLength;
  }
}
