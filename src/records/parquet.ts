import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { decimalValue } from './number-formats.js';
import type { Cell, Column } from './record.js';

/** Rows held in memory, and written as one row group. */
const ROWS_AT_ONCE = 65_536;

/**
 * Writes a table as Parquet, Snappy-compressed: integers as INT64, decimals as DOUBLE (the one the CSV text reads as), text as
 * UTF-8 STRING, booleans as BOOLEAN; a cell without a value is null, and only columns that may have one are nullable. The
 * bytes depend on the table only.
 *
 * @param write takes bytes that it has to use up before it returns
 */
export function writeParquet(
  columns: readonly Column[],
  rows: Iterable<readonly Cell[]>,
  write: (bytes: Uint8Array) => void,
): void {
  const writer = new StreamWriter(write);
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(schemaElement)],
    createdBy: 'chakra-prep',
  });
  const values = columns.map(valueOf);
  const group: unknown[][] = columns.map(() => []);
  const flush = (): void => {
    const rowCount = group[0].length;
    const columnData = columns.map(({ name, kind }, column) => ({
      name,
      data: group[column],
      // Run-length encoded booleans are beyond older readers.
      ...(kind === 'boolean' ? { encoding: 'PLAIN' as const } : {}),
    }));
    void parquet.write({ columnData, rowGroupSize: rowCount });
    for (const column of group) column.length = 0;
  };
  for (const row of rows) {
    for (let column = 0; column < values.length; column++) group[column].push(values[column](row[column]));
    if (group[0].length === ROWS_AT_ONCE) flush();
  }
  if (group[0].length > 0) flush();
  void parquet.finish();
}

/** Hands on each row group once it is complete; nothing in it waits, so the library's promises do not occur. */
class StreamWriter extends ByteWriter {
  constructor(readonly write: (bytes: Uint8Array) => void) {
    super(1 << 16);
  }

  flush(): void {
    this.write(this.getBytes());
    this.index = 0; // `offset` goes on counting bytes of the file
  }

  override finish(): void {
    this.flush();
  }
}

function schemaElement({ name, kind, absent }: Column) {
  const repetition_type = absent === undefined ? ('REQUIRED' as const) : ('OPTIONAL' as const);
  switch (kind) {
    case 'integer':
      return { name, repetition_type, type: 'INT64' as const };
    case 'decimal':
      return { name, repetition_type, type: 'DOUBLE' as const };
    case 'boolean':
      return { name, repetition_type, type: 'BOOLEAN' as const };
    case 'text':
      return {
        name,
        repetition_type,
        type: 'BYTE_ARRAY' as const,
        converted_type: 'UTF8' as const,
        logical_type: { type: 'STRING' as const },
      };
  }
}

function valueOf({ kind, decimals }: Column): (cell: Cell) => unknown {
  if (kind === 'integer') return (cell) => (cell === null ? null : BigInt(cell));
  if (kind === 'decimal') return (cell) => (cell === null ? null : decimalValue(cell as number | bigint, decimals));
  return (cell) => cell;
}
