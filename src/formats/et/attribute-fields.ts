import { Arm, ARM_WIRE, FIRST_ARM, LAST_ARM } from './attribute-arms.js';
import { attributeKey } from './known-attributes.js';
import { FieldWalk, halves, readNumber, Wire } from './wire.js';

/**
 * One attribute taken apart, whatever the order of its fields: of repeated names and values the last counts, as in
 * every protobuf reader. To be filled again for the next one.
 */
export class AttributeFields {
  /** Key of a known attribute, 0 for others. */
  key = 0;
  /** Oneof arm, 0 when it has no value. */
  arm = 0;
  /** Halves of a number. */
  low = 0;
  high = 0;
  /** Where the value's content lies. */
  valueStart = 0;
  valueEnd = 0;
  /** Whether there is nothing but one name and at most one value. */
  plain = true;

  readonly #fields = new FieldWalk(new Uint8Array(0));

  /** Takes the attribute whose message is [start, end); `view` is over the same bytes. */
  read(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    if (this.#readPlain(bytes, view, start, end)) return;
    this.key = 0;
    this.arm = Arm.unset;
    let names = 0;
    let values = 0;
    let others = 0;
    const fields = this.#fields.over(bytes, start, end);
    while (fields.next()) {
      if (fields.number === 1 && fields.wire === Wire.delimited) {
        names++;
        this.key = attributeKey(bytes, view, fields.start, fields.end - fields.start);
      } else if (fields.number >= FIRST_ARM && fields.number <= LAST_ARM && ARM_WIRE[fields.number] === fields.wire) {
        values++;
        this.arm = fields.number;
        this.valueStart = fields.start;
        this.valueEnd = fields.end;
        if (fields.wire !== Wire.delimited) {
          fields.number64();
          this.low = halves[0];
          this.high = halves[1];
        }
      } else others++;
    }
    this.plain = names === 1 && values <= 1 && others === 0;
  }

  /** Takes the form that every producer writes, a name and then a number or a delimited value of one-byte length. */
  #readPlain(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    const nameLength = bytes[start + 1];
    let position = start + 2 + nameLength;
    if (end - start < 2 || bytes[start] !== 0x0a || nameLength >= 128 || position >= end) return false;
    let tag = bytes[position++];
    if (tag >= 128) tag = (tag & 127) | (bytes[position++] << 7);
    const arm = tag >>> 3;
    if (arm > LAST_ARM || ARM_WIRE[arm] !== (tag & 7)) return false;
    if ((tag & 7) === Wire.delimited) {
      if (++position + bytes[position - 1] !== end || bytes[position - 1] >= 128) return false;
    } else {
      if (readNumber(bytes, position, tag & 7) !== end) return false;
      this.low = halves[0];
      this.high = halves[1];
    }
    this.key = attributeKey(bytes, view, start + 2, nameLength);
    this.arm = arm;
    this.valueStart = position;
    this.valueEnd = end;
    this.plain = true;
    return true;
  }

  /** Copies the fields that are neither name nor value of [start, end); gives the position behind them. */
  copyOthers(bytes: Uint8Array, start: number, end: number, out: Uint8Array, position: number): number {
    const fields = this.#fields.over(bytes, start, end);
    while (fields.next()) {
      if (fields.number === 1 || (fields.number >= FIRST_ARM && fields.number <= LAST_ARM)) continue;
      for (let at = fields.fieldStart; at < fields.end; at++) out[position++] = bytes[at];
    }
    return position;
  }
}
