/**
 * Sorts `values` by `groups`, values of one group in their order.
 * @param groupOf [length] group of each value, below `count`
 * @returns first place of each group, with one more at the end, and the values
 */
export function byGroup(
  groupOf: Uint32Array,
  values: Uint32Array,
  length: number,
  count: number,
): [start: Uint32Array, sorted: Uint32Array] {
  // Counted one place too far on, so that filling moves every start to where it belongs.
  const start = new Uint32Array(count + 2);
  for (let place = 0; place < length; place++) start[groupOf[place] + 2]++;
  for (let group = 2; group < start.length; group++) start[group] += start[group - 1];
  const sorted = new Uint32Array(length);
  for (let place = 0; place < length; place++) sorted[start[groupOf[place] + 1]++] = values[place];
  return [start.subarray(0, count + 1), sorted];
}
