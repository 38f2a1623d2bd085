import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 1024;

/** What packets that are acknowledged selectively carry beyond their records, by slot: [slots] each. */
export class PacketFields {
  /** Of data and of the answer that it becomes: number of the transmission among all of its message. */
  order = new Int32Array(FIRST_CAPACITY);
  /** Of an acknowledgment: what has arrived of the 64 packets from the cumulative PSN on (UE-3). */
  low = new Int32Array(FIRST_CAPACITY);
  high = new Int32Array(FIRST_CAPACITY);

  setOrder(slot: number, order: number): void {
    if (slot >= this.order.length) this.#grow(slot);
    this.order[slot] = order;
  }

  setBits(slot: number, low: number, high: number): void {
    this.low[slot] = low;
    this.high[slot] = high;
  }

  #grow(slot: number): void {
    const length = Math.max(2 * this.order.length, slot + 1);
    this.order = grown(this.order, length);
    this.low = grown(this.low, length);
    this.high = grown(this.high, length);
  }
}
