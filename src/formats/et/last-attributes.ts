/** Attributes remembered of one node. */
const LONGEST = 16;

/**
 * The attributes of the last node of one kind, for the next one: the sends of a collective begin with the same bytes,
 * and so do its receives. An attribute that was told to have an effect beyond its number is no part of it, nor is one
 * behind it, so that taking a remembered attribute again gives exactly what reading it would give.
 */
export class LastAttributes {
  /** [key] numbers of the attributes: those of the remembered ones stay as they were read. */
  readonly values = new Float64Array(32);
  /** What {@link begin} took: bits of the keys that occurred, and of those with a number. */
  seen = 0;
  have = 0;

  #bytes: Uint8Array | undefined;
  #start = 0;
  #count = 0;
  readonly #end = new Int32Array(LONGEST); // bytes from the start of the first attribute
  readonly #seen = new Int32Array(LONGEST); // bits with the attributes so far
  readonly #have = new Int32Array(LONGEST);

  /**
   * Begins with the attributes that start at `start` of a message that ends at `end`, and gives the position behind
   * those that are the same as last time. `bytes` must not change as long as it is the same array; `view` is over it.
   */
  begin(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    let count = this.#bytes === bytes ? this.#count : 0;
    if (count > 0) {
      const ends = this.#end;
      const same = commonLength(view, this.#start, start, Math.min(ends[count - 1], end - start));
      while (count > 0 && ends[count - 1] > same) count--;
    }
    this.#bytes = bytes;
    this.#start = start;
    this.#count = count;
    if (count === 0) {
      this.seen = 0;
      this.have = 0;
      return start;
    }
    this.seen = this.#seen[count - 1];
    this.have = this.#have[count - 1];
    return start + this.#end[count - 1];
  }

  /** Remembers one more attribute, which ends at `end`, and what was found in all. */
  add(end: number, seen: number, have: number): void {
    const count = this.#count;
    if (count === LONGEST) return;
    this.#end[count] = end - this.#start;
    this.#seen[count] = seen;
    this.#have[count] = have;
    this.#count = count + 1;
  }
}

/** How many bytes behind two places are the same, at most `most`; whole words only, except at the end. */
function commonLength(view: DataView, one: number, other: number, most: number): number {
  let at = 0;
  for (; at <= most - 4; at += 4) if (view.getInt32(one + at, true) !== view.getInt32(other + at, true)) return at;
  for (; at < most; at++) if (view.getUint8(one + at) !== view.getUint8(other + at)) return at;
  return at;
}
