import type { RankTraceBuilder } from '../../trace/rank-trace-builder.js';
import { readText } from './wire.js';

const SLOTS = 64;
const LONGEST = 32;

/** Turns the bytes of a process group's name into its index without building a text for a name seen lately. */
export class GroupNameCache {
  readonly #bytes = new Uint8Array(SLOTS * LONGEST);
  readonly #length = new Uint8Array(SLOTS);
  readonly #group = new Int32Array(SLOTS);

  constructor(private readonly builder: RankTraceBuilder) {}

  /** Index of the group named by [start, end), −1 for the empty name. */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 0) return -1;
    if (length > LONGEST) return this.builder.internGroup(readText(bytes, start, end));
    const slot = (bytes[end - 1] * 7 + bytes[start] + length) % SLOTS;
    const cached = this.#bytes;
    const base = slot * LONGEST;
    let same = this.#length[slot] === length;
    for (let at = 0; same && at < length; at++) same = cached[base + at] === bytes[start + at];
    if (!same) {
      this.#length[slot] = length;
      for (let at = 0; at < length; at++) cached[base + at] = bytes[start + at];
      this.#group[slot] = this.builder.internGroup(readText(bytes, start, end));
    }
    return this.#group[slot];
  }
}
