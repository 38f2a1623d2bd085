/** A longer copy of a column, zeros at its end. */
export function grown<T extends Float64Array | Int32Array>(column: T, length: number): T {
  const larger = new (column.constructor as new (length: number) => T)(length);
  larger.set(column);
  return larger;
}
