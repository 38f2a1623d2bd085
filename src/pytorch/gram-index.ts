/** Places at which runs of `length` equal names occur in a sequence of names. */
export class GramIndex {
  readonly #sequence: Int32Array;
  readonly #length: number;
  readonly #mask: number;
  readonly #first: Int32Array; // [buckets + 1]
  readonly #places: Int32Array; // [grams] by bucket, ascending

  constructor(sequence: Int32Array, length: number) {
    const grams = Math.max(0, sequence.length - length + 1);
    let buckets = 1;
    while (buckets < grams) buckets *= 2;
    this.#sequence = sequence;
    this.#length = length;
    this.#mask = buckets - 1;
    this.#first = new Int32Array(buckets + 1);
    this.#places = new Int32Array(grams);
    const bucket = new Int32Array(grams);
    for (let i = 0; i < grams; i++) {
      bucket[i] = this.#bucketOf(sequence, i);
      this.#first[bucket[i] + 1]++;
    }
    for (let b = 0; b < buckets; b++) this.#first[b + 1] += this.#first[b];
    const next = this.#first.slice(0, buckets);
    for (let i = 0; i < grams; i++) this.#places[next[bucket[i]]++] = i;
  }

  /** First place from `from` on at which the run that starts at `at` in another sequence occurs, −1. */
  nextPlace(sequence: Int32Array, at: number, from: number): number {
    const bucket = this.#bucketOf(sequence, at);
    const end = this.#first[bucket + 1];
    let low = this.#first[bucket];
    for (let high = end; low < high;) {
      const middle = (low + high) >> 1;
      if (this.#places[middle] < from) low = middle + 1;
      else high = middle;
    }
    for (; low < end; low++) if (this.#equals(sequence, at, this.#places[low])) return this.#places[low];
    return -1;
  }

  /** How often that run occurs here, counted up to `limit`. */
  occurrences(sequence: Int32Array, at: number, limit: number): number {
    const bucket = this.#bucketOf(sequence, at);
    let count = 0;
    for (let i = this.#first[bucket]; i < this.#first[bucket + 1] && count < limit; i++) {
      if (this.#equals(sequence, at, this.#places[i])) count++;
    }
    return count;
  }

  #bucketOf(sequence: Int32Array, at: number): number {
    let hash = 0x811c9dc5;
    for (let i = at; i < at + this.#length; i++) hash = Math.imul(hash ^ sequence[i], 0x01000193);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x85ebca6b);
    return (hash ^ (hash >>> 13)) & this.#mask;
  }

  #equals(sequence: Int32Array, at: number, place: number): boolean {
    for (let i = 0; i < this.#length; i++) if (sequence[at + i] !== this.#sequence[place + i]) return false;
    return true;
  }
}
