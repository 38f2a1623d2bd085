import { grown } from '../base/grown.js';
import type { CollectiveRow } from './collective-rows.js';

/** What a flight begins with. */
export interface FlightFacts {
  readonly plan: number;
  readonly node: number;
  readonly row: CollectiveRow;
  readonly firstTag: number;
  readonly priority: number;
  readonly chunks: number;
  readonly firstRecord: number;
}

/** The collectives in flight, a few for each rank: columns over slots of a free list. */
export class Flights {
  /** [ranks] flight begun last, −1 for none. */
  readonly first: Int32Array;
  next = new Int32Array(0); // [flights] one that the rank began before, or a free slot; −1 at the end
  #before = new Int32Array(0); // [flights] the one that the rank began after it, −1 for none
  plan = new Int32Array(0); // [flights]
  node = new Int32Array(0); // [flights]
  firstRecord = new Int32Array(0); // [flights] record of the first chunk
  firstTag = new Int32Array(0); // [flights] tag of the first chunk
  chunks = new Int32Array(0); // [flights]
  left = new Int32Array(0); // [flights] chunks that are not through
  /** Chunks of a higher one go before those that wait. */
  priority = new Int32Array(0); // [flights]
  messages = new Float64Array(0); // [flights] sent
  bytes = new Float64Array(0); // [flights] sent
  readonly row: CollectiveRow[] = []; // [flights]
  #free = -1;
  /** By {@link tagKey}: flights of the chunks, where a rank may have many. */
  readonly #byTag: Map<number, number> | undefined;

  /** @param many whether a rank may have many collectives in flight */
  constructor(rankCount: number, many: boolean) {
    this.first = new Int32Array(rankCount).fill(-1);
    this.#byTag = many ? new Map() : undefined;
  }

  /** A rank begins a collective: gives its flight. */
  begin(rank: number, facts: FlightFacts): number {
    if (this.#free < 0) this.#grow();
    const flight = this.#free;
    this.#free = this.next[flight];
    const behind = this.first[rank];
    this.next[flight] = behind;
    this.#before[flight] = -1;
    if (behind >= 0) this.#before[behind] = flight;
    this.first[rank] = flight;
    for (let chunk = 0; this.#byTag !== undefined && chunk < facts.chunks; chunk++) {
      this.#byTag.set(tagKey(rank, facts.firstTag + chunk), flight);
    }
    this.plan[flight] = facts.plan;
    this.node[flight] = facts.node;
    this.firstRecord[flight] = facts.firstRecord;
    this.firstTag[flight] = facts.firstTag;
    this.chunks[flight] = facts.chunks;
    this.left[flight] = facts.chunks;
    this.priority[flight] = facts.priority;
    this.messages[flight] = 0;
    this.bytes[flight] = 0;
    this.row[flight] = facts.row;
    return flight;
  }

  /** The collective of a rank is through; its columns can be read until the next begins. */
  end(rank: number, flight: number): void {
    const before = this.#before[flight];
    const behind = this.next[flight];
    if (before < 0) this.first[rank] = behind;
    else this.next[before] = behind;
    if (behind >= 0) this.#before[behind] = before;
    for (let chunk = 0; this.#byTag !== undefined && chunk < this.chunks[flight]; chunk++) {
      this.#byTag.delete(tagKey(rank, this.firstTag[flight] + chunk));
    }
    this.next[flight] = this.#free;
    this.#free = flight;
  }

  /** Record of the chunk of a rank that has a tag, −1 for none. */
  recordOf(rank: number, tag: number): number {
    if (this.#byTag !== undefined) {
      const flight = this.#byTag.get(tagKey(rank, tag));
      return flight === undefined ? -1 : this.firstRecord[flight] + tag - this.firstTag[flight];
    }
    for (let flight = this.first[rank]; flight >= 0; flight = this.next[flight]) {
      const chunk = tag - this.firstTag[flight];
      if (chunk >= 0 && chunk < this.chunks[flight]) return this.firstRecord[flight] + chunk;
    }
    return -1;
  }

  /** A chunk of the flight sends a message. */
  countSent(flight: number, bytes: number): void {
    this.messages[flight]++;
    this.bytes[flight] += bytes;
  }

  /** Visits all by rank. */
  forEach(visit: (rank: number, flight: number) => void): void {
    for (const [rank, first] of this.first.entries()) {
      for (let flight = first; flight >= 0; flight = this.next[flight]) visit(rank, flight);
    }
  }

  #grow(): void {
    const flights = this.next.length;
    // As a rule all ranks have one.
    const larger = Math.max(2 * flights, this.first.length);
    this.next = grown(this.next, larger);
    this.#before = grown(this.#before, larger);
    this.plan = grown(this.plan, larger);
    this.node = grown(this.node, larger);
    this.firstRecord = grown(this.firstRecord, larger);
    this.firstTag = grown(this.firstTag, larger);
    this.chunks = grown(this.chunks, larger);
    this.left = grown(this.left, larger);
    this.priority = grown(this.priority, larger);
    this.messages = grown(this.messages, larger);
    this.bytes = grown(this.bytes, larger);
    for (let flight = larger - 1; flight >= flights; flight--) {
      this.next[flight] = this.#free;
      this.#free = flight;
    }
  }
}

/** One number for a rank and a tag, which is below 10^9. */
function tagKey(rank: number, tag: number): number {
  return rank * 1e9 + tag;
}
