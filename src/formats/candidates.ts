import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import fastGlob from 'fast-glob';

import { inputError } from '../base/errors.js';
import { parseTraceFileName, TRACE_ENDINGS, traceEnding } from './trace-file-name.js';

/** What traces are called, for messages. */
export const LOOKED_FOR = `<name>.<rank>.${TRACE_ENDINGS.join(', .')}, each also with .gz`;

/** A file that may be a trace. */
export interface Candidate {
  readonly path: string;
  /** Whether the user named this very file; a file of a folder or a glob may be something else. */
  readonly named: boolean;
}

/** What is called like a trace and is no file: the rank it stands for would be missing without a word. */
export interface Mistakable {
  /** Links that lead nowhere. */
  readonly deadLinks: Set<string>;
  readonly folders: Set<string>;
}

/**
 * The files that an input stands for.
 * @param mistakable what of the folder is called like a trace and is no file is added
 * @throws PrepError `INPUT_NOT_FOUND`, `FILE_UNREADABLE` (exit status 3)
 */
export async function candidatesOf(input: string, mistakable: Mistakable): Promise<Candidate[]> {
  if (input === '') {
    throw inputError(
      'INPUT_NOT_FOUND',
      'an input has no name: it is ""',
      'look whether a variable of the shell is empty',
    );
  }
  const kind = await kindOf(input);
  if (kind === 'file') return [{ path: input, named: true }];
  if (kind === 'folder') return (await filesIn(input, mistakable)).map((path) => ({ path, named: false }));
  if (fastGlob.isDynamicPattern(input)) {
    const { folder, pattern } = await splitGlob(input);
    const matches = await fastGlob(pattern, { cwd: folder, onlyFiles: true, followSymbolicLinks: true });
    if (matches.length > 0) return matches.sort().map((path) => ({ path: join(folder, path), named: false }));
  }
  // A prefix; a dot or dash typed behind it does no harm.
  const prefix = basename(input).replace(/[._-]$/, '');
  const folder = dirname(input);
  const siblings = (await kindOf(folder)) === 'folder' ? await filesIn(folder, mistakable) : [];
  const matches = siblings.filter((path) => {
    const name = parseTraceFileName(basename(path));
    return name.prefix === prefix && name.rank !== undefined && traceEnding(path) !== '';
  });
  if (matches.length > 0) return matches.map((path) => ({ path, named: false }));
  throw inputError(
    'INPUT_NOT_FOUND',
    `${input}: no file, folder or glob of this name, and no traces ${join(folder, prefix)}.<rank>.et`,
    `looked for ${LOOKED_FOR}`,
  );
}

/**
 * What is at a path; `undefined` for nothing.
 * @throws PrepError `FILE_UNREADABLE` (exit status 3)
 */
export async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFIFO() && !status.isSocket()) return status.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw inputError('FILE_UNREADABLE', `${path}: ${(error as Error).message}`);
  }
  // It has no size, cannot be read twice, and may never end.
  const advice = 'one rank is read from stdin with -';
  throw inputError('FILE_UNREADABLE', `${path}: is a pipe or socket, expected a file`, advice);
}

/** Files in the folder itself, by name; hidden ones and links that lead nowhere are left out. */
async function filesIn(folder: string, { deadLinks, folders }: Mistakable): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    const kind = entry.isSymbolicLink() ? await kindOf(path) : entry.isFile() ? 'file' : 'folder';
    if (kind === 'file') paths.push(path);
    else if (traceEnding(path) !== '') (kind === undefined ? deadLinks : folders).add(path);
  }
  return paths.sort();
}

/** Takes off the leading folders that exist as written, whatever characters their names have. */
async function splitGlob(input: string): Promise<{ folder: string; pattern: string }> {
  const parts = input.split(sep);
  let folder = input.startsWith(sep) ? sep : '.';
  let taken = input.startsWith(sep) ? 1 : 0;
  while (taken < parts.length - 1 && (await kindOf(join(folder, parts[taken]))) === 'folder') {
    folder = join(folder, parts[taken++]);
  }
  return { folder, pattern: parts.slice(taken).join('/') };
}
