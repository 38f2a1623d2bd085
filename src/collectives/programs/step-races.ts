import type { ProgramSteps } from './program-steps.js';

/** Two steps of one rank, of which one writes where the other reads or writes, and neither waits for the other. */
export interface Race {
  readonly first: number;
  readonly second: number;
  readonly location: number;
  /** What the first, and what the second does there. */
  readonly firstWrites: boolean;
  readonly secondWrites: boolean;
}

/**
 * Finds steps that are not ordered and touch one place. Steps are told in an order in which each comes after all it waits for; what
 * was told last of each thread block stands for all before it, as a thread block is in order.
 */
export class StepRaces {
  readonly found: Race[] = [];
  readonly #steps: ProgramSteps;
  /** [steps] by own thread block of the rank: one more than the last step of it that it waits for. */
  readonly #waitsFor: readonly Int32Array[];
  readonly #place: Int32Array; // [steps] place in the order
  // By rank, location and own thread block: the step that wrote, and read, last; −1 for none.
  readonly #wrote: Int32Array[];
  readonly #read: Int32Array[];
  readonly #visited: Int32Array; // [steps] number of the search that came by last
  #search = 0;

  /** @param locations of each rank @param order of all steps */
  constructor(steps: ProgramSteps, locations: readonly number[], order: Int32Array) {
    this.#steps = steps;
    this.#visited = new Int32Array(steps.count);
    this.#place = new Int32Array(steps.count);
    for (let place = 0; place < order.length; place++) this.#place[order[place]] = place;
    const blocksOf = (rank: number): number => steps.rankStart[rank + 1] - steps.rankStart[rank];
    // One thread block is in order by itself.
    const size = (rank: number): number => (blocksOf(rank) < 2 ? 0 : locations[rank] * blocksOf(rank));
    this.#wrote = locations.map((_, rank) => new Int32Array(size(rank)).fill(-1));
    this.#read = locations.map((_, rank) => new Int32Array(size(rank)).fill(-1));
    const waitsFor = new Array<Int32Array>(steps.count);
    for (const at of order) {
      const rank = steps.rank[at];
      const known = new Int32Array(blocksOf(rank) < 2 ? 0 : blocksOf(rank));
      for (const before of [steps.before(at), steps.after[at]]) {
        if (before < 0) continue;
        const passed = waitsFor[before];
        for (let own = 0; own < known.length; own++) if (passed[own] > known[own]) known[own] = passed[own];
        if (known.length > 0) {
          const own = steps.block[before] - steps.rankStart[rank];
          known[own] = Math.max(known[own], before + 1);
        }
      }
      waitsFor[at] = known;
    }
    this.#waitsFor = waitsFor;
  }

  reads(at: number, location: number): void {
    this.#touch(at, location, false);
  }

  writes(at: number, location: number): void {
    this.#touch(at, location, true);
  }

  #touch(at: number, location: number, writes: boolean): void {
    const { rank, block, rankStart } = this.#steps;
    const own = block[at] - rankStart[rank[at]];
    const blocks = rankStart[rank[at] + 1] - rankStart[rank[at]];
    if (blocks < 2) return;
    const wrote = this.#wrote[rank[at]];
    const read = this.#read[rank[at]];
    for (let other = 0; other < blocks; other++) {
      if (other === own) continue;
      const writer = wrote[location * blocks + other];
      if (writer >= 0 && !this.#isOrdered(writer, other, at)) {
        this.found.push({ first: writer, second: at, location, firstWrites: true, secondWrites: writes });
      }
      const reader = read[location * blocks + other];
      if (writes && reader >= 0 && reader !== writer && !this.#isOrdered(reader, other, at)) {
        this.found.push({ first: reader, second: at, location, firstWrites: false, secondWrites: true });
      }
    }
    (writes ? wrote : read)[location * blocks + own] = at;
  }

  /** Whether `at` waits for `before`, of the own thread block `other`: within the rank, or through messages of other ranks. */
  #isOrdered(before: number, other: number, at: number): boolean {
    return this.#waitsFor[at][other] > before || this.#isReached(before, at);
  }

  #isReached(before: number, at: number): boolean {
    const steps = this.#steps;
    const earliest = this.#place[before];
    const search = ++this.#search;
    const stack = [at];
    while (stack.length > 0) {
      const from = stack.pop()!;
      for (const earlier of [steps.before(from), steps.after[from], steps.sentBy[from]]) {
        if (earlier === before) return true;
        if (earlier < 0 || this.#place[earlier] < earliest || this.#visited[earlier] === search) continue;
        this.#visited[earlier] = search;
        stack.push(earlier);
      }
    }
    return false;
  }
}
