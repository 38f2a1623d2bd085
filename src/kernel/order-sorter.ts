import type { BucketReader } from './bucket-reader.js';

/** Stable merge sort by order. It starts from the ascending stretches it finds: an instant comes nearly sorted as a rule. */
export class OrderSorter {
  #left = new Int32Array(0); // places of the left one of two stretches
  readonly #starts: number[] = [];

  /**
   * @param places [length] places in the pool; they are sorted
   */
  sort(reader: BucketReader, places: Int32Array, length: number): void {
    if (this.#left.length < length) this.#left = new Int32Array(places.length);
    const starts = this.#starts;
    starts.length = 0;
    for (let at = 0; at < length; at++) {
      if (at === 0 || reader.order(places[at]) < reader.order(places[at - 1])) starts.push(at);
    }
    while (starts.length > 1) {
      let kept = 0;
      for (let pair = 0; pair < starts.length; pair += 2) {
        const middle = pair + 1 < starts.length ? starts[pair + 1] : length;
        const end = pair + 2 < starts.length ? starts[pair + 2] : length;
        if (middle < end) this.#merge(reader, places, starts[pair], middle, end);
        starts[kept++] = starts[pair];
      }
      starts.length = kept;
    }
  }

  #merge(reader: BucketReader, places: Int32Array, start: number, middle: number, end: number): void {
    const leftPlaces = this.#left;
    const leftLength = middle - start;
    for (let at = 0; at < leftLength; at++) leftPlaces[at] = places[start + at];
    let left = 0;
    let right = middle;
    for (let out = start; left < leftLength; out++) {
      const place = leftPlaces[left];
      if (right < end && reader.order(places[right]) < reader.order(place)) {
        places[out] = places[right++];
      } else {
        places[out] = place;
        left++;
      }
    }
  }
}
