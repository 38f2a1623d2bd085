/**
 * Blocks of 2^k places in columns that grow: those that were given back are handed out again. Whoever owns the columns makes
 * them as long as {@link length} says.
 */
export class Blocks {
  /** Places handed out so far; never falls. */
  length = 0;
  /** [k] first places of the blocks of 2^k places that are free. */
  readonly #free: number[][] = [];

  /** First place of a block of 2^`power` places. */
  take(power: number): number {
    const free = this.#free[power];
    if (free !== undefined && free.length > 0) return free.pop()!;
    const first = this.length;
    this.length += 2 ** power;
    return first;
  }

  release(first: number, power: number): void {
    while (this.#free.length <= power) this.#free.push([]);
    this.#free[power].push(first);
  }
}

/** The least k with 2^k ≥ count; count is 1 or more. */
export function powerFor(count: number): number {
  return 32 - Math.clz32(count - 1);
}
