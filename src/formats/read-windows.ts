import { MemorySource, type ByteSource } from '../base/byte-source.js';
import type { TraceWindows } from '../trace/trace-windows.js';
import { detectFormat } from './detect.js';
import { etBytes } from './et-bytes.js';
import { openEtWindows, type TracePlace } from './et/et-windows.js';
import { FeederJsonWindows } from './feeder-json.js';
import { wrongKind } from './read-trace.js';

/**
 * The front door for reading a rank by windows, in whichever form it is, by content. Chakra `.et` of the current schema
 * and feeder JSON are read as they go; the other forms and older schemas become `.et` bytes in memory first, with all their
 * nodes. The traces read on from the source later, so it belongs to them from here on.
 *
 * @param lookBack the same bytes again, for names and rare attributes of nodes whose window is past: looking back in
 *   `source` itself moves the piece of the file that is in memory
 * @throws PrepError `WRONG_KIND` (exit 3) for a file that is no trace, and what the reader of its form throws
 */
export function readWindows(source: ByteSource, where: TracePlace, lookBack: ByteSource = source): TraceWindows {
  const { format } = detectFormat(source);
  // Of an empty file the reader says what is missing.
  if (format === 'chakra-et' || format === 'empty') return openEtWindows(source, where, { lookBack });
  if (format === 'feeder-json') return new FeederJsonWindows(source, where, lookBack);
  const made = etBytes(format, source, where);
  if (made === undefined) throw wrongKind(where.file, format);
  return openEtWindows(new MemorySource(made.bytes, where.file), where, { noted: made.findings });
}
