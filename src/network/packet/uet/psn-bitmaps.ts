import * as messageRecord from './message-record.js';
import type { Messages } from './messages.js';
import type { RingMemory } from './ring-memory.js';

// As constants of the module: the optimiser folds them, and loads imported ones each time.
const { BLOCK, MASK, MISSING_FROM } = messageRecord;

/** Words at first; 64 packets from anywhere in a word on lie in three of them. */
const FIRST_WORDS = 4;

/**
 * Sets of packets of a message: all before the first that is missing, and some behind it. A set is three integers of the message's
 * record; its bits from the word of the first missing packet on lie in a ring buffer, which is there once packets are out of
 * order.
 */
export class PsnBitmaps {
  /** What {@link readWindow} has read: bit k of these two words is packet `first missing + k`. */
  low = 0;
  high = 0;
  readonly #messages: Messages;
  readonly #memory: RingMemory;

  constructor(messages: Messages, memory: RingMemory) {
    this.#messages = messages;
    this.#memory = memory;
  }

  /** @param at place of the set among the integers of all messages */
  has(at: number, psn: number): boolean {
    const sets = this.#messages.integers;
    const from = sets[at + MISSING_FROM];
    if (psn < from) return true;
    const block = sets[at + BLOCK];
    if (block < 0) return false;
    const mask = sets[at + MASK];
    const word = psn >>> 5;
    return word - (from >>> 5) <= mask && ((this.#memory.integers[block + (word & mask)] >>> (psn & 31)) & 1) !== 0;
  }

  /** Adds a packet that is not in the set. */
  add(at: number, psn: number): void {
    const sets = this.#messages.integers;
    const from = sets[at + MISSING_FROM];
    if (psn === from && sets[at + BLOCK] < 0) {
      sets[at + MISSING_FROM] = psn + 1;
      return;
    }
    if (sets[at + BLOCK] < 0 || (psn >>> 5) - (from >>> 5) > sets[at + MASK]) this.#widen(at, psn);
    const words = this.#memory.integers;
    const block = sets[at + BLOCK];
    const mask = sets[at + MASK];
    words[block + ((psn >>> 5) & mask)] |= 1 << (psn & 31);
    if (psn !== from) return;
    let next = from;
    for (;;) {
      const place = block + ((next >>> 5) & mask);
      const missing = ~(words[place] >>> (next & 31));
      const run = missing === 0 ? 32 : 31 - Math.clz32(missing & -missing);
      next += run;
      if (run === 0 || (next & 31) !== 0) break;
      words[place] = 0;
    }
    sets[at + MISSING_FROM] = next;
  }

  /** Adds all packets before one that is missing. */
  addBefore(at: number, psn: number): void {
    const sets = this.#messages.integers;
    const block = sets[at + BLOCK];
    if (block >= 0) {
      const mask = sets[at + MASK];
      const first = sets[at + MISSING_FROM] >>> 5;
      const end = Math.min(psn >>> 5, first + mask + 1);
      for (let word = first; word < end; word++) this.#memory.integers[block + (word & mask)] = 0;
    }
    sets[at + MISSING_FROM] = psn;
  }

  /** Reads 64 packets from the first that is missing on into {@link low} and {@link high}. */
  readWindow(at: number): void {
    const sets = this.#messages.integers;
    const block = sets[at + BLOCK];
    if (block < 0) {
      this.low = 0;
      this.high = 0;
      return;
    }
    const words = this.#memory.integers;
    const mask = sets[at + MASK];
    const word = sets[at + MISSING_FROM] >>> 5;
    const shift = sets[at + MISSING_FROM] & 31;
    const first = words[block + (word & mask)];
    const second = words[block + ((word + 1) & mask)];
    const third = words[block + ((word + 2) & mask)];
    // Shifting by 31 − shift and 1 more, as a shift by 32 is none.
    this.low = (first >>> shift) | ((second << (31 - shift)) << 1);
    this.high = (second >>> shift) | ((third << (31 - shift)) << 1);
  }

  /** Gives its words back. */
  release(at: number): void {
    const sets = this.#messages.integers;
    const block = sets[at + BLOCK];
    if (block < 0) return;
    this.#memory.release(block, sets[at + MASK] + 1);
    sets[at + BLOCK] = -1;
  }

  /** Makes room for a packet. */
  #widen(at: number, psn: number): void {
    const sets = this.#messages.integers;
    const first = sets[at + MISSING_FROM] >>> 5;
    const before = sets[at + BLOCK];
    const maskBefore = sets[at + MASK];
    let length = before < 0 ? FIRST_WORDS : 2 * (maskBefore + 1);
    while ((psn >>> 5) - first >= length) length *= 2;
    const block = this.#memory.take(length);
    const words = this.#memory.integers;
    words.fill(0, block, block + length);
    if (before >= 0) {
      for (let word = first; word <= first + maskBefore; word++) {
        words[block + (word & (length - 1))] = words[before + (word & maskBefore)];
      }
      this.#memory.release(before, maskBefore + 1);
    }
    sets[at + BLOCK] = block;
    sets[at + MASK] = length - 1;
  }
}
