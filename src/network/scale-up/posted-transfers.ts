import { grown } from '../../base/grown.js';

const NONE = -1;

/**
 * Transfers that a fabric carries, in slots that are used again. A transfer is a count of packets that are alike but for the
 * last (SU-1), so its packets need no store of their own.
 */
export class PostedTransfers {
  /** P + H, size of a packet that is not the last of its transfer. */
  readonly fullBytes: number;

  transfer = new Int32Array(0); // [slots] the caller's number
  packets = new Float64Array(0); // [slots]
  lastBytes = new Float64Array(0); // [slots] size of the last packet with its header
  /** [slots] the one posted next between the same two ranks, −1 for none yet. */
  next = new Int32Array(0);
  #free = NONE;

  constructor(
    readonly maxPayloadBytes: number,
    readonly headerBytes: number,
  ) {
    this.fullBytes = maxPayloadBytes + headerBytes;
  }

  /** Slot of a transfer of `bytes`: max(1, ceil(bytes / P)) packets, each with a header (SU-1). */
  add(transfer: number, bytes: number): number {
    if (this.#free === NONE) this.#grow();
    const slot = this.#free;
    this.#free = this.next[slot];
    const rest = bytes % this.maxPayloadBytes;
    const full = (bytes - rest) / this.maxPayloadBytes;
    const packets = rest === 0 && full > 0 ? full : full + 1;
    this.transfer[slot] = transfer;
    this.packets[slot] = packets;
    this.lastBytes[slot] = (packets === full ? this.maxPayloadBytes : rest) + this.headerBytes;
    this.next[slot] = NONE;
    return slot;
  }

  remove(slot: number): void {
    this.next[slot] = this.#free;
    this.#free = slot;
  }

  #grow(): void {
    const length = this.transfer.length;
    const larger = Math.max(64, 2 * length);
    this.transfer = grown(this.transfer, larger);
    this.packets = grown(this.packets, larger);
    this.lastBytes = grown(this.lastBytes, larger);
    this.next = grown(this.next, larger);
    for (let slot = length; slot < larger; slot++) this.next[slot] = slot + 1 < larger ? slot + 1 : this.#free;
    this.#free = length;
  }
}
