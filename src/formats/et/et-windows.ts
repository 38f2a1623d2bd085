import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { inputError, traceError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { formatId, idForJson } from '../../base/ids.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import type { RankTrace, TraceMetadata } from '../../trace/rank-trace.js';
import type { TraceWindows } from '../../trace/trace-windows.js';
import { AttributeTally } from './attribute-tally.js';
import { NodeDecoder, NumberRefused } from './decode-node.js';
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
  /** Where names and rare attributes are looked up later; the source itself when left out. */
  readonly lookBack?: ByteSource;
  /** What was found before, when these bytes were made of another form; reported first. */
  readonly noted?: readonly Finding[];
}

/** A file's place in its traceset. */
export interface TracePlace {
  readonly rank: number;
  /** Name for messages. */
  readonly file: string;
}

/**
 * Opens a Chakra trace in protobuf form, of any schema since 0.0.1 (chakra-format sections 1 to 3), and reads its
 * metadata. Files of an older schema are converted in memory first, with a note saying what changed.
 *
 * @throws PrepError `FILE_EMPTY`, `WRONG_KIND`, `FRAME_TRUNCATED`, `FRAME_MALFORMED` (exit status 3)
 */
export function openEtWindows(source: ByteSource, where: TracePlace, options: DecodeOptions = {}): EtWindows {
  const { file } = where;
  if (source.length === 0) throw inputError('FILE_EMPTY', `${file}: the file is empty, expected a metadata frame`);
  const schema = detectSchema(source, file);
  const { windowBytes, noted = [] } = options;
  if (schema === '0.0.4') return new EtWindows(source, where, schema, noted, options);
  const converted = convertLegacy(source, schema, where);
  const settings = windowBytes === undefined ? {} : { windowBytes };
  return new EtWindows(converted.source, where, schema, [...noted, converted.note], settings);
}

/** The nodes of a file of the current schema, some at a time or all at once. */
export class EtWindows implements TraceWindows {
  readonly metadata: TraceMetadata;
  readonly #source: ByteSource;
  readonly #where: TracePlace;
  readonly #frames: FrameReader;
  readonly #builder: RankTraceBuilder;
  readonly #tally = new AttributeTally();
  readonly #decoder: NodeDecoder;
  readonly #kept: EtKeptNodes;
  readonly #noted: readonly Finding[];
  readonly #findings: Finding[] = [];
  #begun = false;

  /**
   * @param schema of the file before it was converted
   * @param noted findings of the conversion, which come first
   */
  constructor(
    source: ByteSource,
    where: TracePlace,
    readonly schema: SchemaVersion,
    noted: readonly Finding[],
    options: DecodeOptions,
  ) {
    this.#source = source;
    this.#where = where;
    this.#noted = noted;
    this.#builder = new RankTraceBuilder(where.rank, where.file);
    this.#decoder = new NodeDecoder(this.#builder, this.#tally);
    this.#kept = new EtKeptNodes(options.lookBack ?? source);
    const frames = new FrameReader(source, where.file, options.windowBytes);
    this.#frames = frames;
    try {
      frames.next();
      const message = frames.bytes.subarray(frames.messageStart, frames.messageEnd);
      this.metadata = decodeMetadata(message, this.#findings);
    } catch (error) {
      throw frames.explained(error);
    }
  }

  next(mostNodes: number): RankTrace | undefined {
    const builder = this.#builder;
    if (this.#begun) {
      builder.beginAgain();
      this.#decoder.beginAgain();
    }
    this.#frames.refresh();
    this.#decode(mostNodes);
    return builder.length === 0 ? undefined : builder.finishWindow(this.metadata, this.#kept);
  }

  /** Every node of the file as one trace that stays valid; instead of `next`. */
  whole(): RankTrace {
    this.#decode(Infinity);
    return this.#builder.finish(this.metadata, this.#kept);
  }

  findings(): Finding[] {
    const { rank, file } = this.#where;
    const found = [...this.#findings, ...this.#tally.findings()];
    return [...this.#noted, ...found.map((one) => ({ ...one, rank, file }))];
  }

  /** Decodes up to `most` nodes into the builder. */
  #decode(most: number): void {
    const frames = this.#frames;
    const builder = this.#builder;
    const decoder = this.#decoder;
    try {
      if (!this.#begun) builder.reserve(Math.min(frames.expectedFrames(), most));
      this.#begun = true;
      let checkAt = Math.min(builder.capacity, SAMPLE);
      while (builder.length < most && frames.next()) {
        if (builder.length === checkAt) checkAt = makeRoom(builder, this.#source.length / frames.frameOffset, most);
        decoder.decode(frames.bytes, frames.view, frames.messageStart, frames.messageEnd, frames.messageOffset);
      }
    } catch (error) {
      throw frames.explained(error instanceof NumberRefused ? refused(error, frames, this.#where) : error);
    }
    const { idLow, idHigh } = builder;
    this.#tally.settle((node) => idForJson(idLow[node], idHigh[node]));
  }
}

/**
 * Makes room for as many nodes and dependencies as the whole file has when its rest is like what was read, but no more
 * than `most` nodes; `wholeToRead` is how many times the bytes read so far it has. Gives the number of nodes at which to
 * ask again.
 */
function makeRoom(builder: RankTraceBuilder, wholeToRead: number, most: number): number {
  const { length, data, control } = builder;
  if (length === builder.capacity) {
    const expected = Math.ceil(length * Math.max(wholeToRead * 1.02, 1.125)) + 64;
    builder.reserve(Math.min(expected, most));
  }
  const share = (builder.capacity / length) * 1.02;
  data.reserve(Math.ceil(data.length * share));
  control.reserve(Math.ceil(control.length * share));
  return builder.capacity;
}

function refused(error: NumberRefused, frames: FrameReader, { rank, file }: TracePlace): unknown {
  let low, high: number;
  try {
    ({ low, high } = idOf(frames));
  } catch (malformed) {
    // What comes behind the number in the frame cannot be read at all.
    return malformed;
  }
  return numberRefused(error, low, high, { rank, file, byteOffset: frames.frameOffset });
}

/** The error for a number of a node that no column can hold. */
export function numberRefused(
  error: NumberRefused,
  idLow: number,
  idHigh: number,
  where: TracePlace & { readonly byteOffset: number },
): Error {
  const { rank, file, byteOffset } = where;
  const facts = { rank, file, nodes: [idForJson(idLow, idHigh)], byteOffset };
  const message = `rank ${rank}, node ${formatId(idLow, idHigh)}: ${error.message}`;
  return traceError(error.code, message, [finding(error.code, message, facts)]);
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
