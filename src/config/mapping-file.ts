import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { grouped } from '../base/counts.js';
import { requestError } from '../base/errors.js';
import type { MappingFile } from './mapping-builder.js';
import { parseMappingJson } from './mapping-json.js';
import { parseMappingText } from './mapping-text.js';

export type { MappingFile } from './mapping-builder.js';

/** Largest mapping file, bytes. */
export const MAPPING_FILE_LIMIT = 64_000_000;

/**
 * Reads a mapping file: JSON where its name ends in `.json`, else text (R-034 … R-036). Both forms of one mapping
 * give the same.
 * @throws PrepError `MAPPING_UNREADABLE`; `MAPPING_MALFORMED` with file, line and reason, or the first missing rank
 */
export function readMappingFile(path: string): MappingFile {
  demandSize(
    reading(path, () => statSync(path).size),
    path,
  );
  return parseMappingFile(
    reading(path, () => readFileSync(path)),
    path,
  );
}

/** As {@link readMappingFile}, from the bytes of the file; `path` says the form, and is for messages. */
export function parseMappingFile(bytes: Uint8Array, path: string): MappingFile {
  demandSize(bytes.length, path);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return extname(path) === '.json'
    ? parseMappingJson(text.toString('utf8'), path)
    : parseMappingText(text.toString('latin1'), path);
}

function demandSize(bytes: number, path: string): void {
  if (bytes <= MAPPING_FILE_LIMIT) return;
  const limit = grouped(MAPPING_FILE_LIMIT);
  throw requestError('MAPPING_MALFORMED', `${path}: ${grouped(bytes)} bytes, expected at most ${limit}`);
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw requestError('MAPPING_UNREADABLE', `${path}: cannot be read (${(cause as Error).message})`);
  }
}
