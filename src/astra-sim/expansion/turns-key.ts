import type { CollectivePlan } from '../collective-plan.js';
import { Pattern } from '../phase-shape.js';
import { queueInTurn } from '../queue-turns.js';
import type { Turns } from '../turn-counters.js';

/** The same turns for whatever comes of them, in as few texts as possible: equal ones give equal transfers. */
export function turnsKey({ orders }: CollectivePlan, { given, trees }: Turns, queues: number): string {
  return orders[0]
    .map(({ turn, shape }, place) => {
      const queue = queueInTurn(turn, given[place], queues);
      const tree = shape.pattern === Pattern.doubleBinaryTree ? trees[place] % 2 : 0;
      return `${turn}:${queue}:${tree}`;
    })
    .join(' ');
}
