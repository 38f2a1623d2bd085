import { traceError } from '../base/errors.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** Ids above the largest of a rank, in halves. */
export class IdSource {
  low: number;
  high: number;
  readonly #rank: number;

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
    this.low = low;
    this.high = high;
    this.skip(1);
  }

  /**
   * Passes over `count` ids, fewer than 2^32.
   * @throws PrepError `ID_SPACE` when ids above 2^64 are needed
   */
  skip(count: number): void {
    this.low += count;
    if (this.low <= 0xffffffff) return;
    this.low -= 0x100000000;
    this.high++;
    if (this.high > 0xffffffff) {
      throw traceError(
        'ID_SPACE',
        `rank ${this.#rank}: no ids are left above its largest, which new nodes need`,
        [],
        'renumber the nodes from 0 with `convert`',
      );
    }
  }
}
