import { printable } from '../../src/base/printable.js';

test.each([
  ['plain text with µ, é and 漢', 'plain text with µ, é and 漢'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['two\nlines\r', 'two\\u000alines\\u000d'],
  ['\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
  ['to the left: \u202efdp', 'to the left: \\u202efdp'],
])('%j', (text, shown) => expect(printable(text)).toBe(shown));
