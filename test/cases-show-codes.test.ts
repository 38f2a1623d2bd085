import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../src/base/catalogue.js';
import { REPOSITORY } from './support/repository.js';

const CASES = join(REPOSITORY, 'test', 'cases');

/** Everything the golden cases print. */
const printed = readdirSync(CASES)
  .flatMap((name) => ['stdout.txt', 'stderr.txt'].map((file) => join(CASES, name, 'expected', file)))
  .map((path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  })
  .join('\n');

test.each(Object.keys(CATALOGUE))('a golden case shows %s', (code) => {
  expect(new RegExp(`\\b${code}\\b`).test(printed)).toBe(true);
});
