import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.js';

const CASES = join(REPOSITORY, 'test', 'cases');

/** Every line that the golden cases expect on stdout and stderr, in the order of their names. */
export function goldenLines(): string[] {
  return readdirSync(CASES)
    .sort()
    .flatMap((name) => ['stdout.txt', 'stderr.txt'].map((file) => join(CASES, name, 'expected', file)))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'));
}
