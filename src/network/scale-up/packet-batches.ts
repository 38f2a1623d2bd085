import { grown } from '../../base/grown.js';

const NONE = -1;

/**
 * Packets of one size that one rank began to send, or to receive, at one instant: they end together, so they share one
 * event instead of having one each; sent packets cross together too. A batch is the list of their lanes, one packet a lane.
 */
export class PacketBatches {
  bytes = new Float64Array(0); // [batches] size of each packet, header included
  first = new Int32Array(0); // [batches] first and
  last = new Int32Array(0); // [batches] last entry of the list
  #freeBatch = NONE;

  lane = new Int32Array(0); // [entries]
  next = new Int32Array(0); // [entries] next of the list, −1 at its end
  #freeEntry = NONE;

  /** A batch of one packet. */
  add(bytes: number, lane: number): number {
    if (this.#freeBatch === NONE) this.#growBatches();
    const batch = this.#freeBatch;
    this.#freeBatch = this.first[batch];
    const entry = this.#entry(lane);
    this.bytes[batch] = bytes;
    this.first[batch] = entry;
    this.last[batch] = entry;
    return batch;
  }

  join(batch: number, lane: number): void {
    const entry = this.#entry(lane);
    this.next[this.last[batch]] = entry;
    this.last[batch] = entry;
  }

  remove(batch: number): void {
    this.next[this.last[batch]] = this.#freeEntry;
    this.#freeEntry = this.first[batch];
    this.first[batch] = this.#freeBatch;
    this.#freeBatch = batch;
  }

  #entry(lane: number): number {
    if (this.#freeEntry === NONE) this.#growEntries();
    const entry = this.#freeEntry;
    this.#freeEntry = this.next[entry];
    this.lane[entry] = lane;
    this.next[entry] = NONE;
    return entry;
  }

  #growBatches(): void {
    const length = this.bytes.length;
    const larger = Math.max(64, 2 * length);
    this.bytes = grown(this.bytes, larger);
    this.first = grown(this.first, larger);
    this.last = grown(this.last, larger);
    for (let batch = length; batch < larger; batch++) this.first[batch] = batch + 1 < larger ? batch + 1 : NONE;
    this.#freeBatch = length;
  }

  #growEntries(): void {
    const length = this.lane.length;
    const larger = Math.max(256, 2 * length);
    this.lane = grown(this.lane, larger);
    this.next = grown(this.next, larger);
    for (let entry = length; entry < larger; entry++) this.next[entry] = entry + 1 < larger ? entry + 1 : NONE;
    this.#freeEntry = length;
  }
}
