/** First place of an ascending column whose value is not below `value`. */
export function lowerBound(column: Float64Array, value: number): number {
  let low = 0;
  for (let high = column.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (column[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
