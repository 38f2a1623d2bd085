import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../support/repository.js';
import { TABLES } from './experiments/tables.js';
import { testExperiments } from './tested-experiments.js';

testExperiments([TABLES], 'v-17-18');

test('V-18: every example A to K of the scale-up fabric has a test', () => {
  const examples = readFileSync(join(REPOSITORY, 'test', 'network', 'scale-up', 'examples.test.ts'), 'utf8');
  const names = [...examples.matchAll(/^test\('SU example ([A-Z]) /gm)].map(([, name]) => name);
  expect(names.join('')).toBe('ABCDEFGHIJK');
});
