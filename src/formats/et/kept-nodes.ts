import type { ByteSource } from '../../base/byte-source.js';
import type { KeptNodes } from '../../trace/rank-trace.js';
import { ARM_READING, armName, ARM_WIRE, integerOf, Reading } from './attribute-arms.js';
import { FieldWalk, halves, Wire } from './wire.js';

const NAME = 2;
const DURATION = 7;
const INPUTS = 8;
const ATTRIBUTE = 10;

/** Reads the parts of a node that have no column from its frame, when asked for. */
export class EtKeptNodes implements KeptNodes {
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

  #walk(offset: number, length: number): FieldWalk {
    return new FieldWalk(this.source.read(offset, length));
  }
}
