import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../src/base/catalogue.js';
import { STOP_CODES } from '../../src/base/stop-codes.js';
import { REPOSITORY } from '../support/repository.js';

const page = readFileSync(join(REPOSITORY, 'docs', 'errors.md'), 'utf8');

test.each(Object.entries(CATALOGUE))(
  '%s has its row in docs/errors.md',
  (code, { severity, title, meaning, advice }) => {
    expect(page).toContain(`| \`${code}\` | ${severity} | ${title} | ${meaning} | ${advice} |`);
  },
);

test.each(Object.entries(STOP_CODES))('%s has its row in docs/errors.md', (code, { exitStatus, title, advice }) => {
  expect(page).toContain(`| \`${code}\` | ${exitStatus} | ${title} | ${advice} |`);
});

test('docs/errors.md names no other code, and no code twice', () => {
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code]) => code);
  expect([...rows].sort()).toEqual([...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)].sort());
});
