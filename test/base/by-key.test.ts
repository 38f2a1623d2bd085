import { byKey } from '../../src/base/by-key.js';

test('items by a key, keys in the order of their first item, items in theirs', () => {
  const lists = byKey(['pear', 'fig', 'plum', 'date', 'kiwi'], (word) => word.length);
  expect([...lists]).toEqual([
    [4, ['pear', 'plum', 'date', 'kiwi']],
    [3, ['fig']],
  ]);
  expect(byKey([], String).size).toBe(0);
});
