import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOGUE, type CatalogueEntry, type FindingCode } from '../../src/base/catalogue.js';
import { STOP_CODES, type StopEntry } from '../../src/base/stop-codes.js';
import { errorsPage } from '../support/errors-page.js';
import { EXAMPLE_CASES, writeCase, type ExampleCase } from '../support/example-cases.js';
import { goldenLines } from '../support/golden-lines.js';
import { runHere } from '../support/in-process.js';
import { REPOSITORY } from '../support/repository.js';

/**
 * docs/errors.md is made from the catalogue. With UPDATE_EXAMPLES=1 it is written anew, and the catalogue takes over the
 * examples that the program prints otherwise: those of a case of their own, and from what the golden cases expect for the
 * other codes. After a build the next run writes them into the page.
 */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

test('docs/errors.md is the catalogue', () => {
  const path = join(REPOSITORY, 'docs', 'errors.md');
  if (UPDATE) writeFileSync(path, errorsPage());
  expect(readFileSync(path, 'utf8')).toBe(errorsPage());
});

test('the page has an index row and a section of its own for every code', () => {
  const page = errorsPage();
  const codes = [...Object.keys(CATALOGUE), ...Object.keys(STOP_CODES)].sort();
  const sections = [...page.matchAll(/^### ([A-Z0-9_]+)$/gm)].map(([, code]) => code);
  const rows = [...page.matchAll(/^\| \[`([A-Z0-9_]+)`\]\(#([a-z0-9_]+)\) \|/gm)];
  expect([...sections].sort()).toEqual(codes);
  expect(rows.map(([, code]) => code).sort()).toEqual(codes);
  expect(rows.filter(([, code, anchor]) => anchor !== code.toLowerCase())).toEqual([]);
});

/** A sentence or a heading: begins and ends as its kind does, and has no double blank. */
function texts({ title, meaning, remedy, advice }: CatalogueEntry | StopEntry): string[] {
  const wrong = [title, meaning, advice, ...remedy].filter((text) => text.trim() !== text || / {2}|\n/.test(text));
  const sentences = [meaning, ...remedy].filter((text) => !/[.`]$/.test(text));
  const headings = [title, advice].filter((text) => /\.$/.test(text));
  return [...wrong, ...sentences, ...headings];
}

test.each(Object.entries<CatalogueEntry>(CATALOGUE))('the page of %s is whole', (code, entry) => {
  const { severity, consequence, remedy, example } = entry;
  expect(texts(entry)).toEqual([]);
  expect(consequence).toMatch(/^[A-Z`].*[.`]$/);
  expect(remedy.length).toBeGreaterThan(0);
  expect(example.finding).toMatch(new RegExp(`^(error|warning|note) ${code}: .`));
  expect(example.finding.startsWith(`${severity} `)).toBe(true);
  expect(example.mended).not.toBe('');
});

test.each(Object.entries<StopEntry>(STOP_CODES))('the page of %s is whole', (_code, entry) => {
  expect(texts(entry)).toEqual([]);
  expect(entry.remedy.length).toBeGreaterThan(0);
});

describe('the example of a finding is a line that the program prints', () => {
  const home = process.cwd();
  const golden = goldenLines();
  afterAll(() => process.chdir(home));

  test.each(Object.keys(CATALOGUE) as FindingCode[])('%s', async (code) => {
    const { severity, example } = CATALOGUE[code];
    const own = EXAMPLE_CASES[code];
    const lines = own === undefined ? golden : await printedBy(own);
    const printed = lines.filter((line) => line.startsWith(`${severity} ${code}: `));
    if (UPDATE && printed.length > 0 && !printed.includes(example.finding)) {
      takeOver(example.finding, mostLike(example.finding, printed));
    } else {
      expect(printed).toContain(example.finding);
    }
  });
});

/** What the last command line of a case prints, in a new folder. */
async function printedBy(example: ExampleCase): Promise<string[]> {
  process.chdir(mkdtempSync(join(tmpdir(), 'example-')));
  const words = await writeCase(example, async (before) => {
    expect((await runHere(before)).status).toBe(0);
  });
  const { stderr, stdout } = await runHere(words);
  return `${stderr}${stdout}`.split('\n');
}

/** The line that agrees with another one for longest. */
function mostLike(line: string, lines: readonly string[]): string {
  const shared = (other: string): number => {
    let length = 0;
    while (length < line.length && other[length] === line[length]) length++;
    return length;
  };
  return lines.reduce((best, next) => (shared(next) > shared(best) ? next : best));
}

/** Writes the line that is printed into the catalogue, in place of the one that stands there. */
function takeOver(example: string, printed: string): void {
  const folder = join(REPOSITORY, 'src', 'base', 'catalogue');
  for (const name of readdirSync(folder)) {
    const source = readFileSync(join(folder, name), 'utf8');
    const quoted = printed.replaceAll("'", "\\'");
    if (source.includes(example))
      writeFileSync(
        join(folder, name),
        source.replace(example, () => quoted),
      );
  }
}
