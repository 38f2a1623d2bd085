import { Arm, ARM_WIRE } from './attribute-arms.js';
import { armFor, ATTRIBUTE_NAME, USUAL_ARM } from './known-attributes.js';
import { lengthSize, putInteger } from './wire-write.js';

/**
 * Bytes that are written again and again, as little-endian words: copying words through a DataView is several times
 * cheaper than `set` for pieces this short. The last word may stick out; what follows overwrites it.
 */
export class Template {
  readonly words: Int32Array;
  readonly length: number;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    const view = new DataView(padded.buffer);
    this.words = Int32Array.from({ length: padded.length / 4 }, (_, word) => view.getInt32(word * 4, true));
    this.length = bytes.length;
  }
}

/** Copies a template; gives the position behind it. The buffer needs 3 bytes more than the template has. */
export function putTemplate(view: DataView, position: number, template: Template): number {
  const { words } = template;
  let at = position;
  for (let word = 0; word < words.length; word++, at += 4) view.setInt32(at, words[word], true);
  return position + template.length;
}

/** Tag of an attribute in a node. */
const ATTRIBUTE = 0x52;

const encoder = new TextEncoder();

/** Name of the attribute as a field, and the tag of its arm: everything between its length and its value. */
function middle(name: string, arm: number): Uint8Array {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(text.length + 4);
  bytes.set([0x0a, text.length]);
  bytes.set(text, 2);
  return bytes.subarray(0, putInteger(bytes, 2 + text.length, (arm << 3) | ARM_WIRE[arm]));
}

/** Tag of the attribute, its length (filled in later), and the middle. */
function head(middle: Uint8Array): Template {
  return new Template(Uint8Array.of(ATTRIBUTE, 0, ...middle));
}

const MIDDLES = ATTRIBUTE_NAME.map((name, key) => middle(name, USUAL_ARM[key]));
const HEADS = MIDDLES.map(head);
/** [key] for numbers that the int32 arm cannot hold. */
const WIDE_HEADS = ATTRIBUTE_NAME.map((name) => head(middle(name, Arm.int64)));

/** Writes an attribute with a number in the arm for it; gives the position behind it. */
export function putNumberAttribute(
  bytes: Uint8Array,
  view: DataView,
  position: number,
  key: number,
  value: number,
): number {
  const template = armFor(key, value) === USUAL_ARM[key] ? HEADS[key] : WIDE_HEADS[key];
  const end = putInteger(bytes, putTemplate(view, position, template), value);
  bytes[position + 1] = end - position - 2;
  return end;
}

/** Writes an attribute whose value is `length` bytes, up to that value; gives the position where the value belongs. */
export function putDelimitedHead(bytes: Uint8Array, position: number, key: number, length: number): number {
  const between = MIDDLES[key];
  bytes[position++] = ATTRIBUTE;
  position = putInteger(bytes, position, between.length + lengthSize(length) + length);
  bytes.set(between, position);
  return putInteger(bytes, position + between.length, length);
}

/** A whole attribute with a text. */
export function textAttribute(key: number, text: string): Uint8Array {
  const content = encoder.encode(text);
  const bytes = new Uint8Array(MIDDLES[key].length + content.length + 16);
  const start = putDelimitedHead(bytes, 0, key, content.length);
  bytes.set(content, start);
  return bytes.slice(0, start + content.length);
}
