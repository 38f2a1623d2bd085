import { ruledTable } from './ruled-table.js';

/**
 * Rows of a table as lines, columns two blanks apart.
 * @param alignment a letter for each column: `l` left, `r` right
 */
export function textTable(rows: readonly (readonly string[])[], alignment: string): string[] {
  return ruledTable(rows, alignment, false);
}
