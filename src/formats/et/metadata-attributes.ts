import { setOwn } from '../../base/named-values.js';
import { Arm, ARM_READING, ARM_WIRE, armName, integerText, listElement, Reading } from './attribute-arms.js';
import { FieldWalk, halves, readNumber, Wire } from './wire.js';

/** Longest text shown; text workloads are kept whole in the metadata. */
const LONGEST_TEXT = 120;
const ATTRIBUTE = 2;

/** Attributes of a metadata message in order: name → oneof arm and value as text, cut after 120 characters. */
export function metadataAttributes(message: Uint8Array): Record<string, { type: string; value: string }> {
  const attributes: Record<string, { type: string; value: string }> = {};
  const fields = new FieldWalk(message);
  while (fields.next()) {
    if (fields.number !== ATTRIBUTE || fields.wire !== Wire.delimited) continue;
    let name = '';
    let arm: number = Arm.unset;
    let value = '';
    const parts = new FieldWalk(message, fields.start, fields.end);
    while (parts.next()) {
      if (parts.number === 1 && parts.wire === Wire.delimited) name = parts.text();
      else if (parts.number < 256 && ARM_WIRE[parts.number] === parts.wire) {
        arm = parts.number;
        value = valueText(parts);
      }
    }
    setOwn(attributes, name, { type: armName(arm), value: [...value].slice(0, LONGEST_TEXT).join('') });
  }
  return attributes;
}

function valueText(field: FieldWalk): string {
  const { number: arm, bytes, start, end } = field;
  const element = listElement(arm);
  if (element !== undefined) return `[${listTexts(arm, bytes, start, end).join(', ')}]`;
  if (arm === Arm.string) return field.text();
  return scalarText(arm, ARM_READING[arm], field.wire, bytes, start, end);
}

function listTexts(arm: number, bytes: Uint8Array, start: number, end: number): string[] {
  const { reading, wire } = listElement(arm)!;
  const texts: string[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    if (fields.number !== 1) continue;
    if (arm === Arm.stringList) texts.push(JSON.stringify(fields.text()));
    else if (fields.wire === Wire.delimited && wire !== Wire.delimited) {
      for (let at = fields.start; at < fields.end;) {
        const next = readNumber(bytes, at, wire);
        texts.push(scalarText(arm - 1, reading, wire, bytes, at, next));
        at = next;
      }
    } else texts.push(scalarText(arm - 1, reading, fields.wire, bytes, fields.start, fields.end));
  }
  return texts;
}

function scalarText(arm: number, reading: number, wire: number, bytes: Uint8Array, start: number, end: number): string {
  if (reading === Reading.none) {
    if (wire === Wire.delimited) return Buffer.from(bytes.subarray(start, end)).toString('base64');
    const view = new DataView(bytes.buffer, bytes.byteOffset + start);
    return String(arm === Arm.double ? view.getFloat64(0, true) : view.getFloat32(0, true));
  }
  readNumber(bytes, start, wire);
  if (reading === Reading.bool) return String((halves[0] | halves[1]) !== 0);
  return integerText(reading, halves[0], halves[1]);
}
