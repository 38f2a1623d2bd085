import { basename } from 'node:path';
import { FileSource, type ByteSource } from '../base/byte-source.js';
import { openTraceSource } from '../formats/open-source.js';
import { readWindows } from '../formats/read-windows.js';
import { parseTraceFileName } from '../formats/trace-file-name.js';
import { withAssumptions } from './assumed-windows.js';
import type { FeederOptions } from './feeder-options.js';
import { NodeFeeder } from './node-feeder.js';

/** Bytes fetched at once to look at one node again. */
const LOOK_BACK_BYTES = 1 << 16;

/**
 * Opens the trace of one rank for feeding: `.et` of any schema, our JSON lines, or feeder JSON, each also with gzip,
 * told by content. Nodes are read when they are asked for. gzip, JSON lines and older schemas are unpacked or converted
 * in memory first.
 *
 * @param input path of a file, or its bytes as a source, which belongs to the feeder from here on
 * @throws PrepError `FILE_UNREADABLE`, `GZIP_BROKEN`, `FILE_EMPTY`, `WRONG_KIND`, `FRAME_TRUNCATED`, `FRAME_MALFORMED`,
 *   `JSON_LINES_MALFORMED` (exit status 3); `FEEDER_WINDOW`, `ASSUMPTION_UNKNOWN` (exit status 2)
 */
export function openFeeder(input: string | ByteSource, options: FeederOptions = {}): NodeFeeder {
  const source = typeof input === 'string' ? openTraceSource(input) : input;
  const { rank = parseTraceFileName(basename(source.name), true).rank ?? 0 } = options;
  const where = { rank, file: source.name };
  let lookBack = source;
  const release = (): void => {
    source.close();
    lookBack.close();
  };
  try {
    if (source instanceof FileSource) {
      // A handle of its own, opened when it is first needed: names are read back while the next window is not.
      lookBack = new FileSource(source.name, LOOK_BACK_BYTES);
      lookBack.close();
    }
    const windows = withAssumptions(readWindows(source, where, lookBack), options);
    return new NodeFeeder(windows, where, options, release);
  } catch (error) {
    release();
    throw error;
  }
}
