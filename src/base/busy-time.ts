/**
 * The length of a union of intervals, kept up as they are added in order of their starts: for how long at least one of them
 * was running.
 */
export class BusyTime {
  /** In the unit of what is added. */
  length = 0;
  #until = -Infinity;

  /** @param start at or after the starts added before */
  add(start: number, end: number): void {
    if (end <= this.#until) return;
    this.length += end - Math.max(start, this.#until);
    this.#until = end;
  }
}

/** The places of `starts` by ascending start; equal starts keep their order. */
export function placesByStart(starts: ArrayLike<number>): Uint32Array {
  const places = Uint32Array.from(starts, (_, place) => place);
  for (let place = 1; place < places.length; place++) {
    if (starts[place] < starts[place - 1]) return places.sort((a, b) => starts[a] - starts[b] || a - b);
  }
  return places;
}
