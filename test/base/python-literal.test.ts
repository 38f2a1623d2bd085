import {
  parseListPrefix,
  parsePythonLiteral,
  PythonDict,
  PythonSyntaxError,
  type PythonValue,
} from '../../src/base/python-literal.js';

/** Dicts as [key, value] lists, for comparison. */
function plain(value: PythonValue): unknown {
  if (value instanceof PythonDict) return { dict: value.entries.map(([key, inner]) => [plain(key), plain(inner)]) };
  return Array.isArray(value) ? value.map(plain) : value;
}

describe('parsePythonLiteral', () => {
  // Left: what Python 3 prints with repr() or json.dumps(). Right: the value.
  test.each<[string, unknown]>([
    ['[]', []],
    ['()', []],
    ['(1,)', [1]],
    ['[1, 2, 3,]', [1, 2, 3]],
    ['{}', { dict: [] }],
    [
      "{'a': 1, 2: (3, 4)}",
      {
        dict: [
          ['a', 1],
          [2, [3, 4]],
        ],
      },
    ],
    [
      '{"a": 1, "a": 2}',
      {
        dict: [
          ['a', 1],
          ['a', 2],
        ],
      },
    ],
    ['[True, False, None]', [true, false, null]],
    ['[true, false, null]', [true, false, null]],
    ['[-1, 0, 1.5, -2e-3, 1e16, .5, 7.]', [-1, 0, 1.5, -0.002, 1e16, 0.5, 7]],
    ['[inf, -inf, Infinity]', [Infinity, -Infinity, Infinity]],
    [
      '[9007199254740991, 18446744073709551615, -9223372036854775808]',
      [9007199254740991, 2n ** 64n - 1n, -(2n ** 63n)],
    ],
    [`["it's", 'a "b"', 'it\\'s']`, ["it's", 'a "b"', "it's"]],
    ["'a\\n\\t\\\\b'", 'a\n\t\\b'],
    ["'\\x41\\u00e9\\U0001f600\\101'", 'Aé😀A'],
    ['"\\ud83d\\ude00\\/"', '😀/'],
    ["'\\d\\/'", '\\d\\/'],
    ["'ä😀'", 'ä😀'],
    ['  [ 1 ,\n 2 ]\n', [1, 2]],
    [
      "[[[15, 5, 0, 1073741824, 4, 'cuda:0']], [4, False], ['1', 'undefined'], 0, 'allreduce', [], [], 0, 1, 2]",
      [[[15, 5, 0, 1073741824, 4, 'cuda:0']], [4, false], ['1', 'undefined'], 0, 'allreduce', [], [], 0, 1, 2],
    ],
  ])('%s', (text, value) => {
    expect(plain(parsePythonLiteral(text))).toEqual(value);
  });

  test('nan', () => {
    expect(parsePythonLiteral('nan')).toBeNaN();
  });

  test.each<[string, number, string]>([
    ['', 0, 'expected a value'],
    ['[1 2]', 3, 'expected "," or "]"'],
    ['[1, 2)', 5, 'expected "," or "]"'],
    ['[1, foo]', 4, '"foo" is not a value'],
    ["{'a' 1}", 5, 'expected ":"'],
    ["['a", 3, 'string without an end'],
    ['[1] x', 4, 'text after the value'],
    ["'\\xg0'", 1, 'malformed escape'],
    ['['.repeat(600), 501, 'nested more than 500 deep'],
  ])('%s fails at %d', (text, offset, message) => {
    const failure = (): unknown => parsePythonLiteral(text);
    expect(failure).toThrow(PythonSyntaxError);
    expect(failure).toThrow(expect.objectContaining({ offset, message }) as Error);
  });
});

describe('parseListPrefix keeps what is complete', () => {
  test.each<[string, unknown[], string | undefined, boolean | undefined]>([
    ['[1, [2], 3]', [1, [2], 3], undefined, undefined],
    ['[1, [2], [3', [1, [2]], undefined, true],
    ['[1, 23', [1], undefined, true],
    ["['ab', 'c", ['ab'], 'c', true],
    ["[['c", [], undefined, true],
    ['[1, Tr', [1], undefined, true],
    ["['\\u00", [], undefined, true],
    ['[1, ?]', [1], undefined, false],
    ['5', [], undefined, false],
  ])('%s', (text, elements, cutText, cut) => {
    const prefix = parseListPrefix(text);
    expect(prefix.elements).toEqual(elements);
    expect(prefix.cutText).toBe(cutText);
    expect(prefix.error?.cut).toBe(cut);
  });
});
