const FIRST_CAPACITY = 256;

/** Slots in ascending id, first in, first out: a ring. Who pushes keeps the order. */
export class ReadyRun {
  length = 0;
  #slot = new Int32Array(FIRST_CAPACITY); // [2^k]
  #first = 0; // place of the first slot

  /** The slot with the lowest id; there must be one. */
  get first(): number {
    return this.#slot[this.#first];
  }

  /** The slot with the highest id; there must be one. */
  get last(): number {
    return this.#slot[(this.#first + this.length - 1) & (this.#slot.length - 1)];
  }

  push(slot: number): void {
    if (this.length === this.#slot.length) this.#grow();
    this.#slot[(this.#first + this.length++) & (this.#slot.length - 1)] = slot;
  }

  /** Takes the slot with the lowest id out; there must be one. */
  pop(): number {
    const slot = this.#slot[this.#first];
    this.#first = (this.#first + 1) & (this.#slot.length - 1);
    this.length--;
    return slot;
  }

  #grow(): void {
    const larger = new Int32Array(this.#slot.length * 2);
    larger.set(this.#slot.subarray(this.#first));
    larger.set(this.#slot.subarray(0, this.#first), this.#slot.length - this.#first);
    this.#slot = larger;
    this.#first = 0;
  }
}
