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

/**
 * The counters of one rank that choose queues and trees: they run on from collective to collective, over all groups
 * (astra-sim-semantics sections 6 and 8.4).
 */
export class TurnCounters {
  readonly #given = new Map<string, number>();
  readonly #trees = new Map<string, number>();

  /** The turns of a collective that begins, after which the counters are beyond it. */
  begin(plan: CollectivePlan): Turns {
    const places = plan.phases.map(({ dimension, turn, shape }) => ({
      queue: `${dimension} ${turn}`,
      tree: shape.pattern === Pattern.doubleBinaryTree ? `${dimension} ${plan.type}` : undefined,
    }));
    const turns = {
      given: places.map(({ queue }) => this.#given.get(queue) ?? 0),
      trees: places.map(({ tree }) => (tree === undefined ? 0 : (this.#trees.get(tree) ?? 0))),
    };
    for (const { queue, tree } of places) {
      this.#given.set(queue, (this.#given.get(queue) ?? 0) + plan.chunks);
      if (tree !== undefined) this.#trees.set(tree, (this.#trees.get(tree) ?? 0) + plan.chunks);
    }
    return turns;
  }
}

/** The same turns for whatever comes of them, in as few texts as possible: equal ones give equal transfers. */
export function turnsKey({ phases }: CollectivePlan, { given, trees }: Turns, queues: number): string {
  return phases
    .map(({ turn, shape }, phase) => {
      const queue = queueInTurn(turn, given[phase], queues);
      const tree = shape.pattern === Pattern.doubleBinaryTree ? trees[phase] % 2 : 0;
      return `${QUEUE_TURNS.indexOf(turn)}:${queue}:${tree}`;
    })
    .join(' ');
}
