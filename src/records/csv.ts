import { decimalText } from './number-formats.js';
import type { Cell, Column } from './record.js';

/** Lines collected before they are handed on, so that a file of any length takes little memory. */
const LINES_AT_ONCE = 1024;

/**
 * Writes a table as CSV: a header line, commas, LF, UTF-8.
 * @param write takes some whole lines at a time
 */
export function writeCsv(
  columns: readonly Column[],
  rows: Iterable<readonly Cell[]>,
  write: (bytes: Uint8Array) => void,
): void {
  const formats = columns.map(formatOf);
  let lines = [columns.map(({ name }) => name).join(',')];
  const flush = (): void => {
    write(Buffer.from(`${lines.join('\n')}\n`));
    lines = [];
  };
  for (const row of rows) {
    let line = formats[0](row[0]);
    for (let column = 1; column < formats.length; column++) line += `,${formats[column](row[column])}`;
    lines.push(line);
    if (lines.length >= LINES_AT_ONCE) flush();
  }
  if (lines.length > 0) flush();
}

/** A field of a CSV line; quoted where it holds a separator, a quote or a line end. */
export function csvField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

function formatOf({ kind, decimals, absent }: Column): (cell: Cell) => string {
  const none = absent ?? '';
  if (kind === 'text') return (cell) => (cell === null ? none : csvField(String(cell)));
  if (kind === 'decimal') return (cell) => (cell === null ? none : decimalText(cell as number | bigint, decimals));
  return (cell) => (cell === null ? none : String(cell));
}
