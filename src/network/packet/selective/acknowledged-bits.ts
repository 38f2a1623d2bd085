import { grown } from '../../../base/grown.js';

/** The 64 bits that an acknowledgment carries (UE-3), by the slot of its packet: what of the packets from the cumulative PSN on has arrived. */
export class AcknowledgedBits {
  /** [slots] of the first 32 packets and of the next. */
  low = new Int32Array(1024);
  high = new Int32Array(1024);

  set(slot: number, low: number, high: number): void {
    if (slot >= this.low.length) {
      this.low = grown(this.low, 2 * slot);
      this.high = grown(this.high, 2 * slot);
    }
    this.low[slot] = low;
    this.high[slot] = high;
  }
}
