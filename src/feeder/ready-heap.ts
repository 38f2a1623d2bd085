import { compareIds, type SlotTable } from './slot-table.js';

/** Places below one. */
const FAN = 4;
/** Cells before the first, so that the four places below one begin a cache line or lie within one. */
const LEAD = FAN - 1;
const FIRST_CAPACITY = 256;

/**
 * Slots with their ids, the lowest id first: a heap of four places below each. Beside the slots lie the ids as doubles,
 * because looking them up in the slots would miss the cache at every step; ids beyond 2^53 that are the same as doubles
 * are looked up.
 */
export class ReadyHeap {
  length = 0;
  #slot = new Int32Array(LEAD + FIRST_CAPACITY); // [LEAD + capacity]
  #id = new Float64Array(LEAD + FIRST_CAPACITY); // [LEAD + capacity] id, rounded
  readonly #slots: SlotTable;

  constructor(slots: SlotTable) {
    this.#slots = slots;
  }

  /** The slot with the lowest id; there must be one. */
  get first(): number {
    return this.#slot[LEAD];
  }

  push(slot: number): void {
    if (LEAD + this.length === this.#slot.length) this.#grow();
    const slots = this.#slot;
    const ids = this.#id;
    const id = this.#slots.idHigh[slot] * 2 ** 32 + this.#slots.idLow[slot];
    let place = this.length++;
    while (place > 0) {
      const above = (place - 1) >> 2;
      const other = ids[LEAD + above];
      if (other < id || (other === id && compareIds(this.#slots, slots[LEAD + above], slot) < 0)) break;
      slots[LEAD + place] = slots[LEAD + above];
      ids[LEAD + place] = other;
      place = above;
    }
    slots[LEAD + place] = slot;
    ids[LEAD + place] = id;
  }

  /** Takes the slot with the lowest id out; there must be one. */
  pop(): number {
    const slots = this.#slot;
    const ids = this.#id;
    const first = slots[LEAD];
    const length = --this.length;
    const slot = slots[LEAD + length];
    const id = ids[LEAD + length];
    let place = 0;
    for (;;) {
      let lowest = FAN * place + 1;
      if (lowest >= length) break;
      let least = ids[LEAD + lowest];
      const end = Math.min(lowest + FAN, length);
      for (let child = lowest + 1; child < end; child++) {
        const other = ids[LEAD + child];
        if (other > least) continue;
        if (other === least && compareIds(this.#slots, slots[LEAD + child], slots[LEAD + lowest]) > 0) continue;
        lowest = child;
        least = other;
      }
      if (id < least || (id === least && compareIds(this.#slots, slot, slots[LEAD + lowest]) < 0)) break;
      slots[LEAD + place] = slots[LEAD + lowest];
      ids[LEAD + place] = least;
      place = lowest;
    }
    slots[LEAD + place] = slot;
    ids[LEAD + place] = id;
    return first;
  }

  #grow(): void {
    const capacity = Math.ceil(this.length * 1.5);
    const slot = new Int32Array(LEAD + capacity);
    const id = new Float64Array(LEAD + capacity);
    slot.set(this.#slot);
    id.set(this.#id);
    this.#slot = slot;
    this.#id = id;
  }
}
