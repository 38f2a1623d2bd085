import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { inputError, traceError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { formatId, idForJson } from '../../base/ids.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { AttributeTally } from './attribute-tally.js';
import { NodeDecoder, NumberTooLarge } from './decode-node.js';
import { FrameReader } from './frame-reader.js';
import { EtKeptNodes } from './kept-nodes.js';
import { convertLegacy } from './legacy.js';
import { decodeMetadata } from './metadata.js';
import { detectSchema, type SchemaVersion } from './schema-version.js';
import { FieldWalk, halves, Wire } from './wire.js';

/** Nodes from which the number of dependencies is estimated. */
const SAMPLE = 256;

export interface DecodeOptions {
  /** Bytes asked of the source at once, default 4 MiB; a frame longer than that is asked for whole. */
  readonly windowBytes?: number;
}

/** A file's place in its traceset. */
export interface TracePlace {
  readonly rank: number;
  /** Name for messages. */
  readonly file: string;
}

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
  const { file } = where;
  if (source.length === 0) throw inputError('FILE_EMPTY', `${file}: the file is empty, expected a metadata frame`);
  const schema = detectSchema(source, file);
  if (schema === '0.0.4') return { ...readCurrent(source, where, options), schema };
  const converted = convertLegacy(source, schema, where);
  const { trace, findings } = readCurrent(converted.source, where, options);
  return { trace, findings: [converted.note, ...findings], schema };
}

function readCurrent(
  source: ByteSource,
  where: TracePlace,
  options: DecodeOptions,
): { trace: RankTrace; findings: Finding[] } {
  const { rank, file } = where;
  const frames = new FrameReader(source, file, options.windowBytes);
  const builder = new RankTraceBuilder(rank, file);
  const tally = new AttributeTally();
  const decoder = new NodeDecoder(builder, tally);
  const findings: Finding[] = [];
  try {
    frames.next();
    const metadata = decodeMetadata(frames.bytes.subarray(frames.messageStart, frames.messageEnd), findings);
    const room = frames.expectedFrames();
    builder.reserve(room);
    let checkAt = Math.min(room, SAMPLE);
    while (frames.next()) {
      if (builder.length === checkAt) checkAt = makeRoom(builder, source.length / frames.frameOffset);
      decoder.decode(frames.bytes, frames.view, frames.messageStart, frames.messageEnd, frames.messageOffset);
    }
    const { idLow, idHigh } = builder;
    findings.push(...tally.findings((node) => idForJson(idLow[node], idHigh[node])));
    return {
      trace: builder.finish(metadata, new EtKeptNodes(source)),
      findings: findings.map((found) => ({ ...found, rank, file })),
    };
  } catch (error) {
    throw frames.explained(error instanceof NumberTooLarge ? tooLarge(error, frames, where) : error);
  }
}

/**
 * Makes room for as many nodes and dependencies as the whole file has when its rest is like what was read; `wholeToRead`
 * is how many times the bytes read so far it has. Gives the number of nodes at which to ask again.
 */
function makeRoom(builder: RankTraceBuilder, wholeToRead: number): number {
  const { length, data, control } = builder;
  if (length === builder.capacity) builder.reserve(Math.ceil(length * Math.max(wholeToRead * 1.02, 1.125)) + 64);
  const share = (builder.capacity / length) * 1.02;
  data.reserve(Math.ceil(data.length * share));
  control.reserve(Math.ceil(control.length * share));
  return builder.capacity;
}

function tooLarge(error: NumberTooLarge, frames: FrameReader, { rank, file }: TracePlace): unknown {
  let low, high: number;
  try {
    ({ low, high } = idOf(frames));
  } catch (malformed) {
    // What comes behind the number in the frame cannot be read at all.
    return malformed;
  }
  const facts = { rank, file, nodes: [idForJson(low, high)], byteOffset: frames.frameOffset };
  return traceError('NUMBER_TOO_LARGE', `rank ${rank}, node ${formatId(low, high)}: ${error.message}`, [
    finding('NUMBER_TOO_LARGE', error.message, facts),
  ]);
}

/** Id of the node in the frame, wherever in its message it stands. */
function idOf(frames: FrameReader): { low: number; high: number } {
  const id = { low: 0, high: 0 };
  const fields = new FieldWalk(frames.bytes, frames.messageStart, frames.messageEnd);
  while (fields.next()) {
    if (fields.number !== 1 || fields.wire !== Wire.varint) continue;
    fields.number64();
    id.low = halves[0];
    id.high = halves[1];
  }
  return id;
}
