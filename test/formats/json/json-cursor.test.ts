import { MemorySource } from '../../../src/base/byte-source.js';
import { JsonSyntaxError } from '../../../src/formats/json-scan.js';
import { JsonCursor, JsonKind } from '../../../src/formats/json/json-cursor.js';
import { JsonKeys, KEY_END, KEY_UNKNOWN } from '../../../src/formats/json/json-keys.js';
import { jsonValue } from '../../../src/formats/json/json-value.js';

function cursor(text: string | Uint8Array, windowBytes?: number): JsonCursor {
  return new JsonCursor(new MemorySource(typeof text === 'string' ? Buffer.from(text) : text, 'x.json'), windowBytes);
}

/** The value of a whole text, in windows so small that every token crosses their ends. */
function value(text: string | Uint8Array, windowBytes = 7): unknown {
  const at = cursor(text, windowBytes);
  const result = jsonValue(at);
  at.finish();
  return result;
}

function problem(work: () => unknown): { offset: number; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { offset: error.offset, message: error.message };
    throw error;
  }
  throw new Error('no error');
}

test('walks objects and lists by key, and knows where it is', () => {
  const keys = new JsonKeys(['id', 'name']);
  const at = cursor('{"id": 7, "x": [1, {"id": 8}], "name": "ab"}');
  at.enterObject();
  expect([at.nextKey(keys), at.integer()]).toEqual([0, 7]);
  expect(at.nextKey(keys)).toBe(KEY_UNKNOWN);
  expect(at.valueOffset()).toBe(15);
  at.skip();
  expect(at.offset).toBe(29);
  expect([at.nextKey(keys), at.stringIn(keys)]).toEqual([1, KEY_UNKNOWN]);
  expect(at.nextKey(keys)).toBe(KEY_END);
  at.finish();
});

test('matches keys that are written with escapes', () => {
  const keys = new JsonKeys(['id']);
  const at = cursor('{"\\u0069d": "i\\u0064"}');
  at.enterObject();
  expect(at.nextKey(keys)).toBe(0);
  expect(at.stringIn(keys)).toBe(0);
});

test('goes back to what it holds, whatever the window', () => {
  for (const windowBytes of [3, 5, 8, 64]) {
    const at = cursor(`[{"first": [1, 2, 3], "second": "${'x'.repeat(40)}"}, 4]`, windowBytes);
    const keys = new JsonKeys(['first', 'second']);
    at.enterArray();
    at.nextElement();
    at.hold();
    at.enterObject();
    at.nextKey(keys);
    const first = at.valueOffset();
    at.skip();
    at.nextKey(keys);
    at.skip();
    expect(at.nextKey(keys)).toBe(KEY_END);
    const end = at.offset;
    at.seek(first);
    expect(jsonValue(at)).toEqual([1, 2, 3]);
    at.seek(end);
    at.release();
    expect([at.nextElement(), at.integer(), at.nextElement()]).toEqual([true, 4, false]);
  }
});

test('jumps anywhere', () => {
  const text = `[${Array.from({ length: 50 }, (_, place) => `{"place":${place}}`).join(', ')}]`;
  for (const windowBytes of [3, 16, 1000]) {
    const at = cursor(text, windowBytes);
    for (const place of [49, 0, 25, 26, 27, 3, 48]) {
      const offset = text.indexOf(`{"place":${place}}`);
      at.jump(offset, `{"place":${place}}`.length);
      at.hold();
      expect(jsonValue(at)).toEqual({ place });
      at.release();
    }
  }
});

test.each([
  ['0', 0],
  ['-7', -7],
  ['-0', -0],
  ['123456789012345', 123456789012345],
  ['9007199254740991', 9007199254740991],
  ['1.5', 1.5],
  ['-1.25e-3', -0.00125],
  ['1E5', 100000],
  ['4458676522690.655', 4458676522690.655],
  ['NaN', NaN],
  ['-Infinity', -Infinity],
  ['inf', Infinity],
  ['-nan', NaN],
])('reads the number %s', (text, expected) => {
  expect(value(text)).toBe(expected);
  expect(value(`[${text},${text}]`)).toEqual([expected, expected]);
});

test.each([
  ['9007199254740992', NaN],
  ['18446744073709551615', NaN],
  ['1.5', NaN],
  ['nan', NaN],
  ['-12', -12],
  ['3.0', 3],
])('as an integer %s is %d', (text, expected) => {
  const at = cursor(text);
  expect(at.integer()).toBe(expected);
  if (Number.isNaN(expected)) expect(at.numberText()).toBe(text);
});

test.each([
  ['"\\d \\U \\ x"', '\\d \\U \\ x'],
  ['"C:\\dir\\new"', 'C:\\dir\new'],
  ['"\\u12"', '\\u12'],
  ['"\\\\d"', '\\d'],
  ['"a\tb\nc\u0001"', 'a\tb\nc\u0001'],
  ['"zero \u0000 inside"', 'zero \u0000 inside'],
  ['"\\ud800"', '\ufffd'],
  ['"\\ud83d\\ude00"', '\u{1f600}'],
  ['"\\"\\/\\b\\f\\n\\r\\t"', '"/\b\f\n\r\t'],
  ['"é"', 'é'],
])('reads the text %s', (text, expected) => {
  expect(value(text)).toBe(expected);
  expect(value(`{"k": ${text}}`, 3)).toEqual({ k: expected });
  const at = cursor(text, 5);
  at.skip();
  at.finish();
});

test('bytes that are no UTF-8 are U+FFFD', () => {
  expect(value(Uint8Array.of(0x22, 0x61, 0xff, 0x22))).toBe('a\ufffd');
});

test('passes over a UTF-8 mark, the last of repeated keys counts', () => {
  expect(value('\ufeff {"a": 1, "a": 2}')).toEqual({ a: 2 });
});

test('kinds by the first byte', () => {
  const at = cursor('[{}, [], "", 1, -1, true, false, null, nan, NaN, Infinity, inf]', 4);
  const kinds: number[] = [];
  at.enterArray();
  while (at.nextElement()) {
    kinds.push(at.kind());
    at.skip();
  }
  const { object, array, string, number, boolean } = JsonKind;
  const expected = [object, array, string, number, number, boolean, boolean, JsonKind.null, ...Array(4).fill(number)];
  expect(kinds).toEqual(expected);
});

test('depth costs memory and no stack', () => {
  const depth = 200_000;
  const at = cursor('['.repeat(depth) + ']'.repeat(depth));
  at.skip();
  at.finish();
});

test.each([
  ['', 0, 'the file ends, expected a value'],
  ['{"a": 1', 7, 'the file ends, expected "," or "}"'],
  ['{"a" 1}', 5, 'expected ":" after the key, got "1"'],
  ['{a: 1}', 1, 'expected a key in double quotes, got "a"'],
  ['{"a": 1,}', 8, 'expected a key in double quotes, got "}"'],
  ['[1, 2', 5, 'the file ends, expected "," or "]"'],
  ['[1 2]', 3, 'expected "," or "]", got "2"'],
  ['[1,]', 3, 'expected a value, got "]"'],
  ['[1}', 2, 'expected "," or "]", got "}"'],
  ['"abc', 0, 'a text without an end, the file ends inside it'],
  ['"abc\\"', 0, 'a text without an end, the file ends inside it'],
  ['01', 0, 'a number that begins with 0'],
  ['1.', 2, 'expected a digit behind the decimal point'],
  ['1e+', 3, 'expected the digits of an exponent'],
  ['-', 0, 'expected a value, got "-"'],
  ['nul', 0, 'expected "null", got "n"'],
  ['truth', 0, 'expected "true", got "t"'],
  ['True', 0, 'expected a value, got "T"'],
  ['[1] 2', 4, 'expected the end of the file, got "2"'],
  ['{} \u0000', 3, 'expected the end of the file, got byte 0x00'],
])('%j is refused at byte %d', (text, offset, message) => {
  for (const windowBytes of [3, 7, 100]) {
    expect(problem(() => value(text, windowBytes))).toEqual({ offset, message });
    expect(
      problem(() => {
        const at = cursor(text, windowBytes);
        at.skip();
        at.finish();
      }),
    ).toEqual({ offset, message });
  }
});

test('a set of keys finds each of them and nothing else', () => {
  const texts = Array.from({ length: 60 }, (_, place) => `${'abc'[place % 3]}${place}_${'x'.repeat(place % 7)}`);
  const keys = new JsonKeys(texts);
  texts.forEach((text, place) => {
    expect(keys.match(Buffer.from(text), 0, text.length)).toBe(place);
    expect(keys.match(Buffer.from(`${text}!`), 0, text.length + 1)).toBe(KEY_UNKNOWN);
  });
  expect(keys.match(Buffer.from(''), 0, 0)).toBe(KEY_UNKNOWN);
});
