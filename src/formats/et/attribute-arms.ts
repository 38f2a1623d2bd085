import { Wire } from './wire.js';

/** Oneof arms of an attribute by field number, and what kind of value each holds. */
export const Arm = {
  unset: 0,
  double: 3,
  float: 5,
  int32: 7,
  int64: 9,
  int64List: 10,
  uint64: 13,
  uint64List: 14,
  bool: 27,
  boolList: 28,
  string: 29,
  stringList: 30,
} as const;

/** How the 64 bits of a scalar arm are read. */
export const Reading = {
  none: 0,
  signed32: 1,
  signed64: 2,
  unsigned32: 3,
  unsigned64: 4,
  zigzag32: 5,
  zigzag64: 6,
  bool: 7,
} as const;

/** First and last arm number. */
export const FIRST_ARM = 3;
export const LAST_ARM = 32;

interface ArmRow {
  readonly name: string;
  readonly wire: number;
  /** Reading of one value; `none` for a number that is no integer, a text or bytes. */
  readonly reading: number;
}

const SCALARS: readonly ArmRow[] = [
  { name: 'double', wire: Wire.fixed64, reading: Reading.none },
  { name: 'float', wire: Wire.fixed32, reading: Reading.none },
  { name: 'int32', wire: Wire.varint, reading: Reading.signed32 },
  { name: 'int64', wire: Wire.varint, reading: Reading.signed64 },
  { name: 'uint32', wire: Wire.varint, reading: Reading.unsigned32 },
  { name: 'uint64', wire: Wire.varint, reading: Reading.unsigned64 },
  { name: 'sint32', wire: Wire.varint, reading: Reading.zigzag32 },
  { name: 'sint64', wire: Wire.varint, reading: Reading.zigzag64 },
  { name: 'fixed32', wire: Wire.fixed32, reading: Reading.unsigned32 },
  { name: 'fixed64', wire: Wire.fixed64, reading: Reading.unsigned64 },
  { name: 'sfixed32', wire: Wire.fixed32, reading: Reading.signed32 },
  { name: 'sfixed64', wire: Wire.fixed64, reading: Reading.signed64 },
  { name: 'bool', wire: Wire.varint, reading: Reading.bool },
  { name: 'string', wire: Wire.delimited, reading: Reading.none },
  { name: 'bytes', wire: Wire.delimited, reading: Reading.none },
];

// The scalar of row k has number 3 + 2k; the list of the same values has the next number.
const rowOf = (arm: number): ArmRow | undefined => SCALARS[(arm - FIRST_ARM) >> 1];
const isList = (arm: number): boolean => arm % 2 === 0;

/** Wire type of the arm by number; 255 for numbers that are no arm. */
export const ARM_WIRE = Uint8Array.from({ length: 256 }, (_, arm) => {
  if (arm < FIRST_ARM || arm > LAST_ARM) return 255;
  return isList(arm) ? Wire.delimited : rowOf(arm)!.wire;
});

/** {@link Reading} of a scalar arm by number; `none` for lists and everything that is no integer. */
export const ARM_READING = Uint8Array.from({ length: 256 }, (_, arm) =>
  arm < FIRST_ARM || arm > LAST_ARM || isList(arm) ? Reading.none : rowOf(arm)!.reading,
);

/** {@link Reading} of one element of a list arm, and the wire type of an element that is not packed. */
export function listElement(arm: number): { reading: number; wire: number } | undefined {
  return arm >= FIRST_ARM && arm <= LAST_ARM && isList(arm) ? rowOf(arm) : undefined;
}

/** Name of an arm as in the schema, `int64_val`; `UNSET` where there is none. */
export function armName(arm: number): string {
  if (arm < FIRST_ARM || arm > LAST_ARM) return 'UNSET';
  return `${rowOf(arm)!.name}_${isList(arm) ? 'list' : 'val'}`;
}

/** Number that the 64 bits of an integer arm stand for; exact up to 2^53. */
export function integerOf(reading: number, low: number, high: number): number {
  switch (reading) {
    case Reading.signed32:
      return low;
    case Reading.unsigned32:
      return low >>> 0;
    case Reading.zigzag32:
      return (low >>> 1) ^ -(low & 1);
    case Reading.zigzag64: {
      const sign = -(low & 1);
      const shiftedLow = ((low >>> 1) | (high << 31)) ^ sign;
      return ((high >>> 1) ^ sign) * 0x100000000 + (shiftedLow >>> 0);
    }
    case Reading.unsigned64:
      return (high >>> 0) * 0x100000000 + (low >>> 0);
    case Reading.bool:
      return (low | high) !== 0 ? 1 : 0;
    default:
      return high * 0x100000000 + (low >>> 0);
  }
}

/** The same as text, exact for every 64-bit value. */
export function integerText(reading: number, low: number, high: number): string {
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  if (reading === Reading.unsigned64) return String(bits);
  if (reading === Reading.signed64) return String(BigInt.asIntN(64, bits));
  if (reading === Reading.zigzag64) return String((bits >> 1n) ^ -(bits & 1n));
  return String(integerOf(reading, low, high));
}
