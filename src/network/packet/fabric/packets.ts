import * as packetRecord from './packet-record.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { NEXT, PACKET_DOUBLES, PACKET_INTEGERS } = packetRecord;

const FIRST_CAPACITY = 1024;

/** The packets of a run that are somewhere: records with a free list. */
export class Packets {
  /** [capacity × 16]; another array after {@link take}. */
  integers: Int32Array;
  /** [capacity × 8] the same memory. */
  doubles: Float64Array;
  /** Packets taken and not released. */
  count = 0;
  /** The most there were at a time. */
  peak = 0;
  #capacity = FIRST_CAPACITY;
  #free = -1;
  #fresh = 0; // slots from here on were never taken

  constructor() {
    const buffer = new ArrayBuffer(FIRST_CAPACITY * PACKET_INTEGERS * 4);
    this.integers = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  /** A slot; its record holds what its last packet left there. */
  take(): number {
    if (++this.count > this.peak) this.peak = this.count;
    const slot = this.#free;
    if (slot >= 0) {
      this.#free = this.integers[slot * PACKET_INTEGERS + NEXT];
      return slot;
    }
    if (this.#fresh === this.#capacity) this.#grow();
    return this.#fresh++;
  }

  release(slot: number): void {
    this.integers[slot * PACKET_INTEGERS + NEXT] = this.#free;
    this.#free = slot;
    this.count--;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#capacity * PACKET_DOUBLES * 8;
  }

  #grow(): void {
    this.#capacity += this.#capacity >> 1;
    const buffer = new ArrayBuffer(this.#capacity * PACKET_INTEGERS * 4);
    const integers = new Int32Array(buffer);
    integers.set(this.integers);
    this.integers = integers;
    this.doubles = new Float64Array(buffer);
  }
}
