import type { RankTrace } from '../trace/rank-trace.js';

/** Indices of a rank's nodes in ascending id, `undefined` when that is the order of the file. */
export function indicesById(trace: RankTrace): Int32Array | undefined {
  const { idLow, idHigh, length } = trace;
  const compare = (a: number, b: number): number => idHigh[a] - idHigh[b] || idLow[a] - idLow[b];
  let sorted = true;
  for (let index = 1; index < length && sorted; index++) sorted = compare(index - 1, index) <= 0;
  if (sorted) return undefined;
  return Int32Array.from({ length }, (_, index) => index).sort((a, b) => compare(a, b) || a - b);
}

/** Place of each index in an order. */
export function inverse(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  return places;
}
