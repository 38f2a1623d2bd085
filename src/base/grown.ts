/** A column of numbers. */
export type Column = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A longer copy of a column, zeros at its end. */
export function grown<T extends Column>(column: T, length: number): T {
  const larger = new (column.constructor as new (length: number) => T)(length);
  larger.set(column);
  return larger;
}
