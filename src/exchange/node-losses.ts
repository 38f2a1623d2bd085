import type { Losses } from '../base/losses.js';

/** Losses counted by node, without a text a node. */
export class NodeLosses {
  readonly #losses: Losses;
  readonly #placeOf: (node: number) => string;
  readonly #kinds = new Map<string, { count: number; readonly node: number; readonly consequence: string }>();

  /** @param placeOf where a node is, for a message */
  constructor(losses: Losses, placeOf: (node: number) => string) {
    this.#losses = losses;
    this.#placeOf = placeOf;
  }

  /** Counts as {@link Losses.add} does. @param node where the thing is */
  add(what: string, node: number, consequence = '', count = 1): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count, node, consequence });
    else known.count += count;
  }

  /** Hands the counts on. */
  finish(): void {
    for (const [what, { count, node, consequence }] of this.#kinds) {
      this.#losses.add(what, this.#placeOf(node), consequence, count);
    }
  }
}
