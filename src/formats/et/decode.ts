import type { ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import { inputError, type PrepError, traceError } from '../../base/errors.js';
import type { Finding } from '../../base/finding.js';
import { formatId, idForJson } from '../../base/ids.js';
import { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import type { RankTrace, TraceMetadata } from '../../trace/rank-trace.js';
import { AttributeTally } from './attribute-tally.js';
import { NodeDecoder, NumberTooLarge } from './decode-node.js';
import { EtKeptNodes } from './kept-nodes.js';
import { decodeMetadata } from './metadata.js';
import type { SchemaVersion } from './schema-version.js';
import { FieldWalk, halves, MalformedWire, readVarint, Wire } from './wire.js';

/** A frame's length is a varint of at most this many bytes. */
const LONGEST_PREFIX = 5;
const FIRST_CAPACITY = 4096;

export interface DecodeOptions {
  /** Bytes asked of the source at once, default 4 MiB; a frame longer than that is asked for whole. */
  readonly windowBytes?: number;
}

/**
 * Reads a Chakra trace of schema 0.0.4 (also stamped 1.0.0). Memory: the columns and one window of the source, which
 * stays open, because names and other attributes are read from it later.
 *
 * @throws PrepError `FILE_EMPTY`, `FRAME_TRUNCATED`, `FRAME_MALFORMED` (exit status 3) with frame number and offset;
 *   `NUMBER_TOO_LARGE` (exit status 1) for a size, tag or duration above 2^53
 */
export function readChakraEt(
  source: ByteSource,
  where: { rank: number; file: string },
  options: DecodeOptions = {},
): { trace: RankTrace; findings: Finding[]; schema: SchemaVersion } {
  if (source.length === 0)
    throw inputError('FILE_EMPTY', `${where.file}: the file is empty, expected a metadata frame`);
  return new TraceReader(source, where, options.windowBytes ?? 4 << 20).read('0.0.4');
}

/** Takes the frames of one source, window by window. */
class TraceReader {
  readonly #builder: RankTraceBuilder;
  readonly #tally = new AttributeTally();
  readonly #metadataFindings: Finding[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #windowStart = 0;
  #frame = -1; // 0 is the metadata
  #frameStart = 0; // in the window: where the frame's length begins
  #messageStart = 0;
  #messageEnd = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly where: { rank: number; file: string },
    private readonly windowBytes: number,
  ) {
    this.#builder = new RankTraceBuilder(where.rank, where.file);
  }

  read(schema: SchemaVersion): { trace: RankTrace; findings: Finding[]; schema: SchemaVersion } {
    try {
      this.#nextFrame();
      const metadata = decodeMetadata(
        this.#bytes.subarray(this.#messageStart, this.#messageEnd),
        this.#metadataFindings,
      );
      this.#readNodes();
      return { trace: this.#finish(metadata), findings: this.#findings(), schema };
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #readNodes(): void {
    const builder = this.#builder;
    const decoder = new NodeDecoder(builder, this.#tally);
    while (this.#nextFrame()) {
      if (builder.length >= builder.capacity) this.#reserve();
      decoder.decode(
        this.#bytes,
        this.#view,
        this.#messageStart,
        this.#messageEnd,
        this.#windowStart + this.#messageStart,
      );
    }
  }

  /** Makes room for as many nodes and edges as the rest of the file has when it is like what was read. */
  #reserve(): void {
    const builder = this.#builder;
    const nodes = builder.length;
    if (nodes === 0) {
      builder.reserve(Math.min(FIRST_CAPACITY, this.source.length));
      return;
    }
    const ratio = (this.source.length / (this.#windowStart + this.#frameStart)) * 1.02;
    builder.reserve(Math.ceil(Math.max(nodes * ratio, nodes * 1.125)) + 64);
    builder.data.reserve(Math.ceil(builder.data.length * ratio) + 64);
    builder.control.reserve(Math.ceil(builder.control.length * ratio) + 64);
  }

  /** Goes to the next frame, moving the window when the frame crosses its end; false at the end of the file. */
  #nextFrame(): boolean {
    const windowStart = this.#windowStart;
    let start = this.#messageEnd;
    let left = this.#bytes.length - start;
    if (left < LONGEST_PREFIX && windowStart + this.#bytes.length < this.source.length) {
      this.#moveWindow(windowStart + start, LONGEST_PREFIX);
      start = 0;
      left = this.#bytes.length;
    }
    if (left === 0) return false;
    this.#frame++;
    this.#frameStart = start;
    const length = this.#bytes[start];
    let messageStart = start + 1;
    if (length >= 128) {
      messageStart = this.#longPrefix(start);
      if (halves[0] > this.#bytes.length - messageStart) return this.#frameAcross(messageStart, halves[0]);
      this.#messageEnd = messageStart + halves[0];
    } else {
      if (length > left - 1) return this.#frameAcross(messageStart, length);
      this.#messageEnd = messageStart + length;
    }
    this.#messageStart = messageStart;
    return true;
  }

  #longPrefix(start: number): number {
    const bytes = this.#bytes;
    const position = readVarint(bytes, start);
    if (position > bytes.length && bytes.length - start < LONGEST_PREFIX) {
      throw this.#truncated('the length of the frame is cut');
    }
    if (position - start > LONGEST_PREFIX || halves[1] !== 0 || halves[0] < 0) {
      throw new MalformedWire('the length of the frame is no 32-bit number', start);
    }
    return position;
  }

  /** The frame goes on behind the window: it is asked for again, whole. */
  #frameAcross(messageStart: number, length: number): true {
    const { source } = this;
    const frameOffset = this.#windowStart + this.#frameStart;
    const prefix = messageStart - this.#frameStart;
    if (frameOffset + prefix + length > source.length) {
      throw this.#truncated(`announces ${length} bytes, ${source.length - frameOffset - prefix} are left`);
    }
    this.#moveWindow(frameOffset, prefix + length);
    this.#frameStart = 0;
    this.#messageStart = prefix;
    this.#messageEnd = prefix + length;
    return true;
  }

  #moveWindow(offset: number, atLeast: number): void {
    const length = Math.min(Math.max(this.windowBytes, atLeast), this.source.length - offset);
    const window = this.source.read(offset, length);
    // Whatever the source hands out (a Buffer, say), the decoder always sees the same kind of array.
    this.#bytes = new Uint8Array(window.buffer, window.byteOffset, window.length);
    this.#view = new DataView(window.buffer, window.byteOffset, window.length);
    this.#windowStart = offset;
  }

  #finish(metadata: TraceMetadata): RankTrace {
    return this.#builder.finish(metadata, new EtKeptNodes(this.source));
  }

  #findings(): Finding[] {
    const { idLow, idHigh } = this.#builder;
    const { rank, file } = this.where;
    return [
      ...this.#metadataFindings.map((found) => ({ ...found, rank, file })),
      ...this.#tally.findings((node) => idForJson(idLow[node], idHigh[node]), { rank, file }),
    ];
  }

  #truncated(what: string): PrepError {
    return inputError(
      'FRAME_TRUNCATED',
      `${this.where.file}: frame ${this.#frame} at byte ${this.#windowStart + this.#frameStart}: ${what}`,
      'the file is cut short: copy or write it again',
    );
  }

  /** What the trace cannot know about itself: file, frame, rank and node. */
  #explained(error: unknown): unknown {
    const byteOffset = this.#windowStart + this.#frameStart;
    if (error instanceof MalformedWire) {
      return inputError(
        'FRAME_MALFORMED',
        `${this.where.file}: frame ${this.#frame} at byte ${byteOffset}: ${error.message} (byte ${this.#windowStart + error.position})`,
        'check that the file is a Chakra trace',
      );
    }
    if (error instanceof NumberTooLarge) {
      const { low, high } = this.#currentId();
      const { rank, file } = this.where;
      const message = `rank ${rank}, node ${formatId(low, high)}: ${error.field} ${error.value} exceeds 2^53`;
      const nodes = [idForJson(low, high)];
      return traceError('NUMBER_TOO_LARGE', message, [
        finding('NUMBER_TOO_LARGE', `${error.field} ${error.value} exceeds 2^53`, { rank, file, nodes, byteOffset }),
      ]);
    }
    return error;
  }

  #currentId(): { low: number; high: number } {
    const id = { low: 0, high: 0 };
    const fields = new FieldWalk(this.#bytes, this.#messageStart, this.#messageEnd);
    while (fields.next()) {
      if (fields.number !== 1 || fields.wire !== Wire.varint) continue;
      fields.number64();
      id.low = halves[0];
      id.high = halves[1];
    }
    return id;
  }
}
