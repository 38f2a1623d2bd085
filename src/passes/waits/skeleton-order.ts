import type { RankSkeleton } from '../rank-skeleton.js';

/** Edges that searches may follow for each edge of the skeleton, and besides. */
const EDGES_EACH = 4;
const EDGES_MORE = 100_000;

/**
 * Which nodes of a skeleton come after which others, by its dependencies. Most are on one line of nodes that each depend
 * on the one before, and known at once; for others a search runs backwards, over all questions together within a multiple
 * of the skeleton's size. An answer that would take longer is not found.
 */
export class SkeletonOrder {
  readonly #skeleton: RankSkeleton;
  /** [m] number of the line a node is on; along a line places ascend. */
  readonly #line: Int32Array;
  readonly #seen: Int32Array; // [m] search that reached it last
  readonly #queue: Int32Array; // [m]
  #search = 0;
  #budget: number;

  constructor(skeleton: RankSkeleton) {
    this.#skeleton = skeleton;
    const { beforeStart, before } = skeleton;
    const length = skeleton.node.length;
    this.#line = new Int32Array(length);
    this.#seen = new Int32Array(length);
    this.#queue = new Int32Array(length);
    this.#budget = EDGES_EACH * before.length + EDGES_MORE;
    const continued = new Uint8Array(length); // whether another node follows it on its line
    let lines = 0;
    for (let place = 0; place < length; place++) {
      let line = -1;
      for (let edge = beforeStart[place]; edge < beforeStart[place + 1] && line < 0; edge++) {
        const earlier = before[edge];
        if (earlier >= place || continued[earlier] === 1) continue; // of a cycle, or taken
        continued[earlier] = 1;
        line = this.#line[earlier];
      }
      this.#line[place] = line < 0 ? lines++ : line;
    }
  }

  /** Whether a node can start only after an earlier one has finished. */
  comesAfter(place: number, earlier: number): boolean {
    if (this.#line[place] === this.#line[earlier]) return true;
    let found = false;
    this.#backwards(place, earlier, (reached) => {
      found ||= reached === earlier || this.#line[reached] === this.#line[earlier];
      return found;
    });
    return found;
  }

  /** Those of `stops` that a node comes after and from which a chain of dependencies leads to it past no other of them. */
  nearest(place: number, stops: ReadonlySet<number>): number[] {
    const found: number[] = [];
    this.#backwards(place, 0, (reached) => {
      if (!stops.has(reached)) return false;
      found.push(reached);
      return true;
    });
    return found;
  }

  /**
   * Visits what a node comes after, each once, down to a place; what a visited node comes after is not looked for where
   * `visit` says so.
   */
  #backwards(place: number, lowest: number, visit: (reached: number) => boolean): void {
    const { beforeStart, before } = this.#skeleton;
    const search = ++this.#search;
    let queued = 1;
    this.#queue[0] = place;
    for (let next = 0; next < queued; next++) {
      const node = this.#queue[next];
      for (let edge = beforeStart[node]; edge < beforeStart[node + 1]; edge++) {
        if (--this.#budget < 0) return;
        const earlier = before[edge];
        if (earlier < lowest || earlier >= node || this.#seen[earlier] === search) continue;
        this.#seen[earlier] = search;
        if (!visit(earlier)) this.#queue[queued++] = earlier;
      }
    }
  }
}
