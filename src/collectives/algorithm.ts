/** One collective, as its algorithm sees it: positions in the group, not ranks. */
export interface CollectiveShape {
  /** N, members of the group. */
  readonly groupSize: number;
  /** S, `comm_size`, bytes. */
  readonly bytes: number;
  /** Position of the root; 0 for collectives without one. */
  readonly root: number;
  /** Uneven all-to-all: bytes that position `from` sends to position `to`; absent when all are C. */
  readonly sendBytes?: (from: number, to: number) => number;
}

/**
 * What one position does in a collective: its sends and receives in step order, a send before the receive of the same
 * step (design 2.3). Columns that are refilled for every position; clear it before use.
 */
export class Share {
  length = 0;
  send = new Uint8Array(64); // [length] 1 for a send, 0 for a receive
  peer = new Int32Array(64); // [length] position at the other end
  bytes = new Float64Array(64); // [length] bytes of the transfer
  index = new Int32Array(64); // [length] step or edge number, equal at both ends and unique per (sender, receiver): R-082
  dependencyStart = new Int32Array(65); // [length + 1] first entry in dependency; none = the collective's entry
  dependency = new Int32Array(64); // places in this share that must have finished first
  dependencies = 0;

  clear(): void {
    this.length = 0;
    this.dependencies = 0;
    this.dependencyStart[0] = 0;
  }

  /** Adds a send or receive without dependencies and gives its place. */
  add(send: 0 | 1, peer: number, bytes: number, index: number): number {
    const place = this.length;
    if (place >= this.send.length) this.#grow();
    this.send[place] = send;
    this.peer[place] = peer;
    this.bytes[place] = bytes;
    this.index[place] = index;
    this.length = place + 1;
    this.dependencyStart[place + 1] = this.dependencies;
    return place;
  }

  /** Makes the entry added last wait for `place`. */
  after(place: number): void {
    if (this.dependencies >= this.dependency.length) this.dependency = grown(this.dependency);
    this.dependency[this.dependencies++] = place;
    this.dependencyStart[this.length] = this.dependencies;
  }

  #grow(): void {
    this.send = grown(this.send);
    this.peer = grown(this.peer);
    this.bytes = grown(this.bytes);
    this.index = grown(this.index);
    const start = new Int32Array(this.send.length + 1);
    start.set(this.dependencyStart);
    this.dependencyStart = start;
  }
}

/** C: what each position holds of a collective that divides its bytes, rounded up to a whole byte. */
export function chunkBytes(shape: CollectiveShape): number {
  return Math.ceil(shape.bytes / shape.groupSize);
}

/**
 * A stepped exchange in which every position sends once and receives once in each step, and a step's send and receive
 * wait for the receive of the step before (R-100, R-103, R-106…R-109).
 */
export interface Lockstep {
  steps(groupSize: number): number;
  /** Position that `position` sends to in `step`. */
  destination(position: number, step: number, groupSize: number): number;
  /** Position that `position` receives from in `step`. */
  source(position: number, step: number, groupSize: number): number;
  /** Bytes of every transfer of `step`. */
  stepBytes(step: number, shape: CollectiveShape): number;
}

/**
 * How a collective becomes transfers. `share` is the definition; the family tells a lazy replay which cheap way of
 * evaluating it is exact, and a law holds the two together.
 */
export interface Algorithm {
  /** Name on the command line: `ring`. */
  readonly name: string;
  /** Whether the group size must be a power of two. */
  readonly powerOfTwo: boolean;
  /** The only group size it is for; absent where it is for any. */
  readonly groupSize?: number;
  /** The only position of a root it is for; absent where it is for any. */
  readonly root?: number;
  /** Bytes of the larger user buffer that it was made for, where that is stated. */
  readonly madeFor?: { readonly least: number; readonly most: number };
  /** Whether it moves equal parts of an all-to-all whatever its split lists say. */
  readonly evenOnly?: boolean;
  /**
   * `lockstep`: see {@link Lockstep}. `open-loop`: sends wait only for the entry or for the finish of the send before,
   * receives only for the entry. `chained`: anything else, with few entries a position.
   */
  readonly family: 'lockstep' | 'open-loop' | 'chained';
  readonly lockstep?: Lockstep;
  /** Bytes over the chunks that a member's S is cut into, where that is not S. */
  readonly bytesInChunks?: number;
  /** Plain data that the algorithm can be made from again on another thread; one of the catalogue needs its name alone. */
  readonly script?: object;
  /** One more than the largest `index` a transfer can have, over all positions: what the tags of one instance need. */
  indexCount(groupSize: number): number;
  /** Fills `out` (cleared first) with the share of `position`; nothing for a group of one. */
  share(position: number, shape: CollectiveShape, out: Share): void;
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(column.length * 2);
  larger.set(column);
  return larger;
}
