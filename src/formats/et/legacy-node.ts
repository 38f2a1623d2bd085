import { Arm } from './attribute-arms.js';
import { ATTRIBUTE_NAME, USUAL_ARM } from './known-attributes.js';
import { type FieldWalk, halves, readNumber, Wire } from './wire.js';
import { MessageWriter } from './wire-write.js';

/** A node of an older schema on its way to 0.0.4: its parts in the order in which they are found. */
export class LegacyNode {
  idLow = 0;
  idHigh = 0;
  name = new Uint8Array(0) as Uint8Array;
  type = 0;
  /** Halves of the ids, low and high in turns. */
  readonly parents: number[] = [];
  durationLow = 0;
  durationHigh = 0;
  readonly inputs = new MessageWriter();
  readonly outputs = new MessageWriter();
  /** Attributes as fields of the node. */
  readonly attributes = new MessageWriter();
  /** Over all nodes: fields without a meaning, and collective types without one. */
  dropped = 0;
  unknownCollectives = 0;

  clear(): void {
    this.idLow = 0;
    this.idHigh = 0;
    this.name = new Uint8Array(0);
    this.type = 0;
    this.parents.length = 0;
    this.durationLow = 0;
    this.durationHigh = 0;
    this.inputs.clear();
    this.outputs.clear();
    this.attributes.clear();
  }

  addParents(fields: FieldWalk): void {
    const { bytes, start, end, wire } = fields;
    if (wire !== Wire.varint && wire !== Wire.delimited) return;
    for (let position = start; position < end;) {
      position = readNumber(bytes, position, Wire.varint);
      this.parents.push(halves[0], halves[1]);
    }
  }

  addAttribute(attribute: MessageWriter): void {
    this.attributes.delimited(10, attribute);
  }

  /** Adds the node as a frame of 0.0.4. */
  writeTo(file: MessageWriter): void {
    const node = new MessageWriter();
    if ((this.idLow | this.idHigh) !== 0) node.integer64(1, this.idLow, this.idHigh);
    if (this.name.length > 0) node.delimited(2, this.name);
    if (this.type !== 0) node.integer(3, this.type);
    if (this.parents.length > 0) {
      const ids = new MessageWriter();
      for (let at = 0; at < this.parents.length; at += 2) ids.element(this.parents[at], this.parents[at + 1]);
      node.delimited(5, ids);
    }
    if ((this.durationLow | this.durationHigh) !== 0) node.integer64(7, this.durationLow, this.durationHigh);
    if (this.inputs.length > 0) node.delimited(8, this.inputs);
    if (this.outputs.length > 0) node.delimited(9, this.outputs);
    file.frame(node.raw(this.attributes.finish()));
  }
}

/** Name of the attribute that keeps a collective type without a meaning in 0.0.4. */
export const LEGACY_COMM_TYPE = 'legacy_comm_type';

/** The number in `halves` as an attribute: known names in the arm that readers expect, others in `arm`. */
export function integerAttribute(name: string, arm: number): MessageWriter {
  const known = name === '' ? -1 : ATTRIBUTE_NAME.indexOf(name);
  const usual = known > 0 ? USUAL_ARM[known] : arm;
  return new MessageWriter().delimited(1, name).integer64(usual === Arm.string ? arm : usual, halves[0], halves[1]);
}
