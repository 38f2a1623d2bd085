import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * Path of a file that another one names: as it is named, which is relative to the working directory, else from the folder
 * of the file that names it, or from the first of the folders above that has it. Undefined where it is nowhere.
 * @param ending what stands behind the name on disk; the path is given without it
 */
export function pathBeside(name: string, ending: string, namedIn: string): string | undefined {
  const isThere = (path: string): boolean => statSync(path + ending, { throwIfNoEntry: false })?.isFile() ?? false;
  if (isThere(name)) return name;
  if (isAbsolute(name)) return undefined;
  for (let folder = resolve(dirname(namedIn)); ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (isThere(path)) return isAbsolute(namedIn) ? path : relative('', path);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The places where {@link pathBeside} looks, in words. */
export function placesBeside(name: string, namedIn: string): string {
  if (isAbsolute(name)) return 'only there';
  const folder = dirname(namedIn);
  const own = folder === '.' ? '' : `, in ${folder}`;
  return `in the working directory${own} and in each folder above`;
}
