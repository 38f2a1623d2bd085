import { basename, dirname } from 'node:path';
import { requestError } from '../../base/errors.js';
import { OutputFiles } from '../../base/output-files.js';
import { textFlag, type Flags } from '../command.js';

/**
 * The file that `-o` names, `-` for stdout; absent where it is not given.
 * @throws PrepError `USAGE` for an empty name
 */
export function outputFileOf(flags: Flags): string | undefined {
  const out = textFlag(flags, 'o');
  if (out !== '') return out;
  throw requestError('USAGE', '-o: the name is empty, expected a file, or - for stdout');
}

/**
 * Writes texts into files, all or none.
 * @throws PrepError `OUTPUT_UNWRITABLE`
 */
export function writeFiles(texts: readonly (readonly [path: string, text: string])[]): void {
  const files = texts.map(([path]) => new OutputFiles(dirname(path)));
  try {
    texts.forEach(([path, text], index) => {
      files[index].prepare();
      files[index].write(basename(path), (write) => write(Buffer.from(text)));
    });
    for (const each of files) each.commit();
  } catch (error) {
    for (const each of files) each.discard();
    throw error;
  }
}
