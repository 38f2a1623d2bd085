import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../base/byte-source.js';
import { openTraceSource, sourceFromBytes } from '../formats/open-source.js';
import { readTrace, type ReadTrace } from '../formats/read-trace.js';
import { applyAssumptions } from '../trace/apply-assumptions.js';
import type { RankFile } from './open-traceset.js';

/** Bytes of one rank, unzipped. */
export function rankSource({ path, bytes }: RankFile): ByteSource {
  return bytes === undefined ? openTraceSource(path) : sourceFromBytes(bytes, 'stdin');
}

/** Whether the file is stored with gzip, whatever its name. */
export function isGzip({ path, bytes }: RankFile): boolean {
  const start = bytes ?? new Uint8Array(2);
  if (bytes === undefined) {
    const descriptor = openSync(path, 'r');
    try {
      readSync(descriptor, start, 0, 2, 0);
    } finally {
      closeSync(descriptor);
    }
  }
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Reads one rank's trace from its source, in the conventions the file is said to be written in. */
export function readAssumed(source: ByteSource, { rank, path, assumptions }: RankFile): ReadTrace {
  const read = readTrace(source, { rank, file: path === '-' ? 'stdin' : path });
  if (assumptions === undefined) return read;
  const { trace, findings } = applyAssumptions(read.trace, assumptions);
  return { ...read, trace, findings: [...read.findings, ...findings] };
}

/** Opens one rank's trace, which reads on from the source; the caller closes it. */
export function openRank(file: RankFile): { readonly read: ReadTrace; readonly source: ByteSource } {
  const source = rankSource(file);
  try {
    return { read: readAssumed(source, file), source };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Gives one rank's trace to `use` and closes its source afterwards. */
export function withRank<T>(file: RankFile, use: (read: ReadTrace, source: ByteSource) => T): T {
  const { read, source } = openRank(file);
  try {
    return use(read, source);
  } finally {
    source.close();
  }
}
