/** Numbers of which the smallest comes out first: a binary heap. */
export class SmallestFirst {
  length = 0;
  readonly #heap: Uint32Array;

  constructor(most: number) {
    this.#heap = new Uint32Array(most + 1);
  }

  push(value: number): void {
    const heap = this.#heap;
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent] <= value) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = value;
  }

  pop(): number {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap[--this.length];
    const { length } = this;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= last) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}
