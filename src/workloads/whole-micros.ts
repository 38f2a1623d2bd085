/** Whole µs, halves up. */
export function wholeMicros(ns: number): number {
  const rest = ns % 1000;
  return (ns - rest) / 1000 + (rest >= 500 ? 1 : 0);
}
