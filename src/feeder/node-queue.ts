import type { FeederNode } from './feeder-node.js';

/** Nodes that were taken and cannot be worked on yet, first in, first out. */
export class NodeQueue {
  readonly #nodes: FeederNode[] = [];
  #first = 0;

  get isEmpty(): boolean {
    return this.#first === this.#nodes.length;
  }

  push(node: FeederNode): void {
    this.#nodes.push(node);
  }

  /** The node pushed first, `undefined` when there is none. */
  front(): FeederNode | undefined {
    return this.#nodes[this.#first];
  }

  /** Takes the node pushed first out and gives it, `undefined` when there is none. */
  pop(): FeederNode | undefined {
    if (this.isEmpty) return undefined;
    const node = this.#nodes[this.#first++];
    if (this.#first * 2 > this.#nodes.length) {
      this.#nodes.splice(0, this.#first);
      this.#first = 0;
    }
    return node;
  }
}
