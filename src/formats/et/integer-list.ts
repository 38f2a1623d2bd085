import { integerOf, integerText, listElement, Reading } from './attribute-arms.js';
import { FieldWalk, halves, MalformedWire, readNumber, Wire } from './wire.js';

/**
 * The integers of a list message, packed or not; `undefined` when they are no integers of at least 0.
 * @param tooLarge gives what stands for a number above 2^53, or throws
 */
export function readIntegers(
  bytes: Uint8Array,
  start: number,
  end: number,
  arm: number,
  tooLarge: (text: string) => number,
): number[] | undefined {
  const element = listElement(arm)!;
  if (element.reading === Reading.none || element.reading === Reading.bool) return undefined;
  const values: number[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    if (fields.number !== 1) continue;
    const packed = fields.wire === Wire.delimited;
    if (!packed && fields.wire !== element.wire) continue;
    let position = fields.start;
    while (position < fields.end) {
      position = readNumber(bytes, position, element.wire);
      if (position > fields.end) throw new MalformedWire('a list of numbers is cut', position);
      const value = integerOf(element.reading, halves[0], halves[1]);
      if (value < 0) return undefined;
      const exact = Number.isSafeInteger(value);
      values.push(exact ? value : tooLarge(integerText(element.reading, halves[0], halves[1])));
    }
  }
  return values;
}
