/** A size or duration under a scaling factor: one multiplication of doubles, cut to a whole byte or microsecond. */
export function scaled(value: number, factor: number): number {
  return factor === 1 ? value : Math.trunc(value * factor);
}
