import { MemorySource } from '../../src/base/byte-source.js';
import { JsonSyntaxError } from '../../src/formats/json-scan.js';
import { JsonNumber, jsonScanner, readJsonValue } from '../../src/formats/json-value.js';

function read(text: string | Uint8Array): unknown {
  const scan = jsonScanner(new MemorySource(Buffer.from(text as string), 'x.json'));
  return readJsonValue(scan, scan.next());
}

test('values as they are written', () => {
  expect(read('\ufeff{"a": [1.0, -0, 18446744073709551616, null, true, "x"], "b": {}}')).toEqual(
    new Map<string, unknown>([
      ['a', [new JsonNumber('1.0'), new JsonNumber('-0'), new JsonNumber('18446744073709551616'), null, true, 'x']],
      ['b', new Map()],
    ]),
  );
});

test.each<[string | Uint8Array, number, string]>([
  ['{"a": 1, "a": 2}', 9, 'the key "a" is there twice'],
  ['{"b": [{"a": 1, "\\u0061": 2}]}', 16, 'the key "a" is there twice'],
  ['{"a": NaN}', 6, '"NaN" is not a value'],
  ['{"a": -Infinity}', 6, '"-Infinity" is not a value'],
  ['{"a": "\\x"}', 6, 'malformed escape in a string'],
  ['{"a": "\\ud800"}', 6, 'half a character in a string'],
  [Uint8Array.from([0x22, 0xc3, 0x28, 0x22]), 0, 'string that is not UTF-8'],
  ['{"a": "x', 6, 'string without an end'],
  ['{"a": [1, 2', 11, 'ends in the middle of a value'],
  ['{"a" 1}', 1, 'expected ":" after the key'],
  [`${'['.repeat(65)}`, 64, 'more than 64 objects and lists inside each other'],
])('%j is refused with its place', (text, offset, message) => {
  expect(() => read(text)).toThrow(new JsonSyntaxError(offset, message));
  try {
    read(text);
  } catch (error) {
    expect((error as JsonSyntaxError).offset).toBe(offset);
  }
});
