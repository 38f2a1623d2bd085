/** How the numbers of one column are written: one unit, one number of decimals. */
export interface NumberColumn {
  bare(value: number): string;
  withUnit(value: number): string;
}

const UNITS: readonly (readonly [size: number, name: string, decimals: number])[] = [
  [1e12, 's', 12],
  [1e9, 'ms', 9],
  [1e6, 'µs', 6],
  [1e3, 'ns', 3],
];

const LEAST_DECIMALS = 3;
const MOST_DECIMALS = 12;

/** Times in ps, in the largest unit of which the test takes at least one; decimals no finer than a ps. */
export function timeColumn(testPs: number, timesPs: readonly (number | null)[]): NumberColumn {
  const [size, unit, most] = UNITS.find(([least]) => testPs >= least) ?? [1, 'ps', 0];
  const decimals = Math.min(most, decimalsFor(timesPs, size));
  const bare = (timePs: number): string => (timePs / size).toFixed(decimals);
  return { bare, withUnit: (timePs) => `${bare(timePs)} ${unit}` };
}

/** Bandwidths in bytes per ns, as GB/s with 10^9. */
export function bandwidthColumn(bytesPerNs: readonly (number | null)[]): NumberColumn {
  const decimals = decimalsFor(bytesPerNs, 1);
  const bare = (value: number): string => value.toFixed(decimals);
  return { bare, withUnit: (value) => `${bare(value)} GB/s` };
}

/** Three decimals, or as many as show two digits of the smallest value that is not 0. */
function decimalsFor(values: readonly (number | null)[], unit: number): number {
  const smallest = values.reduce<number>(
    (least, value) => (value !== null && value > 0 ? Math.min(least, value / unit) : least),
    Infinity,
  );
  if (smallest === Infinity) return LEAST_DECIMALS;
  return Math.min(MOST_DECIMALS, Math.max(LEAST_DECIMALS, 1 - Math.floor(Math.log10(smallest))));
}
