import { requestError } from '../../base/errors.js';
import type { OutputFiles } from '../../base/output-files.js';
import type { TargetFiles } from '../../formats/conversion.js';
import { fillOutput } from './fill-output.js';

/** Takes the files of a target that holds a whole job: into a folder, or the only one into memory. */
export class WrittenFiles implements TargetFiles {
  /** In the order in which they were written. */
  readonly names: string[] = [];
  /** Where there is no folder. */
  bytes: Uint8Array | undefined;
  readonly #files: OutputFiles | undefined;

  constructor(files: OutputFiles | undefined) {
    this.#files = files;
  }

  /** @throws PrepError `OUTPUT_AMBIGUOUS` for a second file where there is no folder; `OUTPUT_UNWRITABLE` */
  file(name: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
    if (this.#files === undefined && this.names.length > 0) {
      throw requestError(
        'OUTPUT_AMBIGUOUS',
        `-o - takes one file, and this form has ${this.names[0]} and ${name}`,
        'write to a folder with -o DIR',
      );
    }
    this.names.push(name);
    const bytes = fillOutput(this.#files?.expect(name), fill);
    if (bytes !== undefined) this.bytes = bytes;
  }
}
