import { MemorySource } from '../../src/base/byte-source.js';
import { JsonScanner, lineAndColumn } from '../../src/formats/json-scan.js';

/** Tokens as `token@offset`, with the text of keys, strings and numbers. */
function tokens(text: string, options: ConstructorParameters<typeof JsonScanner>[1] = {}): string[] {
  const scan = new JsonScanner(new MemorySource(Buffer.from(text), 'x'), options);
  const found: string[] = [];
  for (;;) {
    const token = scan.next();
    found.push(`${token}@${scan.offset}${['key', 'string', 'number'].includes(token) ? ` ${scan.text}` : ''}`);
    if (token === 'end' || token === 'cut') return found;
  }
}

const TEXT = '{"a": [1, -2.5e3, "x\\n\\u00e9"], "é": {"b": true}} [] null';
const TOKENS = [
  'beginObject@0',
  'key@1 a',
  'beginArray@6',
  'number@7 1',
  'number@10 -2.5e3',
  'string@18 x\né',
  'endArray@29',
  'key@32 é',
  'beginObject@38',
  'key@39 b',
  'true@44',
  'endObject@48',
  'endObject@49',
  'beginArray@51',
  'endArray@52',
  'null@54',
  'end@58',
];

test.each([1, 7, 1 << 16])('values one after the other, through a window of %d bytes', (windowBytes) => {
  expect(tokens(TEXT, { windowBytes })).toEqual(TOKENS);
  expect(tokens(TEXT, { windowBytes, strict: true })).toEqual(TOKENS);
});

test('a limit cuts wherever it falls', () => {
  const whole = TOKENS.slice(0, -1);
  for (let limit = 0; limit < Buffer.from(TEXT).length; limit++) {
    const found = tokens(TEXT, { limit, windowBytes: 5 });
    expect(found.pop()).toMatch(/^cut@/);
    expect(whole.slice(0, found.length)).toEqual(found);
  }
});

test('longer strings than asked for have no text', () => {
  expect(tokens('{"abc": "abcd"}', { keepBytes: 3 })).toEqual([
    'beginObject@0',
    'key@1 abc',
    'string@8 ',
    'endObject@14',
    'end@15',
  ]);
});

test('NaN and raw line ends in strings pass unless strict', () => {
  expect(tokens('[NaN, -Infinity, "a\nb"]')).toContain('number@1 NaN');
  expect(() => tokens('[NaN]', { strict: true })).toThrow('"NaN" is not a value');
  expect(() => tokens('["a\nb"]', { strict: true })).toThrow('control character in a string');
  expect(() => tokens('["\\q"]', { strict: true })).toThrow('malformed escape in a string');
});

test.each<[string, number]>([
  ['[1,]', 3],
  ['{"a" 1}', 1],
  ['{1: 2}', 1],
  ['[1 2]', 3],
  ['[1', 2],
  ['"abc', 0],
  ['{"a":', 5],
  ['[01]', 1],
  [']', 0],
  ['["\u0001"]', 2],
])('%s is no JSON at byte %d', (text, offset) => {
  expect(() => tokens(text)).toThrow(expect.objectContaining({ name: 'JsonSyntaxError', offset }) as Error);
});

test('lines and columns count from 1, columns in characters', () => {
  const bytes = Buffer.from('ab\n"é😀" x');
  expect(lineAndColumn(bytes, 0)).toEqual({ line: 1, column: 1 });
  expect(lineAndColumn(bytes, bytes.length - 1)).toEqual({ line: 2, column: 6 });
});
