import fc from 'fast-check';
import { MemorySource } from '../../src/base/byte-source.js';
import { JsonSyntaxError } from '../../src/formats/json-scan.js';
import { JsonCursor } from '../../src/formats/json/json-cursor.js';
import { jsonValue } from '../../src/formats/json/json-value.js';

/** The cursor reads what JSON.parse reads, and refuses what it refuses, whatever the size of its window. */

const REFUSED = Symbol('refused');

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return REFUSED;
    throw error;
  }
}

function read(text: string, windowBytes: number, skipped = false): unknown {
  return outcome(() => {
    const cursor = new JsonCursor(new MemorySource(Buffer.from(text), 'x.json'), windowBytes);
    const value = skipped ? cursor.skip() : jsonValue(cursor);
    cursor.finish();
    return value;
  });
}

const windows = fc.integer({ min: 3, max: 40 });

test('values of random documents', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5, noUnicodeString: false }),
      windows,
      fc.integer({ min: 0, max: 3 }),
      (json, window, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(read(text, window)).toEqual(JSON.parse(text));
        expect(read(text, window, true)).toBeUndefined();
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

test('documents with a byte put in, taken away or changed', () => {
  // Texts without backslashes and control characters, which the cursor takes as they come.
  const plain = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ':', '{', '9') });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        plain,
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(plain, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const byte = fc.constantFrom(...'{}[],:"0123456789.eE+- \n'.split(''));
  fc.assert(
    fc.property(tree, fc.nat(), fc.constantFrom(0, 1, 2), byte, windows, (value, place, change, put, window) => {
      const text = JSON.stringify(value);
      const at = place % (text.length + 1);
      const changed = text.slice(0, at) + (change === 1 ? '' : put) + text.slice(change === 0 ? at : at + 1);
      // A line end inside of a text is one more thing that is taken.
      if (/"[^"]*\n[^"]*"/.test(changed)) return;
      const expected = outcome(() => JSON.parse(changed) as unknown);
      expect(read(changed, window)).toEqual(expected);
      expect(read(changed, window, true)).toBe(expected === REFUSED ? REFUSED : undefined);
    }),
    { numRuns: 5000, seed: 2 },
  );
});
