import { isDeepStrictEqual, TextDecoder } from 'node:util';

import { MemorySource, type ByteSource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { writeChakraEt } from './et/encode.js';
import { MalformedWire } from './et/wire.js';
import { JsonScanner, JsonSyntaxError, lineAndColumn } from './json-scan.js';
import { readJsonValue } from './json-value.js';
import { ByteWriter } from './jsonl/byte-writer.js';
import { metadataLine, nodeLine, type MetadataLine, type NodeLine, type UndecodedLine } from './jsonl/frame-line.js';
import { FrameCutter } from './jsonl/frames.js';
import { writeMetadataFrame, writeNodeFrame } from './jsonl/line-frame.js';
import { forEachLine } from './jsonl/lines.js';
import { PlainLines } from './jsonl/plain-line.js';
import { bytesFromBase64, LineProblem } from './jsonl/scalars.js';

/*
 * Chakra traces as JSON lines: the form in which people read, compare and edit traces. One rank a file; the first line
 * is the metadata, each further line is a node, in the order of the trace:
 *
 *   {"schema":"chakra-prep/trace/1","version":"0.0.4"}
 *   {"id":17,"name":"send","type":"COMM_SEND_NODE","dataDeps":[9],"attr":[{"name":"comm_size","int64":125}]}
 *
 * - `id` and `type` are always there; every other member is left out where the trace has none.
 * - An attribute is an object with its name and one member named for its kind in the schema (double, float, int32, …,
 *   bool, string, bytes), a list for the list kinds. It has no such member where it has no value. `doc` is its
 *   doc_string. Attributes are a list, because their order counts and names may repeat.
 * - Integers are JSON numbers up to ±(2^53 − 1) and decimal text beyond; either is read. NaN, Infinity, -Infinity and
 *   -0 are texts. Bytes are base64.
 * - `frame` is the base64 of the node's frame in the .et file. It is there only where the rest of the line would not
 *   give those bytes back: fields in another order, unpacked lists, unknown fields, longer varints, text that is not
 *   UTF-8. Who edits such a line takes `frame` out; a line that contradicts its frame is refused.
 * - Bytes that are no message at all are {"undecoded": reason, "frame": base64}.
 *
 * So .et → JSON lines → .et gives the same bytes, whatever the .et holds.
 */

const BYTES_AT_ONCE = 1 << 18; // collected before `write` is called

/** Writes a trace as JSON lines. @param write takes text, some whole lines at a time */
export function writeJsonLines(trace: RankTrace, write: (text: string) => void): void {
  const lines = new JsonLinesWriter((bytes) => write(Buffer.from(bytes).toString()));
  writeChakraEt(trace, (chunk) => lines.push(chunk));
  lines.finish();
}

/** Turns `.et` bytes, in any pieces, into lines. */
export class JsonLinesWriter {
  readonly #cutter = new FrameCutter((frame, messageStart) => this.#frame(frame, messageStart));
  readonly #lines = new PlainLines();
  readonly #again = new ByteWriter();
  readonly #write: (bytes: Uint8Array) => void;
  #first = true;

  /** @param write takes UTF-8 bytes, some whole lines at a time, that are valid until it returns */
  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  push(chunk: Uint8Array): void {
    this.#cutter.push(chunk);
  }

  /** Writes what is left; bytes behind the last whole frame become a line too. */
  finish(): void {
    const { rest } = this.#cutter;
    if (rest.length > 0) this.#line({ undecoded: 'the frame is cut short', frame: base64(rest) });
    this.#flush();
  }

  #frame(frame: Uint8Array, messageStart: number): void {
    const first = this.#first;
    this.#first = false;
    if (!first && this.#lines.addNode(frame)) {
      if (this.#lines.length >= BYTES_AT_ONCE) this.#flush();
      return;
    }
    const message = frame.subarray(messageStart);
    let line: NodeLine | MetadataLine;
    try {
      line = first ? metadataLine(message) : nodeLine(message);
    } catch (error) {
      if (!(error instanceof MalformedWire)) throw error;
      this.#line({ undecoded: error.message, frame: base64(frame) });
      return;
    }
    const again = this.#again;
    again.length = 0;
    if (first) writeMetadataFrame(again, { ...line });
    else writeNodeFrame(again, { ...line });
    if (Buffer.compare(again.bytes, frame) !== 0) line.frame = base64(frame);
    this.#line(line);
  }

  #line(line: NodeLine | MetadataLine | UndecodedLine): void {
    this.#lines.addLine(JSON.stringify(line));
    if (this.#lines.length >= BYTES_AT_ONCE) this.#flush();
  }

  #flush(): void {
    if (this.#lines.length > 0) this.#write(this.#lines.bytes);
    this.#lines.clear();
  }
}

/**
 * The bytes of the `.et` file that JSON lines describe.
 *
 * @param windowBytes bytes of the source looked at at once
 * @throws PrepError `JSON_LINES_MALFORMED` (exit 3) with file, line, and column or member
 */
export function jsonLinesToEt(source: ByteSource, windowBytes = 1 << 20): Uint8Array {
  const writer = new ByteWriter(Math.max(256, source.length >> 1));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let first = true;
  forEachLine(source, windowBytes, (bytes, number) => {
    try {
      writeLine(writer, parseLine(first ? withoutBom(bytes) : bytes, decoder), first);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      const field = error.field === '' ? '' : `, ${error.field}`;
      throw inputError('JSON_LINES_MALFORMED', `${source.name}, line ${number}${field}: ${error.message}`);
    }
    first = false;
  });
  if (first) throw inputError('JSON_LINES_MALFORMED', `${source.name}: has no line, not even the metadata`);
  return writer.bytes;
}

function parseLine(bytes: Uint8Array, decoder: TextDecoder): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw syntaxProblem(bytes, error);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new LineProblem('', 'expected a JSON object');
  }
  // JSON.parse keeps the last of equal keys and drops the others without a word.
  if (keysWritten(bytes) !== keysKept(value)) throw repeatedKey(bytes);
  return value as Record<string, unknown>;
}

/** Keys in the text of a JSON value: colons outside strings. */
function keysWritten(bytes: Uint8Array): number {
  let keys = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) inString = !inString;
    else if (byte === 0x3a && !inString) keys++;
    else if (byte === 0x5c) at++; // only in a string
  }
  return keys;
}

/** Keys of a value and of what is in it. */
function keysKept(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) keys += keysKept(one);
    return keys;
  }
  for (const key in value) keys += 1 + keysKept((value as Record<string, unknown>)[key]);
  return keys;
}

function repeatedKey(bytes: Uint8Array): LineProblem {
  const scan = new JsonScanner(new MemorySource(bytes, ''));
  try {
    readJsonValue(scan, scan.next());
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return new LineProblem(`column ${lineAndColumn(bytes, error.offset).column}`, error.message);
  }
  return new LineProblem('', 'a key is there twice');
}

/** Where in the line the text stops being JSON; the messages of JSON.parse do not always say. */
function syntaxProblem(bytes: Uint8Array, error: unknown): LineProblem {
  const isEncoding = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  const scan = new JsonScanner(new MemorySource(bytes, ''), { strict: true });
  try {
    while (scan.next() !== 'end');
  } catch (scanError) {
    if (!(scanError instanceof JsonSyntaxError)) throw scanError;
    const { column } = lineAndColumn(bytes, scanError.offset);
    return new LineProblem(`column ${column}`, isEncoding ? 'not UTF-8' : `not JSON: ${scanError.message}`);
  }
  return new LineProblem('', isEncoding ? 'not UTF-8' : 'expected one JSON object');
}

function writeLine(writer: ByteWriter, line: Record<string, unknown>, first: boolean): void {
  const { frame, undecoded, ...rest } = line;
  if (frame === undefined) {
    if (first) writeMetadataFrame(writer, line);
    else writeNodeFrame(writer, line);
    return;
  }
  const bytes = bytesFromBase64(frame, 'frame');
  if (undecoded === undefined && !isDeepStrictEqual(readable(bytes, first), rest)) {
    throw new LineProblem('frame', 'says something else than the rest of the line; take it out to keep an edit');
  }
  writer.append(bytes);
}

/** What a frame says, as a plain object; `undefined` for bytes that are not one whole frame. */
function readable(frame: Uint8Array, first: boolean): unknown {
  let messageLine: unknown;
  const cutter = new FrameCutter((whole, messageStart) => {
    const message = whole.subarray(messageStart);
    messageLine ??= { ...(first ? metadataLine(message) : nodeLine(message)) };
  });
  try {
    cutter.push(frame);
  } catch (error) {
    if (error instanceof MalformedWire) return undefined;
    throw error;
  }
  return cutter.rest.length === 0 ? messageLine : undefined;
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
