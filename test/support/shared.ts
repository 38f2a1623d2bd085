import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The folder of real traces and reference results beside the repository; CHAKRA_PREP_SHARED names another place. */
export const SHARED = process.env.CHAKRA_PREP_SHARED ?? resolve(repository, '../shared');

export const hasShared = existsSync(join(SHARED, 'traces'));

/** `describe` where the shared folder is there, `describe.skip` where it is not. */
export const describeShared: jest.Describe = hasShared ? describe : describe.skip;

/** Path of a file below the shared folder. */
export function shared(...parts: string[]): string {
  return join(SHARED, ...parts);
}

/** Files below a folder of the shared folder whose names match, sorted, as paths relative to the shared folder. */
export function sharedFiles(folder: string, name: RegExp): string[] {
  if (!hasShared) return [];
  return readdirSync(shared(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => join(folder, path))
    .sort();
}
