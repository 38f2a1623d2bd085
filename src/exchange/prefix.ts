import { basename } from 'node:path';

/** Begin of the names of a job's files, from the file it was made of: `ring` of `out/ring.goal.gz`. */
export function prefixOf(file: string): string {
  const name = basename(file).replace(/\.gz$/, '');
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
