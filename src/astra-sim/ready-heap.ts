import { grown } from '../base/grown.js';

/** Nodes, the smallest first. */
export class ReadyHeap {
  length = 0;
  #nodes = new Int32Array(4);

  /** The smallest; only where there is one. */
  get first(): number {
    return this.#nodes[0];
  }

  push(node: number): void {
    if (this.length === this.#nodes.length) this.#nodes = grown(this.#nodes, 2 * this.length);
    const nodes = this.#nodes;
    let place = this.length++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (nodes[parent] < node) break;
      nodes[place] = nodes[parent];
      place = parent;
    }
    nodes[place] = node;
  }

  pop(): number {
    const nodes = this.#nodes;
    const first = nodes[0];
    const length = --this.length;
    const node = nodes[length];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (child + 1 < length && nodes[child + 1] < nodes[child]) child++;
      if (nodes[child] > node) break;
      nodes[place] = nodes[child];
      place = child;
    }
    nodes[place] = node;
    return first;
  }
}
