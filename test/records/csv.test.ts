import { writeCsv } from '../../src/records/csv.js';
import { boolean, decimal, integer, micros, seconds, text } from '../../src/records/record.js';

function csv(...table: [columns: Parameters<typeof writeCsv>[0], rows: Parameters<typeof writeCsv>[1]]): string {
  let written = '';
  writeCsv(...table, (bytes) => (written += Buffer.from(bytes).toString()));
  return written;
}

test('a header line, commas and LF, every kind in its format', () => {
  const columns = [seconds('s'), micros('us'), decimal('ns', 3), integer('n'), boolean('b'), text('t')];
  expect(csv(columns, [[1_500_000_000_000, 1_500_000, 1500, -1, true, 'µ']])).toBe(
    's,us,ns,n,b,t\n1.500000000000,1.500000,1.500,-1,true,µ\n',
  );
});

test('a table without rows is its header', () => {
  expect(csv([integer('a'), integer('b')], [])).toBe('a,b\n');
});

test('a cell without a value is empty, or what its column says', () => {
  expect(csv([integer('a', ''), decimal('b', 6, 'NA')], [[null, null]])).toBe('a,b\n,NA\n');
});

test('text with a separator, a quote or a line end is quoted', () => {
  expect(
    csv(
      [text('a'), text('b')],
      [
        ['a,b', 'say "x"'],
        ['a\nb', 'a\rb'],
      ],
    ),
  ).toBe('a,b\n"a,b","say ""x"""\n"a\nb","a\rb"\n');
});

test('a long table comes in pieces of whole lines', () => {
  const pieces: string[] = [];
  const rows = Array.from({ length: 3000 }, (_, row) => [row]);
  writeCsv([integer('row')], rows, (bytes) => pieces.push(Buffer.from(bytes).toString()));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
  expect(pieces.join('')).toBe(`row\n${rows.map(([row]) => `${row}\n`).join('')}`);
});
