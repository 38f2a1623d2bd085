import type { ByteSource } from '../../base/byte-source.js';
import type { Finding } from '../../base/finding.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { openEtWindows, type DecodeOptions, type TracePlace } from './et-windows.js';
import type { SchemaVersion } from './schema-version.js';

/**
 * Reads a Chakra trace in protobuf form, of any schema since 0.0.1 (chakra-format sections 1 to 3).
 *
 * Every field and attribute with a column is read; the rest stays in the source, which is read again when a node is
 * named or written, so the source stays open. Memory: the columns and one window. Files of an older schema are
 * converted in memory first, with a note saying what changed.
 *
 * @throws PrepError `FILE_EMPTY`, `WRONG_KIND`, `FRAME_TRUNCATED`, `FRAME_MALFORMED` (exit status 3) with frame and
 *   offset; `NUMBER_TOO_LARGE` (exit status 1: a problem of the trace) for a size, tag or duration above 2^53
 */
export function readChakraEt(
  source: ByteSource,
  where: TracePlace,
  options: DecodeOptions = {},
): { trace: RankTrace; findings: Finding[]; schema: SchemaVersion } {
  const windows = openEtWindows(source, where, options);
  const trace = windows.whole();
  return { trace, findings: windows.findings(), schema: windows.schema };
}
