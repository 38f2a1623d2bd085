import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { writeCsv } from '../../src/records/csv.js';
import { writeParquet } from '../../src/records/parquet.js';
import { boolean, decimal, integer, micros, seconds, text, type Cell, type Column } from '../../src/records/record.js';
import { bufferOf } from '../support/parquet.js';

const COLUMNS: Column[] = [
  seconds('time'),
  micros('duration', ''),
  integer('hash'),
  integer('group', ''),
  decimal('ratio', 6, 'NA'),
  text('name'),
  boolean('added'),
];
const ROWS: Cell[][] = [
  [23_356_600, 1, 9_223_372_036_854_775_807n, 0, 1_054_720n, 'a,"b"\nµ', true],
  [9_007_199_254_740_991, null, -1, null, null, '', false],
  [0, 0, 7_208_551_405_332_016_940n, 4_294_967_295, 0, 'ChakraApp-0', true],
];

test('every kind reads back as it was: 63-bit integers exactly, absent values as null', async () => {
  const rows = await parquetReadObjects({ file: bufferOf((write) => writeParquet(COLUMNS, ROWS, write)) });
  expect(rows).toEqual([
    {
      time: 0.0000233566,
      duration: 0.000001,
      hash: 9_223_372_036_854_775_807n,
      group: 0n,
      ratio: 1.05472,
      name: 'a,"b"\nµ',
      added: true,
    },
    { time: 9007.199254740991, duration: null, hash: -1n, group: null, ratio: null, name: '', added: false },
    {
      time: 0,
      duration: 0,
      hash: 7_208_551_405_332_016_940n,
      group: 4_294_967_295n,
      ratio: 0,
      name: 'ChakraApp-0',
      added: true,
    },
  ]);
});

test('the schema says which types and which columns may be absent', () => {
  const { schema, created_by } = parquetMetadata(bufferOf((write) => writeParquet(COLUMNS, ROWS, write)));
  expect(schema.slice(1).map((column) => [column.name, column.type, column.repetition_type])).toEqual([
    ['time', 'DOUBLE', 'REQUIRED'],
    ['duration', 'DOUBLE', 'OPTIONAL'],
    ['hash', 'INT64', 'REQUIRED'],
    ['group', 'INT64', 'OPTIONAL'],
    ['ratio', 'DOUBLE', 'OPTIONAL'],
    ['name', 'BYTE_ARRAY', 'REQUIRED'],
    ['added', 'BOOLEAN', 'REQUIRED'],
  ]);
  expect(schema[6].converted_type).toBe('UTF8');
  expect(created_by).toBe('chakra-prep');
});

test('two writes give the same bytes', () => {
  const once = bufferOf((write) => writeParquet(COLUMNS, ROWS, write));
  const again = bufferOf((write) => writeParquet(COLUMNS, ROWS, write));
  expect(Buffer.from(once).equals(Buffer.from(again))).toBe(true);
});

test('a table without rows keeps its columns', async () => {
  const file = bufferOf((write) => writeParquet(COLUMNS, [], write));
  expect(parquetMetadata(file).schema).toHaveLength(1 + COLUMNS.length);
  expect(await parquetReadObjects({ file })).toEqual([]);
});

test('a long table is written in row groups as its rows come, and says what the CSV says', async () => {
  const columns = [integer('row'), decimal('half', 6), text('name'), boolean('odd')];
  let drawn = 0;
  const drawnAtWrite: number[] = [];
  function* rows(): Generator<Cell[]> {
    for (; drawn < 150_000; drawn++) yield [drawn, drawn * 500_000, `rank ${drawn % 7}`, drawn % 2 === 1];
  }
  const file = bufferOf((write) =>
    writeParquet(columns, rows(), (bytes) => {
      drawnAtWrite.push(drawn);
      write(bytes);
    }),
  );
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => num_rows)).toEqual([65_536n, 65_536n, 18_928n]);
  expect(drawnAtWrite[0]).toBe(65_535);
  drawn = 0;
  let csv = '';
  writeCsv(columns, rows(), (bytes) => (csv += Buffer.from(bytes).toString()));
  const read = await parquetReadObjects({ file });
  const lines = csv.trimEnd().split('\n').slice(1);
  expect(read).toHaveLength(lines.length);
  const different = lines.filter((line, at) => {
    const { row, half, name, odd } = read[at] as Record<string, unknown>;
    return line !== `${row},${(half as number).toFixed(6)},${name},${odd}`;
  });
  expect(different).toEqual([]);
});
