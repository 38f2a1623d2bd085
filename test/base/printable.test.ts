import { printableCell, printableLine, printableText } from '../../src/base/printable.js';

test.each([
  ['plain text with µ, é and 漢', 'plain text with µ, é and 漢'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['two\nlines\r', 'two\\nlines\\r'],
  ['\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
  ['to the left: \u202efdp', 'to the left: \\u202efdp'],
])('%j', (text, shown) => expect(printableLine(text)).toBe(shown));

test('a line is cut to the letters asked for, a cell to 300', () => {
  expect(printableLine('abcdef', 4)).toBe('abc…');
  expect(printableCell('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
});

test('a text keeps its lines and tabs', () => {
  expect(printableText('a\n\tb\u001b\n')).toBe('a\n\tb\\u001b\n');
});
