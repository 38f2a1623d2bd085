import { MemorySource, type ByteSource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { detectFormat, FORMATS, type Format } from './detect.js';
import { etBytes } from './et-bytes.js';
import { readChakraEt } from './et/decode.js';
import type { SchemaVersion } from './et/schema-version.js';

/** One rank as read, and what it was read from. */
export interface ReadTrace {
  readonly trace: RankTrace;
  readonly findings: Finding[];
  readonly format: Format;
  readonly schema: SchemaVersion;
}

/**
 * The front door: reads one rank's trace in whichever form it is, by content. The trace reads on from the source
 * later, so the source belongs to it from here on.
 *
 * @param where.file name for messages
 * @throws PrepError `WRONG_KIND` (exit 3) for a file that is no Chakra trace, and what the reader of its form throws
 */
export function readTrace(source: ByteSource, where: { rank: number; file: string }): ReadTrace {
  const { format } = detectFormat(source);
  // Of an empty file the reader says what is missing.
  if (format === 'chakra-et' || format === 'empty') return { format, ...readChakraEt(source, where) };
  const made = etBytes(format, source, where);
  if (made === undefined) throw wrongKind(where.file, format);
  const read = readChakraEt(new MemorySource(made.bytes, where.file), where);
  return { format, ...read, findings: [...made.findings, ...read.findings] };
}

/** The error for a file that is something else than a trace this program replays. */
export function wrongKind(file: string, format: Format): Error {
  const { name, about } = FORMATS[format];
  return inputError('WRONG_KIND', `${file} is ${name}, expected a Chakra trace (.et or its JSON lines)`, about);
}
