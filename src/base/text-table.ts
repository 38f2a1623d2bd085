/**
 * Rows of a table as lines, columns two blanks apart.
 * @param alignment a letter for each column: `l` left, `r` right
 */
export function textTable(rows: readonly (readonly string[])[], alignment: string): string[] {
  const widths = [...alignment].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (alignment[column] === 'r' ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}
