import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { hasShared, shared } from './shared.js';

/** Facts of a public trace, as another program found them; the members depend on the format. */
export interface TraceFacts {
  readonly format: string;
  readonly [fact: string]: unknown;
}

/** [path below traces/, facts] of every public trace; empty where the shared folder is absent. */
export function traceFacts(formats: RegExp = /./): [string, TraceFacts][] {
  if (!hasShared) return [];
  const { files } = JSON.parse(readFileSync(shared('reference', 'trace-facts.json'), 'utf8')) as {
    files: Record<string, TraceFacts>;
  };
  return Object.entries(files).filter(([, { format }]) => formats.test(format));
}

/** The unpacked bytes of a file of the shared folder. */
export function sharedBytes(...parts: string[]): Uint8Array {
  const bytes = readFileSync(shared(...parts));
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
