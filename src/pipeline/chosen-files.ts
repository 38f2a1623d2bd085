import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { requestError } from '../base/errors.js';
import type { OpenTraceset } from './open-traceset.js';
import type { Output } from './preparation-request.js';

/**
 * The ranks to write.
 * @throws PrepError `RANK_ABSENT`, `OUTPUT_AMBIGUOUS`, `OUTPUT_IS_INPUT`
 */
export function chosenFiles(opened: OpenTraceset, { folder, only }: Output): OpenTraceset['files'] {
  const chosen = only === undefined ? opened.files : opened.files.filter(({ rank }) => only.includes(rank));
  const absent = only?.find((rank) => !opened.files.some((file) => file.rank === rank));
  if (absent !== undefined) {
    throw requestError('RANK_ABSENT', `--only ${absent}: the traceset has no such rank`);
  }
  if (folder === undefined && chosen.length !== 1) {
    throw requestError(
      'OUTPUT_AMBIGUOUS',
      `-o - takes one rank, ${chosen.length} would be written`,
      'choose one with --only',
    );
  }
  if (folder !== undefined) refuseInputFolder(opened, folder);
  return chosen;
}

/**
 * Writing over the input would leave a traceset that is half raw, half prepared when ranks are chosen. A file that is a
 * link lies in two folders.
 */
function refuseInputFolder({ files }: OpenTraceset, folder: string): void {
  const output = realFolder(folder);
  const over = files.some(
    ({ path }) => path !== '-' && (realFolder(dirname(path)) === output || dirname(realFolder(path)) === output),
  );
  if (over)
    throw requestError(
      'OUTPUT_IS_INPUT',
      `${folder}: the output folder is the folder of the input`,
      'name another one with -o',
    );
}

/** The folder whatever way it is spelt; one that is not there yet cannot be that of the input. */
function realFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
