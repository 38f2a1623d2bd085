import type { ByteSource } from '../../base/byte-source.js';
import type { KeptNodes } from '../../trace/rank-trace.js';
import { Arm, ARM_READING, armName, ARM_WIRE, integerOf, Reading } from './attribute-arms.js';
import { AttributeFields } from './attribute-fields.js';
import { armToMoveTo, ATTRIBUTE_NAME } from './known-attributes.js';
import { FieldWalk, halves, readVarint, Wire } from './wire.js';

const NAME = 2;
const DURATION = 7;
const INPUTS = 8;
const ATTRIBUTE = 10;

/** Reads the parts of a node that have no column from its frame, when asked for. */
export class EtKeptNodes implements KeptNodes {
  readonly #attribute = new AttributeFields();

  constructor(readonly source: ByteSource) {}

  name(offset: number, length: number): string {
    const fields = this.#walk(offset, length);
    let name = '';
    while (fields.next()) if (fields.number === NAME && fields.wire === Wire.delimited) name = fields.text();
    return name;
  }

  givesDuration(offset: number, length: number): boolean {
    const fields = this.#walk(offset, length);
    while (fields.next()) if (fields.number === DURATION && fields.wire === Wire.varint) return true;
    return false;
  }

  inputValues(offset: number, length: number): string {
    const fields = this.#walk(offset, length);
    let values = '';
    while (fields.next()) {
      if (fields.number !== INPUTS || fields.wire !== Wire.delimited) continue;
      const inputs = new FieldWalk(fields.bytes, fields.start, fields.end);
      while (inputs.next()) if (inputs.number === 1 && inputs.wire === Wire.delimited) values = inputs.text();
    }
    return values;
  }

  forEachAttribute(
    offset: number,
    length: number,
    visit: (name: string, arm: string, integer: number | undefined) => void,
  ): void {
    const fields = this.#walk(offset, length);
    while (fields.next()) {
      if (fields.number !== ATTRIBUTE || fields.wire !== Wire.delimited) continue;
      let name = '';
      let arm = 0;
      let integer: number | undefined;
      const parts = new FieldWalk(fields.bytes, fields.start, fields.end);
      while (parts.next()) {
        if (parts.number === 1 && parts.wire === Wire.delimited) name = parts.text();
        else if (parts.number < 256 && ARM_WIRE[parts.number] === parts.wire) {
          arm = parts.number;
          integer = undefined;
          if (ARM_READING[arm] !== Reading.none) {
            parts.number64();
            integer = integerOf(ARM_READING[arm], halves[0], halves[1]);
          }
        }
      }
      visit(name, armName(arm), integer);
    }
  }

  forEachOtherArm(
    offset: number,
    length: number,
    visit: (attribute: string, arm: string, usualArm: string) => void,
  ): void {
    const bytes = this.source.read(offset, length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const attribute = this.#attribute;
    const fields = new FieldWalk(bytes);
    let seen = 0;
    while (fields.next()) {
      if (fields.number !== ATTRIBUTE || fields.wire !== Wire.delimited) continue;
      attribute.read(bytes, view, fields.start, fields.end);
      const { key, arm } = attribute;
      if (key === 0 || (seen & (1 << key)) !== 0) continue;
      seen |= 1 << key;
      const wanted = armToMoveTo(key, arm, attribute.low, attribute.high);
      if (wanted !== 0) visit(ATTRIBUTE_NAME[key], armName(arm), armName(wanted));
    }
  }

  flagList(offset: number, length: number, name: string): boolean[] | undefined {
    const fields = this.#walk(offset, length);
    while (fields.next()) {
      if (fields.number !== ATTRIBUTE || fields.wire !== Wire.delimited) continue;
      let found = '';
      let list: boolean[] | undefined;
      const parts = new FieldWalk(fields.bytes, fields.start, fields.end);
      while (parts.next()) {
        if (parts.number === 1 && parts.wire === Wire.delimited) found = parts.text();
        else if (parts.number === Arm.boolList && parts.wire === Wire.delimited) list = flags(parts);
      }
      if (found === name) return list;
    }
    return undefined;
  }

  #walk(offset: number, length: number): FieldWalk {
    return new FieldWalk(this.source.read(offset, length));
  }
}

/** The values of a list of flags, packed or not. */
function flags({ bytes, start, end }: FieldWalk): boolean[] {
  const values: boolean[] = [];
  const fields = new FieldWalk(bytes, start, end);
  while (fields.next()) {
    if (fields.number !== 1) continue;
    for (let position = fields.start; position < fields.end;) {
      position = readVarint(bytes, position);
      values.push((halves[0] | halves[1]) !== 0);
    }
  }
  return values;
}
