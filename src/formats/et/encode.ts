import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { NodeEncoder } from './encode-node.js';
import { EtKeptNodes } from './kept-nodes.js';
import { encodeMetadata } from './metadata.js';
import { SourceWindow } from './source-window.js';
import { lengthSize, putInteger, VARINT_BYTES } from './wire-write.js';

const CHUNK_BYTES = 1 << 20;
/** Kept bytes from this many on are handed on as they are instead of being copied into the chunk. */
const DIRECT_BYTES = 1 << 16;

/** Name of the pass after which every node carries its partner and its dependents. */
const ANNOTATE = 'annotate';

/**
 * Writes a trace as a `.et` file of schema 0.0.4, by chunks of about 1 MiB; a chunk is valid only during the call that
 * gets it.
 *
 * Nodes nobody touched are copied from the source as they are, so a trace that was read and not changed gives the same
 * bytes. Once its metadata says that passes ran, nodes with attributes in unusual oneof arms are written in the usual
 * ones too (chakra-format section 21); after `annotate` every node is written anew, with partner and dependents.
 */
export function writeChakraEt(trace: RankTrace, write: (chunk: Uint8Array) => void): void {
  const sink = new ChunkSink(write);
  const metadata = encodeMetadata(trace.metadata);
  sink.putLength(metadata.length);
  sink.putBytes(metadata);
  const changed = metadata !== trace.metadata.kept;
  const annotated = trace.metadata.passes.includes(ANNOTATE);
  const rewritten = NodeFlag.touched | (changed ? NodeFlag.otherArm : 0);
  const encoder = new NodeEncoder(trace, annotated);
  const { length, flags, frameOffset, frameLength } = trace;
  const window = trace.kept instanceof EtKeptNodes ? new SourceWindow(trace.kept.source) : undefined;
  for (let node = 0; node < length; node++) {
    if (window === undefined || frameOffset[node] < 0) {
      sink.reserve(encoder.room(node));
      sink.position = encoder.encodeNew(sink.bytes, sink.view, sink.position, node);
    } else if (annotated || (flags[node] & rewritten) !== 0) {
      sink.reserve(encoder.room(node));
      const from = window.place(frameOffset[node], frameLength[node]);
      const to = from + frameLength[node];
      sink.position = encoder.encodeKept(
        sink.bytes,
        sink.view,
        sink.position,
        node,
        window.bytes,
        window.view,
        from,
        to,
      );
    } else {
      // A run of frames that lie one behind the other in the source is one copy.
      const start = frameOffset[node];
      let end = start + frameLength[node];
      sink.putLength(frameLength[node]);
      while (node + 1 < length && (flags[node + 1] & rewritten) === 0) {
        if (frameOffset[node + 1] - end !== lengthSize(frameLength[node + 1])) break;
        node++;
        end = frameOffset[node] + frameLength[node];
      }
      copyKept(window, start, end, sink);
    }
  }
  sink.end();
}

/** The same as one array, for traces that fit into memory twice. */
export function encodeChakraEt(trace: RankTrace): Uint8Array {
  const chunks: Uint8Array[] = [];
  writeChakraEt(trace, (chunk) => chunks.push(chunk.slice()));
  if (chunks.length === 1) return chunks[0];
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.length;
  }
  return whole;
}

function copyKept(window: SourceWindow, start: number, end: number, sink: ChunkSink): void {
  for (let offset = start; offset < end; offset += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, end - offset);
    const from = window.place(offset, length);
    sink.putBytes(window.bytes.subarray(from, from + length));
  }
}

/** The chunk of the sink that ended last: a command writes thousands of files, and fresh pages cost more than the copy. */
let spareChunk: Uint8Array | undefined;

/** Gathers bytes into chunks. Encoders write into `bytes` from `position` on, after `reserve`. */
class ChunkSink {
  bytes = spareChunk ?? new Uint8Array(CHUNK_BYTES);
  view = new DataView(this.bytes.buffer);
  position = 0;

  constructor(private readonly write: (chunk: Uint8Array) => void) {
    spareChunk = undefined;
  }

  /** Makes room for so many bytes behind `position`. */
  reserve(room: number): void {
    if (this.position + room <= this.bytes.length) return;
    this.flush();
    if (room <= this.bytes.length) return;
    this.bytes = new Uint8Array(room);
    this.view = new DataView(this.bytes.buffer);
  }

  putLength(length: number): void {
    this.reserve(VARINT_BYTES);
    this.position = putInteger(this.bytes, this.position, length);
  }

  putBytes(bytes: Uint8Array): void {
    if (bytes.length >= DIRECT_BYTES) {
      this.flush();
      this.write(bytes);
      return;
    }
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.position);
    this.position += bytes.length;
  }

  flush(): void {
    if (this.position > 0) this.write(this.bytes.subarray(0, this.position));
    this.position = 0;
  }

  /** Hands on what is left; the sink is not used afterwards. */
  end(): void {
    this.flush();
    if (this.bytes.length === CHUNK_BYTES) spareChunk = this.bytes;
  }
}
