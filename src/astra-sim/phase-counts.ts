import { QUEUE_TURNS, type CollectivePlan, type Phase } from './collective-plan.js';
import { Pattern } from './phase-shape.js';

/**
 * What the phases of a collective count on each member when its chunks are created, one after another: chunks that a dimension's queues are
 * given in turn (astra-sim-semantics section 6), and trees that are built on it (8.4). Counters are numbered by dimension and turn,
 * then by dimension.
 */
export class PhaseCounts {
  /** [counters] what the whole collective adds. */
  readonly total: Int32Array;
  readonly #dimensions: number;
  readonly #places: number;
  /** Whether chunks take their phases in different orders; else all add the same. */
  readonly #differ: boolean;
  /** [chunks, or 1 × places] what is counted before the phase of the chunk. */
  readonly #given: Int32Array;
  readonly #trees: Int32Array;
  /** [counters] what a chunk adds. */
  readonly #each: Int32Array;

  constructor({ orders, orderOf, chunks }: CollectivePlan, dimensions: number) {
    const counters = dimensions * (QUEUE_TURNS.length + 1);
    const rows = orderOf === undefined ? 1 : chunks;
    this.#dimensions = dimensions;
    this.#places = orders[0].length;
    this.#differ = orderOf !== undefined;
    this.#given = new Int32Array(rows * this.#places);
    this.#trees = new Int32Array(rows * this.#places);
    const counted = new Int32Array(counters);
    for (let chunk = 0; chunk < rows; chunk++) {
      for (const [place, phase] of orders[orderOf?.[chunk] ?? 0].entries()) {
        const at = chunk * this.#places + place;
        this.#given[at] = counted[this.givenTo(phase.dimension, QUEUE_TURNS.indexOf(phase.turn))]++;
        this.#trees[at] = counted[this.treesOn(phase.dimension)];
        if (isTree(phase)) counted[this.treesOn(phase.dimension)]++;
      }
    }
    this.#each = counted;
    this.total = this.#differ ? counted : counted.map((count) => count * chunks);
  }

  givenTo(dimension: number, turn: number): number {
    return dimension * QUEUE_TURNS.length + turn;
  }

  treesOn(dimension: number): number {
    return this.#dimensions * QUEUE_TURNS.length + dimension;
  }

  /** Chunks that the collective has given to the queues before. */
  given(chunk: number, place: number, counter: number): number {
    return this.#before(this.#given, chunk, place, counter);
  }

  /** Trees that the collective has built before. */
  trees(chunk: number, place: number, counter: number): number {
    return this.#before(this.#trees, chunk, place, counter);
  }

  #before(counts: Int32Array, chunk: number, place: number, counter: number): number {
    if (this.#differ) return counts[chunk * this.#places + place];
    return counts[place] + chunk * this.#each[counter];
  }
}

export function isTree({ shape }: Phase): boolean {
  return shape.pattern === Pattern.doubleBinaryTree;
}
