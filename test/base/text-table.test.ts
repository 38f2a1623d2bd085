import { counted, grouped, textTable } from '../../src/base/text-table.js';

test('columns stand to the right or to the left', () => {
  expect(
    textTable(
      [
        ['rank', 'name', 'bytes'],
        ['0', 'a', '1,000'],
        ['10', 'bcd', '5'],
      ],
      'rlr',
    ),
  ).toEqual(['rank  name  bytes', '   0  a     1,000', '  10  bcd       5']);
});

test('more rows than a call has arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, row) => [String(row)]);
  expect(textTable(rows, 'r')[7]).toBe('     7');
});

test('what a terminal would act on is shown, and counts in the width', () => {
  expect(
    textTable(
      [
        ['\u001b[1m', 'x'],
        ['a\nb', 'y'],
      ],
      'll',
    ),
  ).toEqual(['\\u001b[1m  x', 'a\\u000ab   y']);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [-1234, '-1,234'],
])('%d is grouped as %s', (value, text) => expect(grouped(value)).toBe(text));

test.each([
  [0, '0 nodes'],
  [1, '1 node'],
  [1014, '1,014 nodes'],
])('%d counted nodes are %s', (count, text) => expect(counted(count, 'node')).toBe(text));
