import { pythonFloat, pythonText } from '../../src/base/python-repr.js';

// Expected values are what `repr` of Python 3.11 prints.
test.each([
  [0.1, '0.1'],
  [1, '1.0'],
  [-1, '-1.0'],
  [0, '0.0'],
  [-0, '-0.0'],
  [1e-5, '1e-05'],
  [0.0001, '0.0001'],
  [0.00012345, '0.00012345'],
  [9.9e-5, '9.9e-05'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [1.5e16, '1.5e+16'],
  [123456789012345680, '1.2345678901234568e+17'],
  [9007199254740993, '9007199254740992.0'],
  [1e22, '1e+22'],
  [1e100, '1e+100'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [12.5, '12.5'],
  [1234567.125, '1234567.125'],
  [NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
])('repr(%d) is %s', (value, text) => {
  expect(pythonFloat(value)).toBe(text);
});

test.each([
  ['abc', "'abc'"],
  ["it's", '"it\'s"'],
  ['say "x"', '\'say "x"\''],
  ['both \' and "', "'both \\' and \"'"],
  ['a\\b', "'a\\\\b'"],
  ['tab\tline\nreturn\r', "'tab\\tline\\nreturn\\r'"],
  ['\x00\x1f\x7f', "'\\x00\\x1f\\x7f'"],
  ['é', "'é'"],
  ['\u00a0\u00ad', "'\\xa0\\xad'"],
  ['\u2028\u200b', "'\\u2028\\u200b'"],
  ['\ud800', "'\\ud800'"],
  ['\u{1f600}', "'\u{1f600}'"],
  ['\u{e0001}', "'\\U000e0001'"],
  ['', "''"],
])('repr of %j', (text, expected) => {
  expect(pythonText(text)).toBe(expected);
});
