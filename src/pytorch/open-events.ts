import { grown } from '../base/grown.js';

/**
 * Events of one thread that are open at an instant, in the order in which they started: the last is the innermost. Events
 * are entered in that order (see `startOrder`). Times are ns.
 *
 * An event lies inside another that started no later and ends no earlier. Where clocks are cut to whole units, a nested event
 * may seem to end up to one unit after the event around it; it still counts as inside, as long as they overlap.
 */
export class OpenEvents {
  readonly #roundingNs: number;
  #event = new Int32Array(64); // [depth]
  #endNs = new Float64Array(64); // [depth]
  #latestEndNs = new Float64Array(64); // [depth] latest end from the outermost up to here
  #depth = 0;
  /** Open events that end after the one below them: while there are none, ends fall towards the innermost. */
  #crossings = 0;

  constructor(roundingNs: number) {
    this.#roundingNs = roundingNs;
  }

  clear(): void {
    this.#depth = 0;
    this.#crossings = 0;
  }

  /** Takes innermost events out that ended before this instant. */
  closeBefore(startNs: number): void {
    while (this.#depth > 0 && this.#endNs[this.#depth - 1] < startNs) {
      const top = --this.#depth;
      if (top > 0 && this.#endNs[top] > this.#endNs[top - 1]) this.#crossings--;
    }
  }

  open(event: number, endNs: number): void {
    const depth = this.#depth;
    if (depth === this.#event.length) {
      this.#event = grown(this.#event, 2 * depth);
      this.#endNs = grown(this.#endNs, 2 * depth);
      this.#latestEndNs = grown(this.#latestEndNs, 2 * depth);
    }
    this.#event[depth] = event;
    this.#endNs[depth] = endNs;
    this.#latestEndNs[depth] = depth === 0 ? endNs : Math.max(endNs, this.#latestEndNs[depth - 1]);
    if (depth > 0 && endNs > this.#endNs[depth - 1]) this.#crossings++;
    this.#depth = depth + 1;
  }

  /** Place in this list of the innermost open event around a span, −1 where there is none. */
  around(startNs: number, endNs: number): number {
    for (let place = this.#depth - 1; place >= 0; place--) {
      if (this.encloses(place, startNs, endNs)) return place;
      if (this.#latestEndNs[place] + this.#roundingNs < endNs) return -1;
    }
    return -1;
  }

  /** Place of the innermost open event around an instant, −1. */
  atInstant(ns: number): number {
    for (let place = this.#depth - 1; place >= 0; place--) if (this.#endNs[place] >= ns) return place;
    return -1;
  }

  /** Whether a span that starts no earlier than the event at this place lies inside it. */
  encloses(place: number, startNs: number, endNs: number): boolean {
    const around = this.#endNs[place];
    return endNs <= around || (startNs < around && endNs <= around + this.#roundingNs);
  }

  /** Whether some open event ends after the one around it, so that an event may lie inside one and outside the next. */
  get crossed(): boolean {
    return this.#crossings > 0;
  }

  get depth(): number {
    return this.#depth;
  }

  eventAt(place: number): number {
    return this.#event[place];
  }

  endNsAt(place: number): number {
    return this.#endNs[place];
  }
}
