import { writeParts } from '../../base/output-files.js';

/**
 * Hands the bytes of one output to a file or collects them.
 * @param path temporary name of the file; absent collects
 */
export function fillOutput(
  path: string | undefined,
  fill: (write: (bytes: Uint8Array) => void) => void,
): Uint8Array | undefined {
  if (path !== undefined) {
    writeParts(path, fill);
    return undefined;
  }
  const parts: Uint8Array[] = [];
  fill((bytes) => parts.push(bytes.slice()));
  return Buffer.concat(parts);
}
