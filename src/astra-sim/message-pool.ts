import { grown } from '../base/grown.js';

// A message is eight numbers next to each other: half a cache line.
const SOURCE = 0;
const DESTINATION = 1;
const TAG = 2;
const SIZE = 3;
const CODE = 4; // and the hop above it
const REFERENCE = 5;
const NEXT = 6;
const AT = 7;
const FIELDS = 8;
const HOP_SHIFT = 8;
const CODE_MASK = (1 << HOP_SHIFT) - 1;

/** Messages under way, in slots of a free list: 32 bytes each. */
export class MessagePool {
  #fields = new Int32Array(64 * FIELDS);
  #free = -1;

  constructor() {
    this.#link(0);
  }

  /**
   * A message between two ranks.
   * @param size number in MessageSizes
   * @param code what happens at the sender on arrival, below 256
   */
  add(source: number, destination: number, tag: number, size: number, code: number, reference: number): number {
    if (this.#free < 0) {
      const slots = this.#fields.length / FIELDS;
      this.#fields = grown(this.#fields, 2 * slots * FIELDS);
      this.#link(slots);
    }
    const slot = this.#free;
    const fields = this.#fields;
    const place = slot * FIELDS;
    this.#free = fields[place + NEXT];
    fields[place + SOURCE] = source;
    fields[place + DESTINATION] = destination;
    fields[place + TAG] = tag;
    fields[place + SIZE] = size;
    fields[place + CODE] = code;
    fields[place + REFERENCE] = reference;
    fields[place + NEXT] = -1;
    fields[place + AT] = source;
    return slot;
  }

  /** Its fields can be read until the next is added. */
  remove(slot: number): void {
    this.#fields[slot * FIELDS + NEXT] = this.#free;
    this.#free = slot;
  }

  source(slot: number): number {
    return this.#fields[slot * FIELDS + SOURCE];
  }

  destination(slot: number): number {
    return this.#fields[slot * FIELDS + DESTINATION];
  }

  tag(slot: number): number {
    return this.#fields[slot * FIELDS + TAG];
  }

  size(slot: number): number {
    return this.#fields[slot * FIELDS + SIZE];
  }

  code(slot: number): number {
    return this.#fields[slot * FIELDS + CODE] & CODE_MASK;
  }

  reference(slot: number): number {
    return this.#fields[slot * FIELDS + REFERENCE];
  }

  /** The message that waits behind it for the same link, −1 for none. */
  next(slot: number): number {
    return this.#fields[slot * FIELDS + NEXT];
  }

  setNext(slot: number, next: number): void {
    this.#fields[slot * FIELDS + NEXT] = next;
  }

  /** The rank it comes to, or has come to; in a switch the one it came from. At first its source. */
  at(slot: number): number {
    return this.#fields[slot * FIELDS + AT];
  }

  setAt(slot: number, rank: number): void {
    this.#fields[slot * FIELDS + AT] = rank;
  }

  /** A number of the network's for the device it comes to; at first 0. */
  hop(slot: number): number {
    return this.#fields[slot * FIELDS + CODE] >>> HOP_SHIFT;
  }

  setHop(slot: number, hop: number): void {
    const place = slot * FIELDS + CODE;
    this.#fields[place] = (this.#fields[place] & CODE_MASK) | (hop << HOP_SHIFT);
  }

  #link(from: number): void {
    for (let slot = this.#fields.length / FIELDS - 1; slot >= from; slot--) this.remove(slot);
  }
}
