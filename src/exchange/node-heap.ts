/** Nodes of which the first in some order comes out first: a binary heap. The order is what a subclass says. */
export abstract class NodeHeap {
  length = 0;
  readonly #heap: Uint32Array;

  /** @param most nodes that can be in it at once */
  constructor(most: number) {
    this.#heap = new Uint32Array(most + 1);
  }

  protected abstract isBefore(node: number, other: number): boolean;

  push(node: number): void {
    const heap = this.#heap;
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(node, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = node;
  }

  /** Takes out the first; there is one. */
  pop(): number {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap[--this.length];
    const { length } = this;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && this.isBefore(heap[child + 1], heap[child])) child++;
      if (!this.isBefore(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

/** Nodes of which the one with the smallest number comes out first. */
export class SmallestFirst extends NodeHeap {
  protected isBefore(node: number, other: number): boolean {
    return node < other;
  }
}
