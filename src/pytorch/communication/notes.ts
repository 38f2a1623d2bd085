import { finding, type FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';

/** Findings about one rank's communication: one a code, however often it occurs, with the first occurrence in words. */
export class Notes {
  readonly #first = new Map<FindingCode, { text: string; count: number }>();

  /** @param describe what the first occurrence is; asked for once */
  add(code: FindingCode, describe: () => string): void {
    const known = this.#first.get(code);
    if (known === undefined) this.#first.set(code, { text: describe(), count: 1 });
    else known.count++;
  }

  /** @param wording what is said of a number of occurrences, by code, before the first of them is told */
  list(wording: Readonly<Partial<Record<FindingCode, (count: number) => string>>>, facts: Partial<Finding>): Finding[] {
    return [...this.#first].map(([code, { text, count }]) => {
      const what = wording[code]?.(count) ?? `${count}`;
      return finding(code, `${what}${count === 1 ? ': ' : '; the first: '}${text}`, {
        ...facts,
        ...(count === 1 ? {} : { count }),
      });
    });
  }
}
