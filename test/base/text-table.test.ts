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
