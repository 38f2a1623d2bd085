/** Number formats of the records (section 13): exact, from whole ps. */

const PS_PER_SECOND = 1e12;
const PS_PER_MICRO = 1e6;

/** Seconds with 12 decimals. */
export function seconds(timePs: number): string {
  return decimal(timePs, PS_PER_SECOND, 12);
}

/** Microseconds with 6 decimals. */
export function micros(timePs: number): string {
  return decimal(timePs, PS_PER_MICRO, 6);
}

/** A field of a CSV line; quoted where it holds a separator, a quote or a line end. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function decimal(timePs: number, unit: number, decimals: number): string {
  const whole = Math.floor(timePs / unit);
  return `${whole}.${String(timePs - whole * unit).padStart(decimals, '0')}`;
}
