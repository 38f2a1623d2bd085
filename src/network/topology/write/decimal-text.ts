/** A number as digits with a point and no exponent, as other programs read it: the shortest that is the same double. */
export function decimalText(value: number): string {
  const [digits, power] = String(value).split('e');
  if (power === undefined) return digits;
  const [whole, fraction = ''] = digits.split('.');
  const shift = Number(power);
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${whole}${fraction.padEnd(shift, '0')}`;
}

/** Picoseconds in nanoseconds, exactly: `500`, `0.5`. */
export function nanosecondsText(picoseconds: number): string {
  const digits = String(picoseconds).padStart(4, '0');
  const fraction = digits.slice(-3).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -3) : `${digits.slice(0, -3)}.${fraction}`;
}
