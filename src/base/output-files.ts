import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from './errors.js';

/** Outputs that are neither committed nor discarded. */
const unfinished = new Set<OutputFiles>();

/** Outputs that have files under temporary names. */
const begun = new Set<OutputFiles>();
let onBegun: (isAny: boolean) => void = () => {};

/** Says who is told when the first half-written output comes to be, and when none is left. */
export function watchBegun(listener: (isAny: boolean) => void): void {
  onBegun = listener;
}

function noteBegun(files: OutputFiles, isBegun: boolean): void {
  const before = begun.size;
  if (isBegun) begun.add(files);
  else begun.delete(files);
  if (before === 0 || begun.size === 0) onBegun(begun.size > 0);
}

/** Discards the outputs of every command in this process that has not ended, before the process is stopped. */
export function discardUnfinished(): void {
  for (const files of unfinished) files.discard();
}

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
    unfinished.add(this);
    this.#make(this.folder);
  }

  /** Makes a folder below, for files whose names begin with its name and a slash. */
  prepareBelow(name: string): void {
    this.#make(join(this.folder, name));
  }

  #make(path: string): void {
    const missing: string[] = [];
    for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
      missing.push(folder);
    }
    try {
      // One by one: below /proc the recursive form of Node 20 never returns.
      for (const folder of missing.reverse()) {
        mkdirSync(folder);
        this.#madeFolders.unshift(folder);
      }
      if (!statSync(path).isDirectory()) throw new Error('it is a file');
    } catch (cause) {
      throw inputError('OUTPUT_UNWRITABLE', `${path}: cannot be made (${(cause as Error).message})`);
    }
  }

  /** Writes one file through `fill`, which may call `write` any number of times. */
  write(name: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
    writeParts(this.expect(name), fill);
  }

  /** Counts a file that another thread writes under the temporary name given back. */
  expect(name: string): string {
    const final = join(this.folder, name);
    const partial = `${final}.${this.token}.partial`;
    if (this.#written.push({ partial, final }) === 1) noteBegun(this, true);
    return partial;
  }

  /** Temporary name of a file that is counted already, to write it anew. */
  partial(name: string): string {
    const final = join(this.folder, name);
    return this.#written.find((file) => file.final === final)!.partial;
  }

  /** Gives a file that is counted already another name. */
  rename(name: string, other: string): void {
    const from = join(this.folder, name);
    for (const file of this.#written) if (file.final === from) file.final = join(this.folder, other);
  }

  /**
   * Gives every file its name.
   * @throws PrepError `OUTPUT_UNWRITABLE` before any is renamed, where a folder has the name of one
   */
  commit(): void {
    for (const { final } of this.#written) {
      if (statSync(final, { throwIfNoEntry: false })?.isDirectory()) {
        throw inputError('OUTPUT_UNWRITABLE', `${final}: cannot be written (it is a folder)`);
      }
    }
    for (const { partial, final } of this.#written) renameSync(partial, final);
    this.#written.length = 0;
    unfinished.delete(this);
    noteBegun(this, false);
  }

  /** Removes what was written, and the folders made for it. */
  discard(): void {
    unfinished.delete(this);
    for (const { partial } of this.#written) rmSync(partial, { force: true });
    this.#written.length = 0;
    noteBegun(this, false);
    for (const folder of this.#madeFolders) {
      try {
        rmdirSync(folder);
      } catch {
        // Something else is in it by now.
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
