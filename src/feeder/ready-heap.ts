/**
 * The slots of the nodes that can be issued, lowest id first: a binary heap on the two halves of the id, which lie beside
 * the slots, because looking them up in the slots would miss the cache at every step.
 */
export class ReadyHeap {
  length = 0;
  #slot = new Int32Array(256); // [length]
  #low = new Uint32Array(256); // [length] lower half of the id
  #high = new Uint32Array(256); // [length] upper half of the id

  push(slot: number, low: number, high: number): void {
    if (this.length === this.#slot.length) this.#grow();
    const slots = this.#slot;
    const lows = this.#low;
    const highs = this.#high;
    let place = this.length++;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (highs[above] < high || (highs[above] === high && lows[above] <= low)) break;
      slots[place] = slots[above];
      lows[place] = lows[above];
      highs[place] = highs[above];
      place = above;
    }
    slots[place] = slot;
    lows[place] = low;
    highs[place] = high;
  }

  /** Takes the slot with the lowest id out; there must be one. */
  pop(): number {
    const slots = this.#slot;
    const lows = this.#low;
    const highs = this.#high;
    const first = slots[0];
    const length = --this.length;
    const low = lows[length];
    const high = highs[length];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      const right = child + 1;
      if (
        right < length &&
        (highs[right] < highs[child] || (highs[right] === highs[child] && lows[right] < lows[child]))
      ) {
        child = right;
      }
      if (high < highs[child] || (high === highs[child] && low <= lows[child])) break;
      slots[place] = slots[child];
      lows[place] = lows[child];
      highs[place] = highs[child];
      place = child;
    }
    slots[place] = slots[length];
    lows[place] = low;
    highs[place] = high;
    return first;
  }

  #grow(): void {
    const capacity = Math.ceil(this.length * 1.5);
    const slot = new Int32Array(capacity);
    const low = new Uint32Array(capacity);
    const high = new Uint32Array(capacity);
    slot.set(this.#slot);
    low.set(this.#low);
    high.set(this.#high);
    this.#slot = slot;
    this.#low = low;
    this.#high = high;
  }
}
