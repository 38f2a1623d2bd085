import { ruledTable } from './ruled-table.js';

/**
 * Rows of a table as lines, columns two blanks apart.
 * @param alignment a letter for each column: `l` left, `r` right
 */
export function textTable(rows: readonly (readonly string[])[], alignment: string): string[] {
  return ruledTable(rows, alignment, false);
}

/** `12,345,678`: an integer with a comma every three digits, whatever the locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count with its noun: `1 node`, `1,014 nodes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
