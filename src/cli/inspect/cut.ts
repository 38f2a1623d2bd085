import { grouped } from '../../base/counts.js';

/** Rows of a list that are printed for a person. */
const ROWS_SHOWN = 40;

/** The lines of the first rows of a list, and how many more there are. */
export function cut<T>(rows: readonly T[], linesOf: (shown: readonly T[]) => string[], most = ROWS_SHOWN): string[] {
  const lines = linesOf(rows.slice(0, most));
  return rows.length > most ? [...lines, `… and ${grouped(rows.length - most)} more; --json has all`] : lines;
}
