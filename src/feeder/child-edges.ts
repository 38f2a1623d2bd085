const NONE = -1;

/** Lists of children in one pool: an edge is a number, a list is its first edge. */
export class ChildEdges {
  target = new Int32Array(1024); // [capacity] 2 · slot of the child, + 1 where only a control dependency makes the edge
  next = new Int32Array(1024); // [capacity] next edge of the list, −1 at its end
  #top = 0;
  #firstEmpty = NONE;

  /** Puts an edge in front of the list that begins with `first`, and gives the new first edge. */
  add(first: number, child: number, control: boolean): number {
    let edge = this.#firstEmpty;
    if (edge >= 0) this.#firstEmpty = this.next[edge];
    else {
      if (this.#top === this.target.length) this.#grow();
      edge = this.#top++;
    }
    this.target[edge] = 2 * child + (control ? 1 : 0);
    this.next[edge] = first;
    return edge;
  }

  /** Gives back the list that begins with `first`. */
  release(first: number): void {
    if (first < 0) return;
    let last = first;
    while (this.next[last] >= 0) last = this.next[last];
    this.next[last] = this.#firstEmpty;
    this.#firstEmpty = first;
  }

  #grow(): void {
    const capacity = Math.ceil(this.#top * 1.5);
    const [target, next] = [new Int32Array(capacity), new Int32Array(capacity)];
    target.set(this.target);
    next.set(this.next);
    this.target = target;
    this.next = next;
  }
}
