import { formatId } from '../base/ids.js';
import type { Losses } from '../base/losses.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** Losses of one rank, counted without a text a node. */
export class RankLosses {
  readonly #trace: RankTrace;
  readonly #losses: Losses;
  readonly #kinds = new Map<string, { count: number; readonly node: number; readonly consequence: string }>();

  constructor(trace: RankTrace, losses: Losses) {
    this.#trace = trace;
    this.#losses = losses;
  }

  /** Counts as {@link Losses.add} does. @param node where the thing is */
  add(what: string, node: number, consequence = '', count = 1): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count, node, consequence });
    else known.count += count;
  }

  /** Hands the counts on. */
  finish(): void {
    const { rank, idLow, idHigh } = this.#trace;
    for (const [what, { count, node, consequence }] of this.#kinds) {
      this.#losses.add(what, `rank ${rank} node ${formatId(idLow[node], idHigh[node])}`, consequence, count);
    }
  }
}
