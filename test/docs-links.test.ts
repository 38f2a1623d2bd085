import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from './support/repository.js';

/** Pages a reader meets, as paths from the top of the repository. */
const documents = readdirSync(join(REPOSITORY, 'docs')).map((name) => join('docs', name));
const pages = ['README.md', 'CONTRIBUTING.md', join('samples', 'README.md'), ...documents];

/** A page without its blocks of code, in which brackets are no links and `#` begins no heading. */
function textOf(page: string): string {
  return readFileSync(join(REPOSITORY, page), 'utf8').replace(/^```[^]*?^```$/gm, '');
}

/** Files that a page links to, with what stands behind `#`; paths from the top of the repository. */
function linksOf(page: string): { path: string; anchor?: string }[] {
  return [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file, anchor] = target.split('#');
      return { path: file === '' ? page : join(dirname(page), file), ...(anchor === undefined ? {} : { anchor }) };
    });
}

/** What GitHub makes of headings: small letters, digits, `_` and `-`, blanks as `-`. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(pages)('%s links to files and headings that exist', (page) => {
  const links = linksOf(page);
  expect(links.filter(({ path }) => !existsSync(join(REPOSITORY, path))).map(({ path }) => path)).toEqual([]);
  const anchored = links.filter(({ path, anchor }) => anchor !== undefined && path.endsWith('.md'));
  expect(
    anchored
      .filter(({ path, anchor }) => !anchorsOf(path).includes(anchor!))
      .map(({ path, anchor }) => `${path}#${anchor}`),
  ).toEqual([]);
});

test('the README leads to every page of docs and to the samples', () => {
  const linked = linksOf('README.md').map(({ path }) => path);
  expect([...documents, join('samples', 'README.md')].filter((page) => !linked.includes(page))).toEqual([]);
});

test('samples/README.md tells of every sample', () => {
  const told = linksOf(join('samples', 'README.md')).map(({ path }) => path);
  const text = textOf(join('samples', 'README.md'));
  const samples = readdirSync(join(REPOSITORY, 'samples')).filter((name) => name !== 'README.md');
  expect(samples.filter((name) => !told.includes(join('samples', name)) && !text.includes(`\`${name}\``))).toEqual([]);
});
