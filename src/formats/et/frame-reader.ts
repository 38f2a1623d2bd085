import type { ByteSource } from '../../base/byte-source.js';
import { inputError, type PrepError } from '../../base/errors.js';
import { halves, MalformedWire, readVarint } from './wire.js';

/** A frame's length is a varint of at most this many bytes. */
const LONGEST_PREFIX = 5;

const DEFAULT_WINDOW_BYTES = 4 << 20;

/** Frames whose lengths tell how many the source may have; no estimate takes them for shorter than this on average. */
const FRAMES_LOOKED_AT = 512;
const SHORT_FRAME = 16;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(new ArrayBuffer(0));

/**
 * Takes the frames of a source one after the other through a window that moves along. A frame that crosses the end of
 * the window is asked for again from its start, so the window is at least as long as the longest frame.
 */
export class FrameReader {
  /** The window, and a view over the same bytes. */
  bytes: Uint8Array = NO_BYTES;
  view: DataView = NO_VIEW;
  /** The message of the frame in the window. */
  messageStart = 0;
  messageEnd = 0;
  /** Number of the frame, from 0, which is the metadata where the file has them. */
  frame = -1;
  #windowStart = 0;
  #frameStart = 0; // in the window: where the frame's length begins

  /** @param file name for messages */
  constructor(
    private readonly source: ByteSource,
    private readonly file: string,
    private readonly windowBytes = DEFAULT_WINDOW_BYTES,
  ) {}

  /** Offset of the frame in the source, bytes. */
  get frameOffset(): number {
    return this.#windowStart + this.#frameStart;
  }

  /** Offset of the frame's message in the source, bytes. */
  get messageOffset(): number {
    return this.#windowStart + this.messageStart;
  }

  /** Goes to the next frame; false at the end of the source. Throws `FRAME_TRUNCATED`, MalformedWire. */
  next(): boolean {
    const windowStart = this.#windowStart;
    let start = this.messageEnd;
    let left = this.bytes.length - start;
    if (left < LONGEST_PREFIX && windowStart + this.bytes.length < this.source.length) {
      this.#moveWindow(windowStart + start, LONGEST_PREFIX);
      start = 0;
      left = this.bytes.length;
    }
    if (left === 0) return false;
    this.frame++;
    this.#frameStart = start;
    const length = this.bytes[start];
    if (length < 128) {
      if (length > left - 1) this.#frameAcross(start + 1, length);
      else {
        this.messageStart = start + 1;
        this.messageEnd = start + 1 + length;
      }
      return true;
    }
    const messageStart = this.#longPrefix(start);
    if (halves[0] > this.bytes.length - messageStart) this.#frameAcross(messageStart, halves[0]);
    else {
      this.messageStart = messageStart;
      this.messageEnd = messageStart + halves[0];
    }
    return true;
  }

  /** Takes the window up again: whoever read from the source since may have moved what it shows. */
  refresh(): void {
    if (this.bytes.length === 0) return;
    const window = this.source.read(this.#windowStart, this.bytes.length);
    if (window.buffer !== this.bytes.buffer || window.byteOffset !== this.bytes.byteOffset) this.#show(window);
  }

  /**
   * How many frames the source has behind this one: exact where they are few, else estimated, on the high side, from the
   * lengths of the next ones. Counting them all would fetch every length from memory once more.
   */
  expectedFrames(): number {
    const { bytes, messageEnd: start } = this;
    const end = bytes.length;
    let position = start;
    let count = 0;
    while (position < end && count < FRAMES_LOOKED_AT) {
      const length = bytes[position];
      if (length < 128) position += 1 + length;
      else {
        position = readVarint(bytes, position);
        if (halves[0] < 0) break;
        position += halves[0];
      }
      count++;
    }
    const left = this.source.length - this.#windowStart - start;
    if (position - start >= left) return count;
    count = Math.max(count, 1);
    return Math.ceil((left / Math.max(position - start, count * SHORT_FRAME)) * count * 1.02);
  }

  /** The error for something thrown while the frame was decoded, with the place that the decoder does not know. */
  explained(error: unknown): unknown {
    if (!(error instanceof MalformedWire)) return error;
    const place = `frame ${this.frame} at byte ${this.frameOffset}`;
    return inputError(
      'FRAME_MALFORMED',
      `${this.file}: ${place}: ${error.message} (byte ${this.#windowStart + error.position})`,
      'check that the file is a Chakra trace',
    );
  }

  #longPrefix(start: number): number {
    const position = readVarint(this.bytes, start);
    if (position > this.bytes.length && this.bytes.length - start < LONGEST_PREFIX) {
      throw this.#truncated('its length is cut');
    }
    if (position - start > LONGEST_PREFIX || halves[1] !== 0 || halves[0] < 0) {
      throw new MalformedWire('the length of the frame is no number below 2^31', start);
    }
    return position;
  }

  #frameAcross(messageStart: number, length: number): void {
    const offset = this.frameOffset;
    const prefix = messageStart - this.#frameStart;
    const left = this.source.length - offset - prefix;
    if (length > left) throw this.#truncated(`it announces ${length} bytes, ${left} are left`);
    this.#moveWindow(offset, prefix + length);
    this.#frameStart = 0;
    this.messageStart = prefix;
    this.messageEnd = prefix + length;
  }

  #moveWindow(offset: number, atLeast: number): void {
    const length = Math.min(Math.max(this.windowBytes, atLeast), this.source.length - offset);
    this.#show(this.source.read(offset, length));
    this.#windowStart = offset;
  }

  #show(window: Uint8Array): void {
    // Whatever the source hands out (a Buffer, say), the decoder always sees the same kind of array.
    this.bytes = new Uint8Array(window.buffer, window.byteOffset, window.length);
    this.view = new DataView(window.buffer, window.byteOffset, window.length);
  }

  #truncated(what: string): PrepError {
    return inputError(
      'FRAME_TRUNCATED',
      `${this.file}: frame ${this.frame} at byte ${this.frameOffset}: ${what}`,
      'the file is cut short: copy or write it again',
    );
  }
}
