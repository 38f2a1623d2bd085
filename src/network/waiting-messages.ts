import { grown } from '../base/grown.js';

/** No message. */
export const NONE = 0;

/** Messages that have not entered the last link of their way, in slots from 1 on that are used again. */
export class WaitingMessages {
  transfer = new Int32Array(1); // [slots] the caller's number
  source = new Int32Array(1); // [slots] rank
  destination = new Int32Array(1); // [slots] rank
  bytes = new Float64Array(1); // [slots]
  /** [slots] where the message is, or is about to arrive. */
  device = new Int32Array(1);
  /** [slots] latency of the links it has entered, ps. */
  latencyPs = new Float64Array(1);
  /** [slots] the one behind it in the queue of a link; behind the last comes the first. */
  next = new Int32Array(1);
  #free = NONE;

  add(transfer: number, source: number, destination: number, bytes: number, device: number): number {
    if (this.#free === NONE) this.#grow();
    const slot = this.#free;
    this.#free = this.next[slot];
    this.transfer[slot] = transfer;
    this.source[slot] = source;
    this.destination[slot] = destination;
    this.bytes[slot] = bytes;
    this.device[slot] = device;
    this.latencyPs[slot] = 0;
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
    this.source = grown(this.source, larger);
    this.destination = grown(this.destination, larger);
    this.bytes = grown(this.bytes, larger);
    this.device = grown(this.device, larger);
    this.latencyPs = grown(this.latencyPs, larger);
    this.next = grown(this.next, larger);
    for (let slot = length; slot < larger; slot++) this.next[slot] = slot + 1 < larger ? slot + 1 : NONE;
    this.#free = length;
  }
}
