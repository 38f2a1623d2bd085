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
