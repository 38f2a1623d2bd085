import { QUEUE_TURNS, type CollectivePlan } from '../collective-plan.js';
import { Pattern } from '../phase-shape.js';
import { queueInTurn } from '../queue-turns.js';

/** Where a rank stands when a collective begins: what its chunks get. */
export interface Turns {
  /** [phases] chunks that were given a queue in the same turn of the same dimension before. */
  readonly given: readonly number[];
  /** [phases] trees that were built on the dimension for collectives of the kind before. */
  readonly trees: readonly number[];
}

/** The turns of the first collective of all. */
export function firstTurns({ orders: [phases] }: CollectivePlan): Turns {
  return { given: phases.map(() => 0), trees: phases.map(() => 0) };
}

/** Whether it matters when a collective begins: with one queue a dimension and without trees all turns are alike. */
export function takesTurns({ orders: [phases] }: CollectivePlan, queues: number): boolean {
  return queues > 1 || phases.some(({ shape }) => shape.pattern === Pattern.doubleBinaryTree);
}

/** Names of the counters that a phase of a collective has. */
interface CounterNames {
  readonly queue: string;
  readonly tree: string | undefined;
}

/**
 * The counters of one rank that choose queues and trees: they run on from collective to collective, over all groups
 * (astra-sim-semantics sections 6 and 8.4).
 */
export class TurnCounters {
  readonly #given = new Map<string, number>();
  readonly #trees = new Map<string, number>();

  /** The turns of a collective that begins. */
  turns(plan: CollectivePlan): Turns {
    const names = namesOf(plan);
    return {
      given: names.map(({ queue }) => this.#given.get(queue) ?? 0),
      trees: names.map(({ tree }) => (tree === undefined ? 0 : (this.#trees.get(tree) ?? 0))),
    };
  }

  /** Goes beyond a collective that had these turns. */
  pass(plan: CollectivePlan, { given, trees }: Turns): void {
    const names = namesOf(plan);
    for (const [place, { queue, tree }] of names.entries()) {
      this.#given.set(queue, given[place] + plan.chunks);
      if (tree === undefined) continue;
      const ofChunk = names.filter((other) => other.tree === tree).length;
      this.#trees.set(tree, trees[place] + plan.chunks * ofChunk);
    }
  }
}

function namesOf({ orders: [phases], type }: CollectivePlan): CounterNames[] {
  return phases.map(({ dimension, turn, shape }) => ({
    queue: `${dimension} ${turn}`,
    tree: shape.pattern === Pattern.doubleBinaryTree ? `${dimension} ${type}` : undefined,
  }));
}

/** The same turns for whatever comes of them, in as few texts as possible: equal ones give equal transfers. */
export function turnsKey({ orders }: CollectivePlan, { given, trees }: Turns, queues: number): string {
  return orders[0]
    .map(({ turn, shape }, place) => {
      const queue = queueInTurn(turn, given[place], queues);
      const tree = shape.pattern === Pattern.doubleBinaryTree ? trees[place] % 2 : 0;
      return `${QUEUE_TURNS.indexOf(turn)}:${queue}:${tree}`;
    })
    .join(' ');
}
