import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from './errors.js';

/**
 * Output files of one command: written under temporary names and renamed together, so that a failed run leaves none and
 * a reader never sees half a file.
 */
export class OutputFiles {
  readonly #written: { partial: string; final: string }[] = [];
  readonly #madeFolders: string[] = [];

  constructor(
    readonly folder: string,
    /** Tells the temporary files of one command from those of another; the same in all its worker threads. */
    readonly token: string = `${process.pid}`,
  ) {}

  /** Makes the folder and the ones above it. */
  prepare(): void {
    const missing: string[] = [];
    for (let folder = this.folder; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
      missing.push(folder);
    }
    try {
      mkdirSync(this.folder, { recursive: true });
    } catch (cause) {
      throw inputError('OUTPUT_UNWRITABLE', `${this.folder}: cannot be made (${(cause as Error).message})`);
    }
    this.#madeFolders.push(...missing);
  }

  /** Writes one file through `fill`, which may call `write` any number of times. */
  write(name: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
    writeParts(this.expect(name), fill);
  }

  /** Counts a file that another thread writes under the temporary name given back. */
  expect(name: string): string {
    const final = join(this.folder, name);
    const partial = `${final}.${this.token}.partial`;
    this.#written.push({ partial, final });
    return partial;
  }

  /** Gives every file its name. */
  commit(): void {
    for (const { partial, final } of this.#written) renameSync(partial, final);
    this.#written.length = 0;
  }

  /** Removes what was written, and the folders made for it. */
  discard(): void {
    for (const { partial } of this.#written) rmSync(partial, { force: true });
    this.#written.length = 0;
    for (const folder of this.#madeFolders) {
      try {
        rmdirSync(folder);
      } catch {
        return; // Something else is in it by now.
      }
    }
  }
}

/**
 * Writes a file through `fill`, which may call `write` any number of times.
 * @throws PrepError `OUTPUT_UNWRITABLE`
 */
export function writeParts(path: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
  const refused = (cause: unknown): Error =>
    inputError('OUTPUT_UNWRITABLE', `${path}: cannot be written (${(cause as Error).message})`);
  let descriptor: number;
  try {
    descriptor = openSync(path, 'w');
  } catch (cause) {
    throw refused(cause);
  }
  try {
    fill((bytes) => {
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
      } catch (cause) {
        throw refused(cause);
      }
    });
  } finally {
    closeSync(descriptor);
  }
}
