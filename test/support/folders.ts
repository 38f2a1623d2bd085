import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { REPOSITORY } from './repository.js';
import { buildEt, type NodeObject } from './traces.js';

/** A new empty folder. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'chakra-prep-test-'));
}

/** A new folder that holds the sample traceset as `traces/job.0.et` … `job.3.et`. */
export function folderWithSamples(): string {
  const folder = newFolder();
  const samples = join(REPOSITORY, 'samples', 'traces');
  mkdirSync(join(folder, 'traces'));
  for (const name of readdirSync(samples)) {
    cpSync(join(samples, name), join(folder, 'traces', name.replace(/^step\./, 'job.')));
  }
  return folder;
}

/** Copies samples, or one of them, without what a Makefile built there before. */
export function copySamples(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== 'out' });
}

/** Writes the ranks as `job.<rank>.et` into `folder`, which is made, and gives the folder back. */
export function writeRanks(folder: string, ranks: readonly NodeObject[][]): string {
  mkdirSync(folder, { recursive: true });
  ranks.forEach((nodes, rank) => writeFileSync(join(folder, `job.${rank}.et`), buildEt(nodes)));
  return folder;
}

/** Content of every file below a folder, by path; empty for a folder that is not there. */
export function filesBelow(folder: string): Record<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}
