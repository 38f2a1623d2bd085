/**
 * Nodes that are ready at the running instant, taken smallest first. Those that were added before taking began are
 * sorted once; those that taken nodes make ready wait in a heap beside them.
 */
export class ReadyNodes {
  #list = new Int32Array(64); // [#length]
  #length = 0;
  #next = 0;
  #sorted = true;
  #taking = false;
  #heap = new Int32Array(64); // [#heapLength]
  #heapLength = 0;

  add(node: number): void {
    if (this.#taking) {
      this.#push(node);
      return;
    }
    if (this.#length === this.#list.length) this.#list = doubled(this.#list);
    if (this.#length > 0 && this.#list[this.#length - 1] > node) this.#sorted = false;
    this.#list[this.#length++] = node;
  }

  /** The smallest node, −1 when there is none left. */
  take(): number {
    if (!this.#taking) {
      this.#taking = true;
      this.#next = 0;
      if (!this.#sorted) this.#list.subarray(0, this.#length).sort();
    }
    if (this.#next < this.#length) {
      const node = this.#list[this.#next];
      if (this.#heapLength === 0 || node < this.#heap[0]) {
        this.#next++;
        return node;
      }
    }
    if (this.#heapLength > 0) return this.#pop();
    this.#taking = false;
    this.#length = 0;
    this.#sorted = true;
    return -1;
  }

  #push(node: number): void {
    if (this.#heapLength === this.#heap.length) this.#heap = doubled(this.#heap);
    const heap = this.#heap;
    let place = this.#heapLength++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (heap[parent] <= node) break;
      heap[place] = heap[parent];
      place = parent;
    }
    heap[place] = node;
  }

  #pop(): number {
    const heap = this.#heap;
    const first = heap[0];
    const last = --this.#heapLength;
    const node = heap[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= last) break;
      if (child + 1 < last && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= node) break;
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = node;
    return first;
  }
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * column.length);
  larger.set(column);
  return larger;
}
