/**
 * Places along a row that keep an order and distances and lie as near to the wanted ones as the sum of squares allows (pool
 * adjacent violators).
 *
 * @param wanted in the order of the row
 * @param half half of each width, with its share of the space between
 */
export function rowPlaces(wanted: readonly number[], half: readonly number[]): number[] {
  const offsets: number[] = []; // least distance from the first
  const blocks: { sum: number; count: number }[] = [];
  for (let at = 0; at < wanted.length; at++) {
    offsets.push(at === 0 ? 0 : offsets[at - 1] + half[at - 1] + half[at]);
    blocks.push({ sum: wanted[at] - offsets[at], count: 1 });
    while (blocks.length > 1) {
      const last = blocks[blocks.length - 1];
      const before = blocks[blocks.length - 2];
      if (before.sum * last.count < last.sum * before.count) break;
      blocks.pop();
      before.sum += last.sum;
      before.count += last.count;
    }
  }
  const places: number[] = [];
  for (const { sum, count } of blocks) {
    for (let one = 0; one < count; one++) places.push(sum / count + offsets[places.length]);
  }
  return places;
}
