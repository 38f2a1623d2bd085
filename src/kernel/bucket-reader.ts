/** Reads the events of a bucket, each by its place in the pool. */
export interface BucketReader {
  /** Time of the event at a place, ps. */
  time(place: number): number;
  /** Order of the event at a place. */
  order(place: number): number;
  /** Place of the event that follows in its bucket; the last one has none. */
  after(place: number): number;
}
