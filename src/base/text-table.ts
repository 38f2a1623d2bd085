/**
 * Rows of cells as lines with aligned columns, two blanks apart: numbers to the right, text to the left.
 * @param heading first row; a column is numeric when every other cell of it looks like a number
 */
export function textTable(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows];
  const columns = heading.map((_, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    return {
      width: Math.max(...all.map((row) => (row[column] ?? '').length)),
      right: cells.length > 0 && cells.every((cell) => /^[-+]?[0-9][0-9,.]*\s?[A-Za-zµ%]*$|^-?$/.test(cell)),
    };
  });
  return all.map((row) =>
    columns
      .map(({ width, right }, column) =>
        right ? (row[column] ?? '').padStart(width) : (row[column] ?? '').padEnd(width),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** `12,345,678`: an integer with a comma every three digits, whatever the locale. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
