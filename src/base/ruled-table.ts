import { printableCell } from './printable.js';

/** A row of cells, or a rule across the table. */
export type TableRow = readonly string[] | 'rule';

/**
 * A table as lines. With boxes, `│` stands between columns and a rule is a line that meets them: `┬` at the top, `┴` at the
 * bottom. Without, columns are two blanks apart and a rule is an empty line, none at the ends. Cells may hold texts of a trace.
 * @param alignment a letter for each column: `l` left, `r` right
 */
export function ruledTable(table: readonly TableRow[], alignment: string, boxes: boolean): string[] {
  const rows = table.map((row) => (row === 'rule' ? row : row.map(printableCell)));
  const cells = rows.filter((row) => row !== 'rule');
  const widths = [...alignment].map((_, column) => cells.reduce((most, row) => Math.max(most, row[column].length), 0));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (alignment[column] === 'r' ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join(boxes ? ' │ ' : '  ')
      .trimEnd();
  const last = rows.length - 1;
  const lines = rows.map((row, place) => {
    if (row !== 'rule') return line(row);
    const joint = place === 0 ? '┬' : place === last ? '┴' : '┼';
    return boxes ? widths.map((width) => '─'.repeat(width)).join(`─${joint}─`) : '';
  });
  return boxes ? lines : lines.slice(rows[0] === 'rule' ? 1 : 0, rows[last] === 'rule' ? -1 : undefined);
}
