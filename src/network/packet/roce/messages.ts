import { grown } from '../../../base/grown.js';

const FIRST_CAPACITY = 64;

/** Messages that are under way on queue pairs, in slots that are used again. */
export class Messages {
  transfer = new Int32Array(FIRST_CAPACITY);
  bytes = new Float64Array(FIRST_CAPACITY);
  /** First packet, and the one behind the last. */
  first = new Int32Array(FIRST_CAPACITY);
  end = new Int32Array(FIRST_CAPACITY);
  /** Next message of the queue pair, −1 for none; of a free slot the next free one. */
  next = new Int32Array(FIRST_CAPACITY);
  #free = -1;
  #fresh = 0;

  add(transfer: number, bytes: number, first: number, end: number): number {
    const message = this.#take();
    this.transfer[message] = transfer;
    this.bytes[message] = bytes;
    this.first[message] = first;
    this.end[message] = end;
    this.next[message] = -1;
    return message;
  }

  remove(message: number): void {
    this.next[message] = this.#free;
    this.#free = message;
  }

  #take(): number {
    const message = this.#free;
    if (message >= 0) {
      this.#free = this.next[message];
      return message;
    }
    if (this.#fresh === this.transfer.length) {
      const length = 2 * this.#fresh;
      this.transfer = grown(this.transfer, length);
      this.bytes = grown(this.bytes, length);
      this.first = grown(this.first, length);
      this.end = grown(this.end, length);
      this.next = grown(this.next, length);
    }
    return this.#fresh++;
  }
}
