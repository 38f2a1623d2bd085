const NONE = -1;

/** Cells of a chunk: three edges and the link to the chunk before. */
const CHUNK = 4;
const LINK = 3;
/** Bits of a place that tell the cell in its chunk. */
const WITHIN = 3;

/**
 * Lists of children in one pool. A list is the place of its newest edge, −1 for none; from there the edges of a chunk lie
 * downwards. A list lies scattered over the pool, and a chunk is read with one cache miss.
 */
export class ChildEdges {
  /**
   * [4 · capacity] of each edge 2 · slot of the child, + 1 where only a control dependency makes the edge. In every
   * fourth cell the newest edge of the chunk before, −1 when there is none.
   */
  cells = new Int32Array(1024 * CHUNK);
  #top = 0; // cells used so far
  #firstEmpty = NONE;

  /** Adds an edge to the list whose newest edge is `first`, and gives the place of the new one. */
  add(first: number, child: number, control: boolean): number {
    let place = first + 1;
    // Of no list and of a full chunk the next place is a link or the start of the pool.
    if (first < 0 || (place & WITHIN) === LINK) place = this.#open(first);
    this.cells[place] = 2 * child + (control ? 1 : 0);
    return place;
  }

  /** Place of the edge after this one, −1 at the end of the list. */
  after(place: number): number {
    return (place & WITHIN) === 0 ? this.cells[place + LINK] : place - 1;
  }

  /** Gives back a list by the places of its first and its last edge. */
  release(first: number, last: number): void {
    this.cells[last + LINK] = this.#firstEmpty;
    this.#firstEmpty = first;
  }

  /** Visits a list: slot of each child, and whether only a control dependency makes the edge. */
  forEach(first: number, visit: (child: number, control: boolean) => void): void {
    for (let place = first; place >= 0; place = this.after(place)) {
      visit(this.cells[place] >> 1, (this.cells[place] & 1) !== 0);
    }
  }

  /** First place of an empty chunk that continues with the list `before`. */
  #open(before: number): number {
    let place = this.#firstEmpty;
    if (place >= 0) {
      place &= ~WITHIN;
      this.#firstEmpty = this.cells[place + LINK];
    } else {
      if (this.#top === this.cells.length) this.#grow();
      place = this.#top;
      this.#top += CHUNK;
    }
    this.cells[place + LINK] = before;
    return place;
  }

  #grow(): void {
    const larger = new Int32Array(CHUNK * Math.ceil((this.#top / CHUNK) * 1.5));
    larger.set(this.cells);
    this.cells = larger;
  }
}
