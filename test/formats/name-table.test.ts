import { NameTable } from '../../src/formats/name-table.js';

test('numbers texts in the order in which they are met', () => {
  const table = new NameTable();
  const texts = Array.from({ length: 5000 }, (_, place) => `name ${place % 1700}`);
  expect(texts.map((text) => table.ofText(text))).toEqual(texts.map((_, place) => place % 1700));
  expect(table.names).toEqual(texts.slice(0, 1700));
});

test('the empty text is one like any other', () => {
  const table = new NameTable();
  expect([table.ofText('a'), table.ofText(''), table.ofText('')]).toEqual([0, 1, 1]);
  expect(table.names).toEqual(['a', '']);
});

test('a text with escapes is the text that they stand for', () => {
  const table = new NameTable();
  const plain = Buffer.from('aten::é');
  const escaped = Buffer.from('aten::\\u00e9');
  expect(table.ofJson(plain, 0, plain.length, false)).toBe(0);
  expect(table.ofJson(escaped, 0, escaped.length, true)).toBe(0);
  expect(table.names).toEqual(['aten::é']);
});
