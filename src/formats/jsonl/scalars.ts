import { halves, readNumber, Wire } from '../et/wire.js';
import type { ByteWriter } from './byte-writer.js';

/** A scalar as it stands in a line. Integers beyond ±(2^53 − 1) and NaN, ±Infinity and −0 are texts; bytes are base64. */
export type ScalarJson = number | string | boolean;

/** What a line says that cannot be; `field` is the path within the line. */
export class LineProblem extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** One kind of protobuf scalar: its JSON form and its bytes. */
export interface ScalarKind {
  readonly name: string;
  readonly wire: number;
  /** The value whose content is bytes [start, end) of a field. */
  read(bytes: Uint8Array, start: number, end: number): ScalarJson;
  /** Appends the content, with the length where it has one. @throws LineProblem */
  write(writer: ByteWriter, value: unknown, field: string): void;
}

const LOW = 0xffffffffn;

function integerKind(name: string, wire: number, bits: 32 | 64, signed: boolean, zigzag = false): ScalarKind {
  const smallest = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const largest = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  return {
    name,
    wire,
    read(bytes, start) {
      readNumber(bytes, start, wire);
      const low = halves[0];
      const high = halves[1];
      if (zigzag) return exactNumber(unzigzag(BigInt.asUintN(bits, wide(low, high))));
      if (bits === 32) return signed ? low : low >>> 0;
      if (signed && high === low >> 31) return low;
      if (!signed && high === 0) return low >>> 0;
      return exactNumber(signed ? BigInt.asIntN(64, wide(low, high)) : wide(low, high));
    },
    write(writer, value, field) {
      const integer = integerFrom(value, field, smallest, largest);
      if (typeof integer === 'number') {
        // Numbers of 32 bits with sign, the most of them.
        writeHalves(writer, wire, zigzag ? (integer << 1) ^ (integer >> 31) : integer, zigzag ? 0 : integer >> 31);
        return;
      }
      const word = zigzag ? (integer << 1n) ^ (integer >> BigInt(bits - 1)) : integer;
      const pattern = BigInt.asUintN(64, word);
      writeHalves(writer, wire, Number(pattern & LOW), Number(pattern >> 32n));
    },
  };
}

function wide(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function unzigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}

function exactNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A number where it fits into 31 bits, so that the sign extension is simple; a bigint otherwise. */
function integerFrom(value: unknown, field: string, smallest: bigint, largest: bigint): number | bigint {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new LineProblem(field, `${value} has no exact value as a JSON number; write integers beyond 2^53 as text`);
  }
  const isInteger =
    (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^-?[0-9]+$/.test(value));
  if (!isInteger) throw new LineProblem(field, `expected an integer, got ${shown(value)}`);
  if (typeof value === 'number' && value >= -0x40000000 && value < 0x40000000 && (value >= 0 || smallest < 0n)) {
    return value;
  }
  const integer = BigInt(value as number | string);
  if (integer < smallest || integer > largest) {
    throw new LineProblem(field, `expected an integer from ${smallest} to ${largest}, got ${integer}`);
  }
  return integer;
}

function writeHalves(writer: ByteWriter, wire: number, low: number, high: number): void {
  if (wire === Wire.varint) writer.varint(low, high);
  else if (wire === Wire.fixed32) writer.fixed32(low);
  else writer.fixed64(low, high);
}

const SPECIAL = new Map<string, number>([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

function floatKind(name: string, wire: number): ScalarKind {
  const single = wire === Wire.fixed32;
  return {
    name,
    wire,
    read(bytes, start) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + start, single ? 4 : 8);
      const value = single ? view.getFloat32(0, true) : view.getFloat64(0, true);
      if (!Number.isFinite(value)) return String(value);
      if (Object.is(value, -0)) return '-0';
      return single ? shortestSingle(value) : value;
    },
    write(writer, value, field) {
      const number = typeof value === 'string' ? SPECIAL.get(value) : value;
      if (typeof number !== 'number') {
        throw new LineProblem(
          field,
          `expected a number or one of ${[...SPECIAL.keys()].join(', ')}, got ${shown(value)}`,
        );
      }
      // JSON reads 1e999 as infinity; one that is meant is written as text.
      if (typeof value === 'number' && !Number.isFinite(single ? Math.fround(value) : value)) {
        throw new LineProblem(field, `the number is too large for a ${name}`);
      }
      if (single) writer.float(number);
      else writer.double(number);
    },
  };
}

/** The number with the fewest digits that rounds to this float32: 0.1 instead of 0.10000000149011612. */
function shortestSingle(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

const BOOL: ScalarKind = {
  name: 'bool',
  wire: Wire.varint,
  read(bytes, start) {
    readNumber(bytes, start, Wire.varint);
    return (halves[0] | halves[1]) !== 0;
  },
  write(writer, value, field) {
    if (typeof value !== 'boolean') throw new LineProblem(field, `expected true or false, got ${shown(value)}`);
    writer.varint(value ? 1 : 0);
  },
};

const STRING: ScalarKind = {
  name: 'string',
  wire: Wire.delimited,
  read: textOf,
  write(writer, value, field) {
    if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) {
      throw new LineProblem(field, `expected a text, got ${shown(value)}`);
    }
    const bytes = Buffer.from(value, 'utf8');
    writer.varint(bytes.length);
    writer.append(bytes);
  },
};

const BYTES: ScalarKind = {
  name: 'bytes',
  wire: Wire.delimited,
  read: (bytes, start, end) => Buffer.from(bytes.subarray(start, end)).toString('base64'),
  write(writer, value, field) {
    const bytes = bytesFromBase64(value, field);
    writer.varint(bytes.length);
    writer.append(bytes);
  },
};

/** @throws LineProblem for anything that is not whole base64 */
export function bytesFromBase64(value: unknown, field: string): Uint8Array {
  if (typeof value !== 'string' || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) {
    throw new LineProblem(field, `expected base64 text, got ${shown(value)}`);
  }
  return Buffer.from(value, 'base64');
}

/** A JSON value for messages. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

export const UINT64 = integerKind('uint64', Wire.varint, 64, false);
export const INT32 = integerKind('int32', Wire.varint, 32, true);
export { STRING };

/** Kinds of attribute values in the order of the schema: the scalar has field 3 + 2k, the list 4 + 2k. */
export const ATTRIBUTE_KINDS: readonly ScalarKind[] = [
  floatKind('double', Wire.fixed64),
  floatKind('float', Wire.fixed32),
  INT32,
  integerKind('int64', Wire.varint, 64, true),
  integerKind('uint32', Wire.varint, 32, false),
  UINT64,
  integerKind('sint32', Wire.varint, 32, true, true),
  integerKind('sint64', Wire.varint, 64, true, true),
  integerKind('fixed32', Wire.fixed32, 32, false),
  integerKind('fixed64', Wire.fixed64, 64, false),
  integerKind('sfixed32', Wire.fixed32, 32, true),
  integerKind('sfixed64', Wire.fixed64, 64, true),
  BOOL,
  STRING,
  BYTES,
];
