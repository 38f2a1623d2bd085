import { formatId, idAbove, idForJson } from '../base/ids.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** Ids of one rank in ascending order: ids that follow each other take no memory. */
interface RankIds {
  readonly length: number;
  readonly firstLow: number;
  readonly firstHigh: number;
  readonly low: Uint32Array | undefined; // [length], absent where id k is firstLow + k
  readonly high: Uint32Array | undefined; // [length], absent where every id has firstHigh
}

/** The ids of the nodes of a job, by rank and place in ascending id. */
export class NodeIds {
  readonly #ranks: RankIds[] = [];

  /** Adds the next rank. @param order indices in ascending id, `undefined` where the file has that order */
  addRank({ idLow, idHigh, length }: RankTrace, order: Int32Array | undefined): void {
    const indexOf = (place: number): number => order?.[place] ?? place;
    const firstLow = length === 0 ? 0 : idLow[indexOf(0)];
    const firstHigh = length === 0 ? 0 : idHigh[indexOf(0)];
    let consecutive = true;
    let sameHigh = true;
    for (let place = 0; place < length && (consecutive || sameHigh); place++) {
      const index = indexOf(place);
      if (idLow[index] !== firstLow + place) consecutive = false;
      if (idHigh[index] !== firstHigh) sameHigh = false;
    }
    const inOrder = (column: Uint32Array): Uint32Array =>
      Uint32Array.from({ length }, (_, place) => column[indexOf(place)]);
    this.#ranks.push({
      length,
      firstLow,
      firstHigh,
      low: consecutive && sameHigh ? undefined : inOrder(idLow),
      high: sameHigh ? undefined : inOrder(idHigh),
    });
  }

  /** Decimal text. */
  text(rank: number, place: number): string {
    return formatId(this.#low(rank, place), this.#high(rank, place));
  }

  /** A number up to 2^53 − 1, decimal text above. Places behind the last node continue behind its id, as expansion numbers them. */
  json(rank: number, place: number): number | string {
    const { length } = this.#ranks[rank];
    if (place < length) return idForJson(this.#low(rank, place), this.#high(rank, place));
    const last = Math.max(0, length - 1);
    return idAbove(this.#low(rank, last), this.#high(rank, last), 1 + place - length);
  }

  #low(rank: number, place: number): number {
    const { low, firstLow } = this.#ranks[rank];
    return low === undefined ? firstLow + place : low[place];
  }

  #high(rank: number, place: number): number {
    const { high, firstHigh } = this.#ranks[rank];
    return high === undefined ? firstHigh : high[place];
  }
}
