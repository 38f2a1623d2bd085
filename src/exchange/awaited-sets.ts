import { grown } from '../base/grown.js';

/** Sets of that many members or fewer are searched for members that others imply. */
const MOST_REDUCED = 64;
/** Members of all sets together, a node and in all, from which on a set keeps {@link MOST_REDUCED} only. */
const MEMBERS_PER_NODE = 16;
const MEMBERS_FREE = 1 << 22;

/**
 * A set of nodes for each node, built one after the other from the sets of earlier ones. A node that only repeats the set of another
 * shares it: what waits for one that waits for many costs nothing.
 */
export class AwaitedSets {
  readonly from: Uint32Array; // [n] place of the first member
  readonly to: Uint32Array; // [n] behind the last
  members = new Uint32Array(1024);
  #length = 0;
  readonly #seen: Uint32Array; // [n] number of the set a node was added to last
  readonly #most: number;
  #set = 0;
  #start = 0;

  constructor(nodes: number) {
    this.#most = MEMBERS_FREE + MEMBERS_PER_NODE * nodes;
    this.from = new Uint32Array(nodes);
    this.to = new Uint32Array(nodes);
    this.#seen = new Uint32Array(nodes);
  }

  size(node: number): number {
    return this.to[node] - this.from[node];
  }

  /** Gives `node` the set of another one. */
  share(node: number, other: number): void {
    this.from[node] = this.from[other];
    this.to[node] = this.to[other];
  }

  /** Begins a set. */
  begin(): void {
    this.#set++;
    this.#start = this.#length;
  }

  /** Adds a node to the set that was begun. */
  add(member: number): void {
    if (this.#seen[member] === this.#set) return;
    this.#seen[member] = this.#set;
    if (this.#length === this.members.length) this.members = grown(this.members, 2 * this.#length);
    this.members[this.#length++] = member;
  }

  /** Adds the whole set of a node. */
  addSet(node: number): void {
    for (let at = this.from[node]; at < this.to[node]; at++) this.add(this.members[at]);
  }

  /** Gives the set that was begun to `node`. */
  end(node: number): void {
    this.from[node] = this.#start;
    this.to[node] = this.#length;
  }

  /**
   * The same, without members that are in the set of another member. Where all sets together have become large, a large set
   * keeps its latest members.
   * @param position place of each node in time @returns members that were cut off
   */
  endReduced(node: number, position: Uint32Array): number {
    const size = this.#length - this.#start;
    let cut = 0;
    if (size > MOST_REDUCED && this.#length > this.#most) {
      const latest = this.members
        .slice(this.#start, this.#length)
        .sort((one, other) => position[other] - position[one]);
      cut = size - MOST_REDUCED;
      this.#length = this.#start + MOST_REDUCED;
      this.members.set(latest.subarray(0, MOST_REDUCED), this.#start);
    }
    if (this.#length - this.#start > 1 && this.#length - this.#start <= MOST_REDUCED) this.#reduce();
    this.end(node);
    return cut;
  }

  /** The member of a set that is latest, −1 for an empty set. */
  latest(node: number, position: Uint32Array): number {
    let latest = -1;
    for (let at = this.from[node]; at < this.to[node]; at++) {
      const member = this.members[at];
      if (latest < 0 || position[member] > position[latest]) latest = member;
    }
    return latest;
  }

  #reduce(): void {
    const { members, from, to } = this;
    const seen = this.#seen;
    const gone = ++this.#set;
    for (let at = this.#start; at < this.#length; at++) {
      const member = members[at];
      for (let inner = from[member]; inner < to[member]; inner++) seen[members[inner]] = gone;
    }
    let kept = this.#start;
    for (let at = this.#start; at < this.#length; at++) if (seen[members[at]] !== gone) members[kept++] = members[at];
    this.#length = kept;
  }
}
