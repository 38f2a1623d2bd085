import { textTable } from '../../src/base/text-table.js';

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
  ).toEqual(['\\u001b[1m  x', 'a\\nb       y']);
});
