import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FileSource } from '../../src/base/byte-source.js';
import { openTraceSource, sourceFromBytes } from '../../src/formats/open-source.js';

describe('openTraceSource', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'open-source-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const written = (name: string, bytes: Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  test('a plain file is read by windows', () => {
    const source = openTraceSource(written('a.et', Uint8Array.of(1, 2, 3)));
    expect(source).toBeInstanceOf(FileSource);
    expect([...source.read(1, 2)]).toEqual([2, 3]);
    source.close();
  });

  test('gzip is told by its content, not by the name', () => {
    const gzipped = openTraceSource(written('b.et', gzipSync(Uint8Array.of(1, 2, 3))));
    expect([...gzipped.read(0, gzipped.length)]).toEqual([1, 2, 3]);
    const plain = openTraceSource(written('c.et.gz', Uint8Array.of(7)));
    expect([...plain.read(0, 1)]).toEqual([7]);
    plain.close();
  });

  test('an empty file has no bytes', () => {
    const source = openTraceSource(written('d.et', new Uint8Array(0)));
    expect(source.length).toBe(0);
    source.close();
  });

  test('errors name the path', () => {
    const missing = join(folder, 'none.et');
    const unreadable = { code: 'FILE_UNREADABLE', exitStatus: 3 };
    expect(() => openTraceSource(missing)).toThrow(
      expect.objectContaining({ ...unreadable, message: `${missing}: no such file` }),
    );
    const aFolder = `${folder}: is a folder, expected a file`;
    expect(() => openTraceSource(folder)).toThrow(expect.objectContaining({ ...unreadable, message: aFolder }));
    const cut = written('e.et', gzipSync(Buffer.alloc(1000, 'x')).subarray(0, 12));
    const message = expect.stringMatching(/e\.et: starts as gzip and cannot be unpacked: /) as string;
    expect(() => openTraceSource(cut)).toThrow(
      expect.objectContaining({ code: 'GZIP_BROKEN', exitStatus: 3, message }),
    );
  });
});

test('sourceFromBytes unpacks gzip from a pipe and names it', () => {
  const source = sourceFromBytes(gzipSync(Uint8Array.of(5, 6)), '-');
  expect([source.name, ...source.read(0, 2)]).toEqual(['-', 5, 6]);
});
