import { grown } from '../../../base/grown.js';
import { Blocks, powerFor } from './blocks.js';

const WORD_BITS = 32;
/** Bits that a new message gets at most; more when its packets come in wider apart. */
const FIRST_BITS = 128;

/**
 * What receivers know of messages whose packets may come in any order (UE-2, UE-3): below the cumulative PSN all have arrived,
 * from it on there is a bit for each. A message is a number of the transport.
 */
export class Arrivals {
  /** [messages] all packets below have arrived. */
  cumulative = new Int32Array(64);
  /** [messages] packets that have arrived, each counted once. */
  count = new Int32Array(64);
  /** Low and high half of the bits that {@link readBits} has read. */
  low = 0;
  high = 0;
  #block = new Int32Array(64); // [messages] first word
  #power = new Int32Array(64); // [messages] of its words
  #words = new Int32Array(256); // bit psn mod bits of the block is 1 where the packet is at or above the cumulative PSN and has arrived
  readonly #blocks = new Blocks();

  open(message: number, packets: number): void {
    if (message >= this.count.length) this.#growMessages(message);
    this.cumulative[message] = 0;
    this.count[message] = 0;
    this.#takeBlock(message, powerFor(Math.ceil(Math.min(packets, FIRST_BITS) / WORD_BITS)));
  }

  close(message: number): void {
    const first = this.#block[message];
    this.#words.fill(0, first, first + (1 << this.#power[message]));
    this.#blocks.release(first, this.#power[message]);
  }

  has(message: number, psn: number): boolean {
    const cumulative = this.cumulative[message];
    if (psn < cumulative) return true;
    if (psn - cumulative >= WORD_BITS << this.#power[message]) return false;
    return (this.#words[this.#wordOf(message, psn)] & (1 << (psn & 31))) !== 0;
  }

  /** A packet arrives. @returns whether for the first time */
  add(message: number, psn: number): boolean {
    let cumulative = this.cumulative[message];
    if (psn !== cumulative) {
      if (this.has(message, psn)) return false;
      while (psn - cumulative >= WORD_BITS << this.#power[message]) this.#widen(message);
      this.#words[this.#wordOf(message, psn)] |= 1 << (psn & 31);
      this.count[message]++;
      return true;
    }
    this.count[message]++;
    const words = this.#words;
    cumulative++;
    for (;;) {
      const word = this.#wordOf(message, cumulative);
      const bit = 1 << (cumulative & 31);
      if ((words[word] & bit) === 0) break;
      words[word] &= ~bit;
      cumulative++;
    }
    this.cumulative[message] = cumulative;
    return true;
  }

  /** Reads the 64 bits from the cumulative PSN on into {@link low} and {@link high}. */
  readBits(message: number): void {
    const cumulative = this.cumulative[message];
    this.low = this.#read(message, cumulative, 0);
    this.high = this.#read(message, cumulative, WORD_BITS);
  }

  /** 32 bits, none of them beyond those of the block: a block goes around. */
  #read(message: number, cumulative: number, offset: number): number {
    if (offset >= WORD_BITS << this.#power[message]) return 0;
    const psn = cumulative + offset;
    const shift = psn & 31;
    const lower = this.#words[this.#wordOf(message, psn)] >>> shift;
    if (shift === 0) return lower | 0;
    return lower | (this.#words[this.#wordOf(message, psn + WORD_BITS)] << (WORD_BITS - shift));
  }

  #wordOf(message: number, psn: number): number {
    return this.#block[message] + ((psn >>> 5) & ((1 << this.#power[message]) - 1));
  }

  #takeBlock(message: number, power: number): void {
    this.#block[message] = this.#blocks.take(power);
    this.#power[message] = power;
    if (this.#blocks.length > this.#words.length) this.#words = grown(this.#words, 2 * this.#blocks.length);
  }

  #widen(message: number): void {
    const before = this.#block[message];
    const power = this.#power[message];
    this.#takeBlock(message, power + 1);
    const words = this.#words;
    const bits = WORD_BITS << power;
    const first = this.cumulative[message];
    for (let psn = first; psn < first + bits; psn++) {
      const bit = 1 << (psn & 31);
      if ((words[before + ((psn >>> 5) & ((1 << power) - 1))] & bit) !== 0) words[this.#wordOf(message, psn)] |= bit;
    }
    words.fill(0, before, before + (1 << power));
    this.#blocks.release(before, power);
  }

  #growMessages(message: number): void {
    const length = Math.max(2 * this.count.length, message + 1);
    this.cumulative = grown(this.cumulative, length);
    this.count = grown(this.count, length);
    this.#block = grown(this.#block, length);
    this.#power = grown(this.#power, length);
  }
}
