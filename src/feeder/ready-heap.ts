import type { SlotTable } from './slot-table.js';

/** The slots of the nodes that can be issued, lowest id first: a binary heap on the two halves of the id. */
export class ReadyHeap {
  length = 0;
  readonly #slots: SlotTable;
  #heap = new Int32Array(256); // [length] slots

  constructor(slots: SlotTable) {
    this.#slots = slots;
  }

  push(slot: number): void {
    if (this.length === this.#heap.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.#heap);
      this.#heap = larger;
    }
    const heap = this.#heap;
    const { idLow, idHigh } = this.#slots;
    const low = idLow[slot];
    const high = idHigh[slot];
    let place = this.length++;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = heap[above];
      if (idHigh[other] < high || (idHigh[other] === high && idLow[other] <= low)) break;
      heap[place] = other;
      place = above;
    }
    heap[place] = slot;
  }

  /** Takes the slot with the lowest id out; there must be one. */
  pop(): number {
    const heap = this.#heap;
    const { idLow, idHigh } = this.#slots;
    const first = heap[0];
    const length = --this.length;
    const slot = heap[length];
    const low = idLow[slot];
    const high = idHigh[slot];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      let other = heap[child];
      if (child + 1 < length) {
        const right = heap[child + 1];
        if (idHigh[right] < idHigh[other] || (idHigh[right] === idHigh[other] && idLow[right] < idLow[other])) {
          child++;
          other = right;
        }
      }
      if (high < idHigh[other] || (high === idHigh[other] && low <= idLow[other])) break;
      heap[place] = other;
      place = child;
    }
    heap[place] = slot;
    return first;
  }
}
