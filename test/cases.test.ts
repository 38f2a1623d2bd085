import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { chakraPrep } from './support/command-line.js';
import { REPOSITORY } from './support/repository.js';

/**
 * Golden cases: each folder of test/cases holds `case.yaml`, inputs, and `expected/` with `stdout.txt`, `stderr.txt`
 * and output files. A command that is run in a copy of the folder must give exactly what is in `expected/`.
 */
interface Case {
  /** What the case shows. */
  shows: string;
  /** Command lines after `chakra-prep`, run in order; the last one is compared. */
  run: string[];
  /** Exit status of the last one; 0 when left out. */
  status?: number;
}

const folder = join(REPOSITORY, 'test', 'cases');

function files(top: string, below = top): string[] {
  return readdirSync(below)
    .flatMap((name) => {
      const path = join(below, name);
      return statSync(path).isDirectory() ? files(top, path) : [relative(top, path)];
    })
    .sort();
}

for (const name of readdirSync(folder)) {
  const source = join(folder, name);
  const { shows, run, status } = parse(readFileSync(join(source, 'case.yaml'), 'utf8')) as Case;
  test(`${name}: ${shows}`, () => {
    const work = mkdtempSync(join(tmpdir(), `case-${name}-`));
    cpSync(source, work, { recursive: true });
    const ran = run.map((line) => chakraPrep(line.split(' '), work)).at(-1)!;
    const expected = join(source, 'expected');
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({
      status: status ?? 0,
      stderr: existsSync(join(expected, 'stderr.txt'))
        ? readFileSync(join(expected, 'stderr.txt'), 'utf8')
        : ran.stderr,
    });
    for (const file of files(expected)) {
      if (file === 'stderr.txt') continue;
      const got = file === 'stdout.txt' ? ran.stdout : readFileSync(join(work, file), 'utf8');
      expect(got).toBe(readFileSync(join(expected, file), 'utf8'));
    }
  });
}
