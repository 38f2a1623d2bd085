import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputFiles } from '../../src/base/output-files.js';

const bytes = (text: string) => new TextEncoder().encode(text);

test('files get their names on commit, all together', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'output-')), 'a', 'b');
  const output = new OutputFiles(folder, 'token');
  output.prepare();
  output.write('job.0.et', (write) => {
    write(bytes('ab'));
    write(bytes('c'));
  });
  expect(readdirSync(folder)).toEqual(['job.0.et.token.partial']);
  output.commit();
  expect(readFileSync(join(folder, 'job.0.et'), 'utf8')).toBe('abc');
  expect(readdirSync(folder)).toEqual(['job.0.et']);
});

test('a discarded run leaves neither files nor folders, and what was there before stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'output-'));
  const output = new OutputFiles(join(root, 'a', 'b'), 'token');
  output.prepare();
  expect(() =>
    output.write('job.0.et', (write) => {
      write(bytes('ab'));
      throw new Error('stop');
    }),
  ).toThrow('stop');
  output.discard();
  expect(existsSync(join(root, 'a'))).toBe(false);
  expect(existsSync(root)).toBe(true);
});

test('an unwritable folder is named', () => {
  const root = mkdtempSync(join(tmpdir(), 'output-'));
  const file = new OutputFiles(root, 'token');
  file.write('plain', (write) => write(bytes('x')));
  file.commit();
  expect(() => new OutputFiles(join(root, 'plain', 'below')).prepare()).toThrow(/plain.*below: cannot be made/);
});

test('a folder below is made for its files and removed with them', () => {
  const root = mkdtempSync(join(tmpdir(), 'output-'));
  const fill = (output: OutputFiles): void => {
    output.prepare();
    output.prepareBelow('ranks');
    output.prepareBelow('ranks'); // a second time does no harm
    output.write('ranks/0.json', (write) => write(bytes('x')));
  };
  const kept = new OutputFiles(join(root, 'kept'), 'token');
  fill(kept);
  kept.commit();
  expect(readFileSync(join(root, 'kept', 'ranks', '0.json'), 'utf8')).toBe('x');
  const discarded = new OutputFiles(join(root, 'discarded'), 'token');
  fill(discarded);
  discarded.discard();
  expect(existsSync(join(root, 'discarded'))).toBe(false);
});
