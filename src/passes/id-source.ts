import { traceError } from '../base/errors.js';
import type { RankTrace } from '../trace/rank-trace.js';

const HALF = 0x100000000;

/** Ids above the largest of a rank, in halves. */
export class IdSource {
  readonly #rank: number;
  // The next id; its upper half is 2^32 once all ids are used.
  #low: number;
  #high: number;

  constructor({ rank, length, idLow, idHigh }: RankTrace) {
    let low = -1; // so that the first id of a trace without nodes is 0
    let high = 0;
    for (let node = 0; node < length; node++) {
      if (idHigh[node] > high || (idHigh[node] === high && idLow[node] > low)) {
        high = idHigh[node];
        low = idLow[node];
      }
    }
    this.#rank = rank;
    this.#low = (low + 1) % HALF;
    this.#high = low + 1 === HALF ? high + 1 : high;
  }

  /**
   * The first of `count` new ids, fewer than 2^32.
   * @throws PrepError `ID_SPACE` when the last of them would be 2^64 or more
   */
  take(count: number): { idLow: number; idHigh: number } {
    const first = { idLow: this.#low, idHigh: this.#high };
    const next = this.#low + count;
    this.#low = next % HALF;
    this.#high += next >= HALF ? 1 : 0;
    if (count > 0 && (this.#high > HALF || (this.#high === HALF && this.#low > 0))) {
      throw traceError(
        'ID_SPACE',
        `rank ${this.#rank}: the new nodes need ids above the largest, and fewer than ${count} are left below 2^64`,
        [],
        'renumber the nodes from 0',
      );
    }
    return first;
  }
}
