import { isUtf8 } from 'node:buffer';
import type { Losses } from '../../base/losses.js';
import { ARM_WIRE, FIRST_ARM, LAST_ARM } from '../et/attribute-arms.js';
import { FieldWalk, Wire } from '../et/wire.js';

/** What a message has that no JSON value keeps. */
export interface WireOddities {
  /** Fields that the schema does not have, or not with that wire type. */
  unknownFields: number;
  /** Texts that are not UTF-8. */
  brokenTexts: number;
}

/** Counts them among the losses. @param example where the message is */
export function countOddities(losses: Losses, message: Uint8Array, isMetadata: boolean, example: string): WireOddities {
  const odd = wireOddities(message, isMetadata);
  if (odd.unknownFields > 0) losses.add('fields that the schema does not have', example, '', odd.unknownFields);
  if (odd.brokenTexts > 0) {
    losses.add('bytes of texts that are not UTF-8', example, 'U+FFFD stands in their place', odd.brokenTexts);
  }
  return odd;
}

type Visit = (field: FieldWalk, odd: WireOddities) => boolean; // whether the schema knows the field

/** Looks at a node's message, or at the metadata's, field by field. */
export function wireOddities(message: Uint8Array, isMetadata: boolean): WireOddities {
  const odd = { unknownFields: 0, brokenTexts: 0 };
  walk(message, 0, message.length, isMetadata ? metadataField : nodeField, odd);
  return odd;
}

function walk(bytes: Uint8Array, start: number, end: number, visit: Visit, odd: WireOddities): void {
  const field = new FieldWalk(bytes, start, end);
  while (field.next()) if (!visit(field, odd)) odd.unknownFields++;
}

function metadataField(field: FieldWalk, odd: WireOddities): boolean {
  if (field.wire !== Wire.delimited) return false;
  if (field.number === 1) return text(field, odd);
  return field.number === 2 && inside(field, attributeField, odd);
}

function nodeField(field: FieldWalk, odd: WireOddities): boolean {
  const { number, wire } = field;
  if (number === 2) return wire === Wire.delimited && text(field, odd);
  if (number === 4 || number === 5) return wire === Wire.varint || wire === Wire.delimited;
  if (number === 8 || number === 9) return wire === Wire.delimited && inside(field, ioField, odd);
  if (number === 10) return wire === Wire.delimited && inside(field, attributeField, odd);
  return number <= 7 && wire === Wire.varint;
}

function ioField(field: FieldWalk, odd: WireOddities): boolean {
  return field.wire === Wire.delimited && field.number <= 3 && text(field, odd);
}

function attributeField(field: FieldWalk, odd: WireOddities): boolean {
  const { number, wire } = field;
  if (number <= 2) return wire === Wire.delimited && text(field, odd);
  if (number < FIRST_ARM || number > LAST_ARM || ARM_WIRE[number] !== wire) return false;
  if (number === TEXT) return text(field, odd);
  if (number % 2 === 0) {
    const visit: Visit = (value) => value.number === 1 && (number !== TEXT + 1 || text(value, odd));
    walk(field.bytes, field.start, field.end, visit, odd);
  }
  return true;
}

/** Field number of `string_val`; the list of texts has the next. */
const TEXT = 29;

function inside(field: FieldWalk, visit: Visit, odd: WireOddities): true {
  walk(field.bytes, field.start, field.end, visit, odd);
  return true;
}

function text({ bytes, start, end }: FieldWalk, odd: WireOddities): true {
  if (!isUtf8(bytes.subarray(start, end))) odd.brokenTexts++;
  return true;
}
