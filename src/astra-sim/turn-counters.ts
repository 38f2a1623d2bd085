import type { CollectivePlan, Phase } from './collective-plan.js';
import { Pattern } from './phase-shape.js';

/** Where a rank stands when a collective begins: what its chunks get. */
export interface Turns {
  /** [phases] chunks that were given a queue in the same turn of the same dimension before. */
  readonly given: readonly number[];
  /** [phases] trees that were built on the dimension for collectives of the type before. */
  readonly trees: readonly number[];
}

/** The turns of the first collective of all. */
export function firstTurns({ orders: [phases] }: CollectivePlan): Turns {
  return { given: phases.map(() => 0), trees: phases.map(() => 0) };
}

/** Whether it matters when a collective begins: with one queue a dimension and without trees all turns are alike. */
export function takesTurns({ orders: [phases] }: CollectivePlan, queues: number): boolean {
  return queues > 1 || phases.some(isTree);
}

/** The trees of a chunk on the dimension of a phase, and which of them that of the phase is. */
export function placeAmongTrees(order: readonly Phase[], place: number): { trees: number; tree: number } {
  const { dimension } = order[place];
  const isOne = (phase: Phase): boolean => phase.dimension === dimension && isTree(phase);
  return { trees: order.filter(isOne).length, tree: order.slice(0, place).filter(isOne).length };
}

/** Queue turns and collective types, as places in columns. */
const TURNS = ['any', 'first', 'last'] as const;
const TYPES = 10;

/**
 * The counters of each rank that choose queues and trees: they run on from collective to collective, over all groups
 * (astra-sim-semantics sections 6 and 8.4).
 */
export class TurnCounters {
  readonly #dimensions: number;
  readonly #given: Int32Array; // [ranks × dimensions × turns] chunks that have been given a queue
  readonly #trees: Int32Array; // [ranks × collective types × dimensions] trees built

  constructor(rankCount: number, dimensions: number) {
    this.#dimensions = dimensions;
    this.#given = new Int32Array(rankCount * dimensions * TURNS.length);
    this.#trees = new Int32Array(rankCount * TYPES * dimensions);
  }

  /** The turns of a collective that a rank begins. */
  turns(rank: number, { orders: [phases], type }: CollectivePlan): Turns {
    return {
      given: phases.map((phase) => this.#given[this.#queuePlace(rank, phase)]),
      trees: phases.map((phase) => (isTree(phase) ? this.#trees[this.#treePlace(rank, type, phase)] : 0)),
    };
  }

  /** A rank goes beyond a collective that had these turns. */
  pass(rank: number, { orders: [phases], type, chunks }: CollectivePlan, { given, trees }: Turns): void {
    for (const [place, phase] of phases.entries()) {
      this.#given[this.#queuePlace(rank, phase)] = given[place] + chunks;
      if (!isTree(phase)) continue;
      this.#trees[this.#treePlace(rank, type, phase)] = trees[place] + chunks * placeAmongTrees(phases, place).trees;
    }
  }

  #queuePlace(rank: number, { dimension, turn }: Phase): number {
    return (rank * this.#dimensions + dimension) * TURNS.length + TURNS.indexOf(turn);
  }

  #treePlace(rank: number, type: number, { dimension }: Phase): number {
    return (rank * TYPES + type) * this.#dimensions + dimension;
  }
}

function isTree({ shape }: Phase): boolean {
  return shape.pattern === Pattern.doubleBinaryTree;
}
