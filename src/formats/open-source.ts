import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FileSource, MemorySource, type ByteSource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';

/**
 * Opens a trace file. Content that starts with `1f 8b` is gzip, whatever the name, and is unpacked into memory; other
 * files are read by windows.
 * @throws PrepError `FILE_UNREADABLE`, `GZIP_BROKEN` (exit status 3)
 */
export function openTraceSource(path: string): ByteSource {
  try {
    if (!startsGzip(firstBytes(path))) return new FileSource(path);
    return sourceFromBytes(readFileSync(path), path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * A whole file that is no trace, unpacked where it is gzip.
 * @throws PrepError `FILE_UNREADABLE`, `GZIP_BROKEN` (exit status 3)
 */
export function readWholeFile(path: string): Uint8Array {
  const bytes = storedFile(path);
  return startsGzip(bytes) ? gunzipped(bytes, path) : bytes;
}

/**
 * The same as it is stored.
 * @throws PrepError `FILE_UNREADABLE` (exit status 3)
 */
export function storedFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return inputError('FILE_UNREADABLE', `${path}: ${REASONS[error.code] ?? error.message}`);
}

/**
 * The same for bytes that are in memory already, such as those of stdin.
 * @throws PrepError `GZIP_BROKEN` (exit status 3)
 */
export function sourceFromBytes(bytes: Uint8Array, name: string): ByteSource {
  return new MemorySource(startsGzip(bytes) ? gunzipped(bytes, name) : bytes, name);
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  EACCES: 'reading it is not permitted',
  EISDIR: 'is a folder, expected a file',
};

function firstBytes(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(2);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, 2, 0));
  } finally {
    closeSync(descriptor);
  }
}

function startsGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gunzipped(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw inputError('GZIP_BROKEN', `${name}: starts as gzip and cannot be unpacked: ${(error as Error).message}`);
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}
