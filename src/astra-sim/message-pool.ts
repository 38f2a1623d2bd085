import { grown } from '../base/grown.js';

/** Messages under way, in slots of a free list. */
export class MessagePool {
  source = new Int32Array(64); // [slot] rank
  destination = new Int32Array(64); // [slot] rank
  tag = new Int32Array(64); // [slot]
  size = new Int32Array(64); // [slot] number in MessageSizes
  /** What happens at the sender on arrival. */
  code = new Uint8Array(64); // [slot]
  reference = new Int32Array(64); // [slot]
  next = new Int32Array(64); // [slot] next message that waits for the same link, or free slot; −1 at the end
  #free = -1;

  constructor() {
    this.#link(0);
  }

  add(source: number, destination: number, tag: number, size: number, code: number, reference: number): number {
    if (this.#free < 0) this.#grow();
    const slot = this.#free;
    this.#free = this.next[slot];
    this.source[slot] = source;
    this.destination[slot] = destination;
    this.tag[slot] = tag;
    this.size[slot] = size;
    this.code[slot] = code;
    this.reference[slot] = reference;
    this.next[slot] = -1;
    return slot;
  }

  remove(slot: number): void {
    this.next[slot] = this.#free;
    this.#free = slot;
  }

  #grow(): void {
    const capacity = this.source.length;
    this.source = grown(this.source, 2 * capacity);
    this.destination = grown(this.destination, 2 * capacity);
    this.tag = grown(this.tag, 2 * capacity);
    this.size = grown(this.size, 2 * capacity);
    this.code = grown(this.code, 2 * capacity);
    this.reference = grown(this.reference, 2 * capacity);
    this.next = grown(this.next, 2 * capacity);
    this.#link(capacity);
  }

  #link(from: number): void {
    for (let slot = this.source.length - 1; slot >= from; slot--) this.remove(slot);
  }
}
