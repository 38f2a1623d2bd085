import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { Ran } from './support/command-line.js';
import { runLine } from './support/in-process.js';
import { REPOSITORY } from './support/repository.js';

/**
 * Golden cases: each folder of test/cases holds `case.yaml`, the inputs, and `expected/`. The command lines run in a copy
 * of the folder; status and output of the last one, and every file that all of them made, must be exactly what is in
 * `expected/`: `stdout.txt`, `stderr.txt` (empty where they are absent), and the files under their own paths.
 */
interface Case {
  /** What the case shows. */
  shows: string;
  /** Command lines after `chakra-prep`, as a shell reads them; all but the last end with status 0. */
  run: string[];
  /** Exit status of the last one; 0 when left out. */
  status?: number;
  /** Folders with files that are made on the way and not compared. */
  between?: string[];
}

/** With UPDATE_EXAMPLES=1 `expected/` is written instead of compared; see CONTRIBUTING.md. */
const UPDATE = process.env.UPDATE_EXAMPLES === '1';

const CASES = join(REPOSITORY, 'test', 'cases');

/** Text of every file below a folder, by path. */
function texts(folder: string, skip: readonly string[] = []): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !skip.some((top) => path.startsWith(`${top}/`)))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

interface Made {
  readonly status: number | null;
  readonly made: Record<string, string>;
}

async function runCase(source: string, { run, between = [] }: Case): Promise<Made> {
  const work = mkdtempSync(join(tmpdir(), 'case-'));
  cpSync(source, work, { recursive: true });
  rmSync(join(work, 'expected'), { recursive: true, force: true });
  const inputs = texts(work);
  const ran: Ran[] = [];
  for (const line of run) ran.push(await runLine(`chakra-prep ${line}`, work));
  expect(ran.slice(0, -1).map(({ status, stderr }) => (status === 0 ? '' : stderr))).toEqual(
    run.slice(1).map(() => ''),
  );
  const { status, stdout, stderr } = ran[ran.length - 1];
  const files = texts(work, between);
  for (const [path, text] of Object.entries(inputs)) {
    expect(files[path]).toBe(text);
    delete files[path];
  }
  return { status, made: { ...printed('stdout.txt', stdout), ...printed('stderr.txt', stderr), ...files } };
}

function printed(name: string, text: string): Record<string, string> {
  return text === '' ? {} : { [name]: text };
}

for (const name of readdirSync(CASES)) {
  const source = join(CASES, name);
  const golden = parse(readFileSync(join(source, 'case.yaml'), 'utf8')) as Case;
  test(`${name}: ${golden.shows}`, async () => {
    const { status, made } = await runCase(source, golden);
    const expected = join(source, 'expected');
    if (UPDATE) {
      rmSync(expected, { recursive: true, force: true });
      for (const [path, text] of Object.entries(made)) {
        mkdirSync(dirname(join(expected, path)), { recursive: true });
        writeFileSync(join(expected, path), text);
      }
    }
    expect({ status, ...made }).toEqual({ status: golden.status ?? 0, ...texts(expected) });
  });
}
