import { finding } from './catalogue.js';
import { counted } from './counts.js';
import type { Finding } from './finding.js';

/** One kind of thing that is left out. Plain data: it crosses worker threads. */
export interface Loss {
  /** In the plural, as a message tells it. */
  readonly what: string;
  /** How many. */
  count: number;
  /** Where the first one is. */
  readonly example: string;
  /** What that means, '' where it is plain. */
  readonly consequence: string;
}

/** What the target of a conversion cannot carry, counted by kind: nothing is dropped silently. */
export class Losses {
  readonly #kinds = new Map<string, Loss>();

  /** Every kind, in the order in which they were met. */
  get kinds(): readonly Loss[] {
    return [...this.#kinds.values()];
  }

  /** Adds what was counted elsewhere, such as in another rank. */
  addAll(kinds: readonly Loss[]): void {
    for (const { what, example, consequence, count } of kinds) this.add(what, example, consequence, count);
  }

  /**
   * Counts one thing that is left out.
   * @param what kind in the plural, as a message tells it: "control dependencies", "attributes num_ops"
   * @param example where the first one is: "rank 3 node 17"
   * @param consequence what that means for who reads the target, one clause; '' where it is plain
   */
  add(what: string, example: string, consequence = '', count = 1): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { what, count, example, consequence });
    else known.count += count;
  }

  /** One finding a kind. @param target name of the form, as a message tells it: "GOAL" */
  findings(target: string): Finding[] {
    return this.kinds.map(({ what, count, example, consequence }) =>
      finding(
        'CONVERSION_LOSS',
        `${target} cannot carry ${what}: ${counted(count, 'is', 'are')} left out, first ${example}` +
          (consequence === '' ? '' : `; ${consequence}`),
        { count, target, what },
      ),
    );
  }
}
