import { Arm } from '../formats/et/attribute-arms.js';
import { MessageWriter } from '../formats/et/wire-write.js';

/** Oneof arms of AttributeProto that {@link Arm} does not name, by field number (chakra-format section 2). */
const More = {
  doubleList: 4,
  floatList: 6,
  int32List: 8,
  uint32: 11,
  uint32List: 12,
  sint32: 15,
  sint32List: 16,
  sint64: 17,
  sint64List: 18,
  fixed32: 19,
  fixed32List: 20,
  fixed64: 21,
  fixed64List: 22,
  sfixed32: 23,
  sfixed32List: 24,
  sfixed64: 25,
  sfixed64List: 26,
  bytes: 31,
  bytesList: 32,
} as const;

const VALUES = 1; // the only field of every list message
const DIGITS = Array.from({ length: 10 }, (_, place) => String(12345 + place));
const FLAGS = Array.from({ length: 10 }, (_, place) => 1 - (place % 2));
const WIDE = [9_876_543_210, 1_234_567_890];
const WIDE_SIGNED = [9_876_543_210, -1_234_567_890];

/**
 * An attribute of every oneof arm that an attribute can have, as chakra_generator puts them on its metadata node: 15 scalars and
 * 15 lists, named after their arms. Scalars carry their name as `doc_string` but for those whose official attribute has none.
 * @returns attribute messages in the official order
 */
export function everyAttributeArm(): Uint8Array[] {
  return [
    pair('double', Arm.double, fixed(8, 'Float64', 1.2345), More.doubleList, fixed(8, 'Float64', 1.2345, 2.3456)),
    pair('float', Arm.float, fixed(4, 'Float32', 1.2345), More.floatList, fixed(4, 'Float32', 1.2345, 2.3456)),
    pair('int32', Arm.int32, 12345, More.int32List, varints([12345, 23456])),
    pair('int64', Arm.int64, WIDE[0], Arm.int64List, varints(WIDE)),
    pair('uint32', More.uint32, 12345, More.uint32List, varints([12345, 23456])),
    pair('uint64', Arm.uint64, WIDE[0], Arm.uint64List, varints(WIDE)),
    pair('sint32', More.sint32, zigzag(-12345), More.sint32List, varints([12345, -23456].map(zigzag))),
    pair('sint64', More.sint64, zigzag(-9_876_543_210), More.sint64List, varints(WIDE_SIGNED.map(zigzag))),
    pair('fixed32', More.fixed32, fixed(4, 'Uint32', 12345), More.fixed32List, fixed(4, 'Uint32', 12345, 23456), ''),
    pair('fixed64', More.fixed64, fixed64(WIDE[0]), More.fixed64List, fixed64(...WIDE), ''),
    pair('sfixed32', More.sfixed32, fixed(4, 'Int32', -12345), More.sfixed32List, fixed(4, 'Int32', 12345, -23456), ''),
    pair('sfixed64', More.sfixed64, fixed64(-9_876_543_210), More.sfixed64List, fixed64(...WIDE_SIGNED), ''),
    pair('bool', Arm.bool, 1, Arm.boolList, varints(FLAGS)),
    pair('string', Arm.string, '12345', Arm.stringList, texts(DIGITS)),
    pair('bytes', More.bytes, '12345', More.bytesList, texts(DIGITS), ''),
  ].flat();
}

/** Fixed-width values, to be written without a length as a scalar and with one as a list. */
interface Packed {
  readonly width: 0 | 4 | 8;
  readonly bytes: Uint8Array;
}

type Scalar = number | string | Packed;

function pair(name: string, arm: number, value: Scalar, listArm: number, values: Packed | MessageWriter, doc = name) {
  const scalar = new MessageWriter().delimited(1, name);
  if (doc !== '') scalar.delimited(2, doc);
  if (typeof value === 'number') scalar.integer(arm, value);
  else if (typeof value === 'string') scalar.delimited(arm, value);
  else scalar.raw(tagOf(arm, value.width)).raw(value.bytes);
  const list = values instanceof MessageWriter ? values : new MessageWriter().delimited(VALUES, values.bytes);
  return [scalar.finish(), new MessageWriter().delimited(1, `${name}_list`).delimited(listArm, list).finish()];
}

/** Field number and wire type: 1 for eight bytes, 5 for four. Arms above 15 take two bytes. */
function tagOf(field: number, width: number): Uint8Array {
  const tag = (field << 3) | (width === 8 ? 1 : 5);
  return tag < 0x80 ? Uint8Array.of(tag) : Uint8Array.of((tag & 0x7f) | 0x80, tag >> 7);
}

function fixed(width: 4 | 8, kind: 'Float64' | 'Float32' | 'Uint32' | 'Int32', ...values: number[]): Packed {
  const bytes = new Uint8Array(width * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, place) => view[`set${kind}`](width * place, value, true));
  return { width, bytes };
}

function fixed64(...values: number[]): Packed {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, place) => view.setBigInt64(8 * place, BigInt(value), true));
  return { width: 8, bytes };
}

function varints(values: readonly number[]): Packed {
  // A field of one varint is its tag, here one byte, and the value: the values alone are what follows the tags.
  const bytes = values.flatMap((value) => [...new MessageWriter().integer(VALUES, value).finish().subarray(1)]);
  return { width: 0, bytes: Uint8Array.from(bytes) };
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function texts(values: readonly string[]): MessageWriter {
  const list = new MessageWriter();
  for (const value of values) list.delimited(VALUES, value);
  return list;
}
