import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFacts } from '../../src/base/package.js';
import { REPOSITORY } from '../support/repository.js';

test('the version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  expect(packageFacts().version).toBe(version);
});

test.each([
  ['https://git.example/a/b', 'https://git.example/a/b'],
  [{ url: 'git+https://git.example/a/b.git' }, 'https://git.example/a/b'],
  [{ url: 'git@git.example:a/b.git' }, undefined],
  [{}, undefined],
])('repository %j is shown at %s', (repository, address) => {
  const facts = { version: '1.2.3', ...(address === undefined ? {} : { repository: address }) };
  expect(packageFacts({ version: '1.2.3', repository })).toEqual(facts);
});

test('the homepage is taken as it is', () => {
  expect(packageFacts({ version: '1.2.3', homepage: 'https://x.example/' })).toEqual({
    version: '1.2.3',
    homepage: 'https://x.example/',
  });
});
