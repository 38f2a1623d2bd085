import { closeSync, openSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';

import { FileSource, MemorySource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';
import { detectFormat, type Format } from './detect.js';

/** Compressed bytes that are unpacked to see what a gzip file holds. */
const GZIP_SAMPLE = 1 << 16;

/**
 * What a file holds, without reading or unpacking all of it.
 * @throws PrepError `FILE_UNREADABLE`
 */
export function detectFile(path: string): Format {
  try {
    const start = beginning(path);
    if (start[0] === 0x1f && start[1] === 0x8b) return detectUnpacked(start, path);
    const source = new FileSource(path, 1 << 16);
    try {
      return detectFormat(source).format;
    } finally {
      source.close();
    }
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw inputError('FILE_UNREADABLE', `${path}: ${message}`);
  }
}

function beginning(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(GZIP_SAMPLE);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** What the beginning of a gzip file unpacks to. */
function detectUnpacked(bytes: Uint8Array, path: string): Format {
  let unpacked: Uint8Array;
  try {
    unpacked = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return 'unknown';
  }
  return detectFormat(new MemorySource(unpacked, path)).format;
}
