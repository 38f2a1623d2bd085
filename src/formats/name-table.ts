import { grown } from '../base/grown.js';
import { jsonText } from './json/json-text.js';

const encoder = new TextEncoder();

/**
 * Numbers texts in the order in which they are first met, from their UTF-8 bytes: a text that was met before costs a hash
 * and a comparison, and no string.
 */
export class NameTable {
  /** Texts met, by number. */
  readonly names: string[] = [];
  #slots = new Int32Array(1024).fill(-1); // [power of two] number of a text, −1 for none
  #hashes = new Int32Array(512); // [names]
  #ends = new Uint32Array(512); // [names] where the bytes of a text end in #bytes
  #bytes = new Uint8Array(1 << 14);

  /** Number of the text that the bytes [from, to) between the quotes of a JSON string stand for. */
  ofJson(bytes: Uint8Array, from: number, to: number, escaped: boolean): number {
    return escaped ? this.ofText(jsonText(bytes, from, to)) : this.ofBytes(bytes, from, to);
  }

  ofText(text: string): number {
    const bytes = encoder.encode(text);
    return this.ofBytes(bytes, 0, bytes.length);
  }

  ofBytes(bytes: Uint8Array, from: number, to: number): number {
    let hash = to - from;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const name = this.#slots[slot];
      if (name < 0) return this.#add(bytes, from, to, hash, slot);
      if (this.#hashes[name] === hash && this.#equals(name, bytes, from, to)) return name;
    }
  }

  #equals(name: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = name === 0 ? 0 : this.#ends[name - 1];
    if (this.#ends[name] - start !== to - from) return false;
    const known = this.#bytes;
    for (let at = from, other = start; at < to; at++, other++) if (bytes[at] !== known[other]) return false;
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const name = this.names.length;
    const start = name === 0 ? 0 : this.#ends[name - 1];
    const end = start + to - from;
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, 2 * end);
    this.#bytes.set(bytes.subarray(from, to), start);
    if (name === this.#ends.length) {
      this.#ends = grown(this.#ends, 2 * name);
      this.#hashes = grown(this.#hashes, 2 * name);
    }
    this.#ends[name] = end;
    this.#hashes[name] = hash;
    this.names.push(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'));
    this.#slots[slot] = name;
    if (2 * this.names.length > this.#slots.length) this.#rehash();
    return name;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length).fill(-1);
    const mask = slots.length - 1;
    for (let name = 0; name < this.names.length; name++) {
      let slot = this.#hashes[name] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = name;
    }
    this.#slots = slots;
  }
}
