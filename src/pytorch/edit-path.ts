/** Names that are looked ahead over; half of them are settled at a time, as what comes after may still tell. */
const WINDOW = 2048;
/** Names left out of either sequence, within the window, at most. */
const MOST_EDITS = 256;

/**
 * Finds where two sequences go on together after they parted, by the fewest names left out of either, and tells the places
 * that belong together. In a loop of ops, in which names agree at many places nearby, that keeps the turns of the loop
 * together. The greedy search of E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), over a window:
 * O(window + edits²).
 */
export class EditPath {
  /** Furthest place reached with d edits on diagonal k (place in a minus place in b), at d (d + 1) / 2 + (k + d) / 2. */
  readonly #furthest = new Int32Array(((MOST_EDITS + 1) * (MOST_EDITS + 2)) / 2);
  readonly #matchedI = new Int32Array(WINDOW);
  readonly #matchedJ = new Int32Array(WINDOW);
  #matches = 0;

  /**
   * Looks ahead from `a[i]` and `b[j]`.
   * @returns how many places were matched, see `matchI` and `matchJ`; 0 where the sequences are too different
   */
  find(a: Int32Array, i: number, b: Int32Array, j: number): number {
    const rows = a.length - i;
    const columns = b.length - j;
    const goal = Math.min(WINDOW, rows);
    const furthest = this.#furthest;
    for (let d = 0; d <= MOST_EDITS; d++) {
      const here = (d * (d + 1)) / 2;
      const before = here - d;
      for (let at = 0; at <= d; at++) {
        const k = 2 * at - d;
        let x: number;
        if (d === 0) x = 0;
        else {
          const fromAbove = at < d ? furthest[before + at] : -1; // leaves a name of b out
          const fromLeft = at > 0 ? furthest[before + at - 1] + 1 : -1; // leaves a name of a out
          x = fromLeft > fromAbove ? fromLeft : fromAbove;
        }
        let y = x - k;
        while (x < goal && y >= 0 && y < columns && a[i + x] === b[j + y]) {
          x++;
          y++;
        }
        furthest[here + at] = x;
        if (x >= 0 && y >= 0 && y <= columns && (x >= goal || y === columns)) {
          this.#trace(d, at, x);
          const settled = goal === rows || y === columns ? rows : WINDOW / 2;
          while (this.#matches > 0 && this.#matchedI[this.#matches - 1] >= settled) this.#matches--;
          return this.#matches;
        }
      }
    }
    return 0;
  }

  /** Place of a match after the one that the search started from. */
  matchI(match: number): number {
    return this.#matchedI[match];
  }

  matchJ(match: number): number {
    return this.#matchedJ[match];
  }

  /** Walks back from a place that d edits reach. */
  #trace(d: number, at: number, x: number): void {
    let count = 0;
    for (; d >= 0; d--) {
      const k = 2 * at - d;
      const before = (d * (d - 1)) / 2;
      let start = 0; // where the run of equal names began
      let next = at;
      if (d > 0) {
        const fromAbove = at < d ? this.#furthest[before + at] : -1;
        const fromLeft = at > 0 ? this.#furthest[before + at - 1] + 1 : -1;
        start = Math.max(fromLeft, fromAbove);
        next = fromLeft > fromAbove ? at - 1 : at;
      }
      for (; x > start; x--) {
        this.#matchedI[count] = x - 1;
        this.#matchedJ[count++] = x - 1 - k;
      }
      x = d > 0 && next === at - 1 ? start - 1 : start;
      at = next;
    }
    this.#matchedI.subarray(0, count).reverse();
    this.#matchedJ.subarray(0, count).reverse();
    this.#matches = count;
  }
}
