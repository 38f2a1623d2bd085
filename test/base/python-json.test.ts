import { pythonFloat, pythonString } from '../../src/base/python-json.js';

// What repr of Python 3.11 gives for each number.
test.each([
  '0.0',
  '-0.0',
  '1.0',
  '5.0',
  '1.2345',
  '0.1',
  '100.0',
  '123456789.0',
  '1000000000000000.0',
  '9999999999999998.0',
  '1e+16',
  '1.5e+16',
  '1e+22',
  '1.7976931348623157e+308',
  '5e-324',
  '0.0001',
  '0.00012',
  '1e-05',
  '1.5e-05',
  '-2.5e-07',
  '-123.456',
  '1e+100',
  '2251799813685249.5',
  '0.30000000000000004',
])('the float %s', (text) => {
  expect(pythonFloat(Number(text))).toBe(text);
});

test('numbers that JSON has no word for', () => {
  expect([NaN, Infinity, -Infinity].map(pythonFloat)).toEqual(['NaN', 'Infinity', '-Infinity']);
});

// What json.dumps of Python 3.11 gives for each text.
test.each([
  ['plain', '"plain"'],
  ['quote" back\\ slash/', '"quote\\" back\\\\ slash/"'],
  ['tab\tnl\nbs\bff\fcr\r', '"tab\\tnl\\nbs\\bff\\fcr\\r"'],
  ['\u0000\u001f\u007f', '"\\u0000\\u001f\\u007f"'],
  ['é€ü', '"\\u00e9\\u20ac\\u00fc"'],
  ['😀', '"\\ud83d\\ude00"'],
  ['\u2028', '"\\u2028"'],
])('the text %j', (text, json) => {
  expect(pythonString(text)).toBe(json);
});
