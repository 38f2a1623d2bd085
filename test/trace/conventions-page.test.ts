import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONVENTIONS, type Convention } from '../../src/trace/conventions.js';
import { REPOSITORY } from '../support/repository.js';

const page = readFileSync(join(REPOSITORY, 'docs', 'conventions.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*?) \| (.*?) \| .*? \|$/gm)].map(([, name, values, about]) => ({
  name,
  values: [...values.matchAll(/`([^`]+)`/g)].map(([, value]) => value),
  about,
}));

test('docs/conventions.md has a row for each convention, in the order of the table', () => {
  expect(rows.map(({ name }) => name)).toEqual(CONVENTIONS.map(({ name }) => name));
});

test.each(CONVENTIONS.map((convention): [string, Convention] => [convention.name, convention]))(
  'the row of %s has its values, the default first, and says what it speaks of',
  (name, { values, subject }) => {
    const row = rows.find((one) => one.name === name)!;
    const words = Object.keys(values);
    expect(row.values[0]).toBe(words[0]);
    expect(row.values.slice(0, words.length).sort()).toEqual([...words].sort());
    expect(row.about.startsWith(subject.split(' of sends')[0])).toBe(true);
  },
);
