import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileSource, MemorySource, type ByteSource } from '../../src/base/byte-source.js';

const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
const path = join(mkdtempSync(join(tmpdir(), 'source-')), 'bytes');
writeFileSync(path, bytes);

const sources: [string, () => ByteSource][] = [
  ['memory', () => new MemorySource(bytes, 'memory')],
  ['file, window of 7', () => new FileSource(path, 7)],
  ['file, window of 4096', () => new FileSource(path, 4096)],
];

describe.each(sources)('%s', (_, open) => {
  test('gives every range, in any order, also larger than the window', () => {
    const source = open();
    expect(source.length).toBe(100);
    for (const [offset, length] of [
      [0, 5],
      [3, 4],
      [90, 10],
      [0, 100],
      [50, 0],
      [20, 30],
    ]) {
      expect([...source.read(offset, length)]).toEqual([...bytes.subarray(offset, offset + length)]);
    }
    source.close();
  });

  test('can be read again after it was closed, and closed twice', () => {
    const source = open();
    source.read(10, 5);
    source.close();
    source.close();
    expect([...source.read(10, 5)]).toEqual([10, 11, 12, 13, 14]);
    source.close();
  });

  test('refuses a range beyond its end', () => {
    const source = open();
    expect(() => source.read(96, 5)).toThrow(/bytes 96 to 101 asked for, it has 100/);
    source.close();
  });
});

test('a file that is read here and there, on from there, and back gives the same as in memory', () => {
  const long = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7919) >>> 5);
  const file = join(mkdtempSync(join(tmpdir(), 'source-')), 'long');
  writeFileSync(file, long);
  const source = new FileSource(file, 1 << 16);
  for (let step = 0, offset = 0; step < 400; step++) {
    const length = 1 + ((step * 37) % 900);
    // Every fifth read is a jump.
    offset = step % 5 === 0 ? (step * 99_991) % (long.length - 1000) : Math.min(offset + length, long.length - 1000);
    const read = source.read(offset, length);
    expect(Buffer.from(read).equals(long.subarray(offset, offset + length))).toBe(true);
  }
  source.close();
});
