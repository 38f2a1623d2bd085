const DIGITS = 12;

/** A time in ps as decimal seconds, exactly and without zeros at the end: `0.0000015`, `2`. */
export function secondsText(picoseconds: number): string {
  const digits = String(picoseconds).padStart(DIGITS + 1, '0');
  const whole = digits.slice(0, -DIGITS);
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
