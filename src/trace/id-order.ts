import type { RankTrace } from './rank-trace.js';

/** Indices of a rank's nodes in ascending id, `undefined` when that is the order of the file. */
export function indicesById(trace: RankTrace): Int32Array | undefined {
  const { idLow, idHigh, length } = trace;
  const compare = (a: number, b: number): number => idHigh[a] - idHigh[b] || idLow[a] - idLow[b] || a - b;
  let sorted = true;
  for (let index = 1; index < length && sorted; index++) sorted = compare(index - 1, index) < 0;
  if (sorted) return undefined;
  return indicesOfDenseIds(trace) ?? Int32Array.from({ length }, (_, index) => index).sort(compare);
}

/** The same by a table over the ids, `undefined` where they are far apart or not distinct. */
function indicesOfDenseIds({ idLow, idHigh, length }: RankTrace): Int32Array | undefined {
  let smallest = idLow[0];
  let largest = idLow[0];
  for (let index = 0; index < length; index++) {
    if (idHigh[index] !== 0) return undefined;
    if (idLow[index] < smallest) smallest = idLow[index];
    if (idLow[index] > largest) largest = idLow[index];
  }
  if (largest - smallest >= 4 * length + 1024) return undefined;
  const indexOf = new Int32Array(largest - smallest + 1).fill(-1);
  for (let index = 0; index < length; index++) {
    if (indexOf[idLow[index] - smallest] >= 0) return undefined;
    indexOf[idLow[index] - smallest] = index;
  }
  const order = new Int32Array(length);
  let place = 0;
  for (const index of indexOf) if (index >= 0) order[place++] = index;
  return order;
}
