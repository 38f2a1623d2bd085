import { printableCell, printableLine, printableText } from '../../src/base/printable.js';

/** Colour, newline, bell, one-byte escape of 8-bit terminals, text turned around, ends of lines of Unicode. */
const STEERING = 'a\u001b[31mb\nc\u0007\u009b2J\u202egnp\u2028\r\t"';

test('what a terminal would obey is written out, ends of lines too', () => {
  expect(printableLine(STEERING)).toBe('a\\u001b[31mb\\nc\\u0007\\u009b2J\\u202egnp\\u2028\\r\\t"');
});

test('letters of any script stay', () => {
  expect(printableLine('größe 梯度 ∇θ 🚀 µs')).toBe('größe 梯度 ∇θ 🚀 µs');
});

test('a line is cut before it is written out', () => {
  expect(printableLine('abcdef', 4)).toBe('abc…');
  expect(printableLine('abcd', 4)).toBe('abcd');
});

test('text keeps its lines and columns; a JSON document says the same', () => {
  expect(printableText('a\tb\nc\u001b')).toBe('a\tb\nc\\u001b');
  const document = { name: STEERING, backslash: '\\\u0085' };
  const text = printableText(JSON.stringify(document, null, 1));
  expect(text).not.toMatch(/[\u0080-\u009f\u202e\u2028]/);
  expect(JSON.parse(text)).toEqual(document);
});

test('a cell of a table has 300 letters at most', () => {
  expect(printableCell('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
});
