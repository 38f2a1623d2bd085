import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Random access to the bytes of one file, by windows, so that a file larger than memory can be read. */
export interface ByteSource {
  /** Bytes in all. */
  readonly length: number;
  /** Name for messages. */
  readonly name: string;
  /**
   * The bytes [offset, offset + length). The view is valid until the next call.
   * @throws RangeError when the range leaves the source
   */
  read(offset: number, length: number): Uint8Array;
  /** Gives back what the source holds; it can be read again. */
  close(): void;
}

/** Bytes that are in memory already. */
export class MemorySource implements ByteSource {
  readonly length: number;

  constructor(
    readonly bytes: Uint8Array,
    readonly name: string,
  ) {
    this.length = bytes.length;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    return this.bytes.subarray(offset, offset + length);
  }

  close(): void {}
}

/** Bytes fetched at a place that does not follow on the window: reads in another order than the file's cost no more. */
const BYTES_AT_A_JUMP = 8 << 10;

/** A window that was given back, for the next file: fresh pages cost more than reading into known ones. */
let spareWindow: Uint8Array<ArrayBuffer> | undefined;

/**
 * A file read through one window that moves; a request inside the window costs no system call. `close` gives the window
 * and the file handle back, and a later read opens the file again: a replay keeps thousands of ranks at hand and looks
 * back at the bytes of few.
 */
export class FileSource implements ByteSource {
  readonly length: number;
  #descriptor: number | undefined;
  #window = new Uint8Array(0);
  #windowStart = 0;
  #windowLength = 0;
  #ahead: number; // bytes to fetch at once: few after a jump, and twice as many each time reading goes on behind it

  /** @param windowBytes number of bytes fetched at once where the file is read in order */
  constructor(
    readonly name: string,
    readonly windowBytes = 4 << 20,
  ) {
    this.#descriptor = openSync(name, 'r');
    this.#ahead = windowBytes;
    this.length = fstatSync(this.#descriptor).size;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(this, offset, length);
    const inside = offset - this.#windowStart;
    if (inside < 0 || inside + length > this.#windowLength) {
      this.#fill(offset, length);
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(inside, inside + length);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    if (this.#window.length > (spareWindow?.length ?? 0)) spareWindow = this.#window;
    this.#window = new Uint8Array(0);
    this.#windowLength = 0;
  }

  #fill(offset: number, length: number): void {
    this.#descriptor ??= openSync(this.name, 'r');
    const inside = offset - this.#windowStart;
    const goesOn = inside >= 0 && inside <= 2 * this.#windowLength;
    this.#ahead = Math.min(goesOn ? 2 * this.#ahead : BYTES_AT_A_JUMP, this.windowBytes);
    const wanted = Math.min(Math.max(length, this.#ahead), this.length - offset);
    if (wanted > this.#window.length) this.#window = takeWindow(wanted);
    let filled = 0;
    while (filled < wanted) {
      const count = readSync(this.#descriptor, this.#window, filled, wanted - filled, offset + filled);
      if (count === 0)
        throw new RangeError(`${this.name}: ended at byte ${offset + filled}, ${this.length} were announced`);
      filled += count;
    }
    this.#windowStart = offset;
    this.#windowLength = wanted;
  }
}

function takeWindow(length: number): Uint8Array<ArrayBuffer> {
  const window = spareWindow;
  if (window === undefined || window.length < length) return new Uint8Array(length);
  spareWindow = undefined;
  return window;
}

function checkRange(source: ByteSource, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > source.length) {
    throw new RangeError(`${source.name}: bytes ${offset} to ${offset + length} asked for, it has ${source.length}`);
  }
}
