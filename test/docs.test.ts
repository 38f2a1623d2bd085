import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programFolder } from './support/command-line.js';
import { copySamples } from './support/folders.js';
import { runIn, wordsWithoutShell } from './support/in-process.js';
import { REPOSITORY } from './support/repository.js';

/**
 * Every `console` block in the README and the docs is run and its output compared. `$ ` begins a command; a line `…`
 * stands for any lines. The blocks of a page run one after another in a folder that holds `samples`. With
 * UPDATE_EXAMPLES=1 the page takes over what the commands print, to be read before it is committed.
 */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

/** Commands that install or test the project itself: what runs in their place, and where. */
const IN_PLACE: Readonly<Record<string, string | undefined>> = {
  // The installation and the build have been done by whoever runs this test.
  'npm ci && npm run demo': `cd '${REPOSITORY}' && node samples/demo.js`,
  // The sample imports the package it lies in.
  'node samples/feed.js samples/traces/step.0.et | tail -n 3': `cd '${REPOSITORY}' && node samples/feed.js samples/traces/step.0.et | tail -n 3`,
  // This test is part of that run; .ci/run compares its closing lines.
  'npm ci && npm test': undefined,
};

interface Example {
  line: number;
  command: string;
  expected: string[];
}

function examples(markdown: string): Example[] {
  const found: Example[] = [];
  let inside = false;
  markdown.split('\n').forEach((text, index) => {
    if (text.startsWith('```')) inside = text === '```console';
    else if (inside && text.startsWith('$ ')) found.push({ line: index + 1, command: text.slice(2), expected: [] });
    else if (inside && found.length > 0) {
      const last = found[found.length - 1];
      if (last.command.endsWith('\\') && last.expected.length === 0) last.command = `${last.command}\n${text}`;
      else last.expected.push(text);
    }
  });
  return found;
}

/** Whether `got` is `expected`, where an expected line `…` stands for any number of lines. */
function matches(got: readonly string[], expected: readonly string[]): boolean {
  if (expected.length === 0) return got.length === 0;
  if (expected[0] === '…') {
    for (let skip = 0; skip <= got.length; skip++) if (matches(got.slice(skip), expected.slice(1))) return true;
    return false;
  }
  return got.length > 0 && got[0].trimEnd() === expected[0].trimEnd() && matches(got.slice(1), expected.slice(1));
}

const pages = ['README.md', ...readdirSync(join(REPOSITORY, 'docs')).map((name) => join('docs', name))].filter((name) =>
  name.endsWith('.md'),
);

describe.each(pages)('%s', (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  const path = `${programFolder()}${delimiter}${process.env.PATH}`;
  beforeAll(() => copySamples(join(REPOSITORY, 'samples'), join(folder, 'samples')));

  const found = examples(readFileSync(join(REPOSITORY, page), 'utf8'));
  test('begins every console block with a command, so that no line of it goes unchecked', () => {
    const blocks = readFileSync(join(REPOSITORY, page), 'utf8').split('```console\n').slice(1);
    expect(blocks.filter((block) => !block.startsWith('$ '))).toEqual([]);
  });
  for (const [place, { line, command, expected }] of found.entries()) {
    const run = command in IN_PLACE ? IN_PLACE[command] : command;
    if (run === undefined) continue;
    test(`line ${line}: ${command}`, async () => {
      const words = wordsWithoutShell(run);
      const { stdout } =
        words === undefined ? inShell(run, path, folder) : await runIn(folder, words, { together: true });
      const got = stdout.replace(/\n$/, '').split('\n');
      const lines = stdout === '' ? [] : got;
      if (matches(lines, expected)) return;
      const earlier = found.slice(0, place).filter((example) => example.command === command).length;
      if (UPDATE) takeOver(page, command, earlier, lines);
      else expect(lines).toEqual(expected);
    });
  }
});

function inShell(run: string, path: string, cwd: string): { stdout: string } {
  const env = { ...process.env, PATH: path, NO_COLOR: '1', NODE_OPTIONS: '' };
  return spawnSync('bash', ['-c', `{ ${run}\n} 2>&1`], { cwd, encoding: 'utf8', env });
}

/** Writes what a command printed into the page, in place of what stands there after its `earlier` first occurrences. */
function takeOver(page: string, command: string, earlier: number, printed: readonly string[]): void {
  const path = join(REPOSITORY, page);
  const lines = readFileSync(path, 'utf8').split('\n');
  const commandLines = `$ ${command}`.split('\n');
  const starts = [...lines.keys()].filter((index) =>
    commandLines.every((text, offset) => lines[index + offset] === text),
  );
  const start = starts[earlier];
  let end = start + commandLines.length;
  while (!lines[end].startsWith('```') && !lines[end].startsWith('$ ')) end++;
  lines.splice(start + commandLines.length, end - start - commandLines.length, ...printed);
  writeFileSync(path, lines.join('\n'));
}
