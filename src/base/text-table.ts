import { printableLine } from './printable.js';

/** Letters of a cell that are shown: a column is as wide as its widest cell, and names may be of any length. */
const LONGEST_CELL = 300;

/** The cell of a table that shows a text. */
export function tableCell(text: string): string {
  return printableLine(text, LONGEST_CELL);
}

/**
 * Rows of a table as lines, columns two blanks apart.
 * @param alignment a letter for each column: `l` left, `r` right
 */
export function textTable(rows: readonly (readonly string[])[], alignment: string): string[] {
  const cells = rows.map((row) => row.map(tableCell));
  const widths = [...alignment].map((_, column) => cells.reduce((most, row) => Math.max(most, row[column].length), 0));
  return cells.map((row) =>
    row
      .map((cell, column) => (alignment[column] === 'r' ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

/** `12,345,678`: an integer with a comma every three digits, whatever the locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count with its noun: `1 node`, `1,014 nodes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
