const NONE = -1;

/** Lists of children in one pool: an edge is a number, a list is its first edge. */
export class ChildEdges {
  /**
   * [2 · capacity] of each edge 2 · slot of the child, + 1 where only a control dependency makes the edge; then the next
   * edge of the list, −1 at its end. Side by side, because a list lies scattered over the pool.
   */
  cells = new Int32Array(2048);
  #top = 0;
  #firstEmpty = NONE;

  /** Puts an edge in front of the list that begins with `first`, and gives the new first edge. */
  add(first: number, child: number, control: boolean): number {
    let edge = this.#firstEmpty;
    if (edge >= 0) this.#firstEmpty = this.cells[2 * edge + 1];
    else {
      if (2 * this.#top === this.cells.length) this.#grow();
      edge = this.#top++;
    }
    this.cells[2 * edge] = 2 * child + (control ? 1 : 0);
    this.cells[2 * edge + 1] = first;
    return edge;
  }

  /** Gives back a list by its first and its last edge. */
  release(first: number, last: number): void {
    this.cells[2 * last + 1] = this.#firstEmpty;
    this.#firstEmpty = first;
  }

  /** Visits a list: slot of each child, and whether only a control dependency makes the edge. */
  forEach(first: number, visit: (child: number, control: boolean) => void): void {
    for (let edge = first; edge >= 0; edge = this.cells[2 * edge + 1]) {
      visit(this.cells[2 * edge] >> 1, (this.cells[2 * edge] & 1) !== 0);
    }
  }

  #grow(): void {
    const larger = new Int32Array(2 * Math.ceil(this.#top * 1.5));
    larger.set(this.cells);
    this.cells = larger;
  }
}
