/** A column of numbers that is as narrow as they allow. */
export type NarrowColumn = Int16Array | Int32Array | Float64Array;

/** The same numbers in as few bytes each as hold all of them. */
export function narrowed(values: Int32Array | Float64Array): NarrowColumn {
  let extent = 0;
  for (const value of values) {
    if ((value | 0) !== value) return values; // NaN, a fraction, or above 2^31
    extent |= value ^ (value >> 31);
  }
  if (extent < 0x8000) return new Int16Array(values);
  return values instanceof Int32Array ? values : new Int32Array(values);
}
