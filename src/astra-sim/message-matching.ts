import { grown } from '../base/grown.js';

const FIRST_CAPACITY = 64; // keys, a power of two

/**
 * Which receive a message belongs to (astra-sim-semantics section 11): the i-th arrival and the i-th receive of equal source,
 * destination, tag and size (its number in MessageSizes). Messages of one key arrive in the order in which they were sent, so counts are enough.
 */
export class MessageMatching {
  // Open addressing; a key is there while something waits under it.
  #source = new Int32Array(FIRST_CAPACITY).fill(-1); // [place] −1 for a free place
  #destination = new Int32Array(FIRST_CAPACITY);
  #tag = new Int32Array(FIRST_CAPACITY);
  #size = new Int32Array(FIRST_CAPACITY);
  /** Messages that wait for a receive; below 0: receives that wait for a message. */
  #arrived = new Int32Array(FIRST_CAPACITY);
  #first = new Int32Array(FIRST_CAPACITY); // first waiting receive
  #last = new Int32Array(FIRST_CAPACITY);
  #keys = 0;
  // Waiting receives, in slots of a free list.
  #code = new Uint8Array(FIRST_CAPACITY);
  #reference = new Int32Array(FIRST_CAPACITY);
  #next = new Int32Array(FIRST_CAPACITY);
  #free = -1;
  /** The receive that {@link arrive} found. */
  code = 0;
  reference = 0;

  constructor() {
    for (let slot = FIRST_CAPACITY - 1; slot >= 0; slot--) this.#give(slot);
  }

  /** A message has arrived: gives whether a receive waited for it, now in `code` and `reference`. */
  arrive(source: number, destination: number, tag: number, size: number): boolean {
    const place = this.#placeOf(source, destination, tag, size);
    if (this.#arrived[place] >= 0) {
      this.#arrived[place]++;
      return false;
    }
    const slot = this.#first[place];
    this.code = this.#code[slot];
    this.reference = this.#reference[slot];
    this.#first[place] = this.#next[slot];
    this.#give(slot);
    if (++this.#arrived[place] === 0) this.#remove(place);
    return true;
  }

  /** A receive is posted: gives whether its message has arrived; otherwise it waits. */
  post(source: number, destination: number, tag: number, size: number, code: number, reference: number): boolean {
    const place = this.#placeOf(source, destination, tag, size);
    if (this.#arrived[place] > 0) {
      if (--this.#arrived[place] === 0) this.#remove(place);
      return true;
    }
    const slot = this.#take();
    this.#code[slot] = code;
    this.#reference[slot] = reference;
    this.#next[slot] = -1;
    if (this.#arrived[place]-- === 0) this.#first[place] = slot;
    else this.#next[this.#last[place]] = slot;
    this.#last[place] = slot;
    return false;
  }

  /** Takes a message that has arrived and not been asked for; `false` when there is none. */
  take(source: number, destination: number, tag: number, size: number): boolean {
    const place = this.#find(source, destination, tag, size);
    if (this.#source[place] < 0 || this.#arrived[place] <= 0) return false;
    if (--this.#arrived[place] === 0) this.#remove(place);
    return true;
  }

  /** Every key under which something waits, with the messages that wait (below 0: receives). */
  forEach(visit: (source: number, destination: number, tag: number, size: number, arrived: number) => void): void {
    for (let place = 0; place < this.#source.length; place++) {
      if (this.#source[place] < 0) continue;
      visit(this.#source[place], this.#destination[place], this.#tag[place], this.#size[place], this.#arrived[place]);
    }
  }

  #placeOf(source: number, destination: number, tag: number, size: number): number {
    let place = this.#find(source, destination, tag, size);
    if (this.#source[place] >= 0) return place;
    if (2 * ++this.#keys > this.#source.length) {
      this.#grow();
      place = this.#find(source, destination, tag, size);
    }
    this.#source[place] = source;
    this.#destination[place] = destination;
    this.#tag[place] = tag;
    this.#size[place] = size;
    this.#arrived[place] = 0;
    return place;
  }

  /** Place of a key, or the free one where it would be. */
  #find(source: number, destination: number, tag: number, size: number): number {
    const mask = this.#source.length - 1;
    let place = hashOf(source, destination, tag, size) & mask;
    while (
      this.#source[place] >= 0 &&
      (this.#tag[place] !== tag ||
        this.#source[place] !== source ||
        this.#destination[place] !== destination ||
        this.#size[place] !== size)
    ) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Frees a place; those after it that would have been put there move up. */
  #remove(removed: number): void {
    this.#keys--;
    const mask = this.#source.length - 1;
    let free = removed;
    for (let place = (removed + 1) & mask; this.#source[place] >= 0; place = (place + 1) & mask) {
      const home = hashOf(this.#source[place], this.#destination[place], this.#tag[place], this.#size[place]) & mask;
      if (((place - home) & mask) < ((place - free) & mask)) continue;
      this.#move(place, free);
      free = place;
    }
    this.#source[free] = -1;
  }

  #move(from: number, to: number): void {
    this.#source[to] = this.#source[from];
    this.#destination[to] = this.#destination[from];
    this.#tag[to] = this.#tag[from];
    this.#size[to] = this.#size[from];
    this.#arrived[to] = this.#arrived[from];
    this.#first[to] = this.#first[from];
    this.#last[to] = this.#last[from];
  }

  #grow(): void {
    const old = [this.#source, this.#destination, this.#tag, this.#size, this.#arrived, this.#first, this.#last];
    const capacity = 2 * this.#source.length;
    this.#source = new Int32Array(capacity).fill(-1);
    this.#destination = new Int32Array(capacity);
    this.#tag = new Int32Array(capacity);
    this.#size = new Int32Array(capacity);
    this.#arrived = new Int32Array(capacity);
    this.#first = new Int32Array(capacity);
    this.#last = new Int32Array(capacity);
    const [source, destination, tag, size, arrived, first, last] = old;
    for (let from = 0; from < source.length; from++) {
      if (source[from] < 0) continue;
      const to = this.#find(source[from], destination[from], tag[from], size[from]);
      this.#source[to] = source[from];
      this.#destination[to] = destination[from];
      this.#tag[to] = tag[from];
      this.#size[to] = size[from];
      this.#arrived[to] = arrived[from];
      this.#first[to] = first[from];
      this.#last[to] = last[from];
    }
  }

  #take(): number {
    if (this.#free < 0) {
      const capacity = this.#code.length;
      this.#code = grown(this.#code, 2 * capacity);
      this.#reference = grown(this.#reference, 2 * capacity);
      this.#next = grown(this.#next, 2 * capacity);
      for (let slot = 2 * capacity - 1; slot >= capacity; slot--) this.#give(slot);
    }
    const slot = this.#free;
    this.#free = this.#next[slot];
    return slot;
  }

  #give(slot: number): void {
    this.#next[slot] = this.#free;
    this.#free = slot;
  }
}

function hashOf(source: number, destination: number, tag: number, size: number): number {
  let hash = Math.imul(tag ^ Math.imul(source, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(destination, 0xc2b2ae35);
  hash ^= Math.imul(size, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
