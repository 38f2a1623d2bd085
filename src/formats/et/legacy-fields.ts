import { CollectiveType } from '../../trace/collective-type.js';
import { Arm } from './attribute-arms.js';
import { integerAttribute, LEGACY_COMM_TYPE, type LegacyNode } from './legacy-node.js';
import { type FieldWalk, halves, Wire } from './wire.js';
import { MessageWriter } from './wire-write.js';

/**
 * Schema 0.0.1 (January 2023): a node is a row of fields. Read: all fields of the schemas published under that number;
 * fields 21 and 22 mean different things in different copies and are left out.
 */

/** Collective types by number; 0 means none. */
const COLLECTIVES: Record<number, number> = {
  1: CollectiveType.allReduce,
  2: CollectiveType.allToAll,
  3: CollectiveType.allGather,
  4: CollectiveType.reduceScatter,
};

/** Fields that are attributes in 0.0.4, and the arm of those without an expected one. */
const ATTRIBUTES: Record<number, { name: string; arm: number }> = {
  5: { name: 'tensor_loc', arm: Arm.uint32 },
  6: { name: 'tensor_size', arm: Arm.uint64 },
  8: { name: 'input_tensor_loc', arm: Arm.uint32 },
  9: { name: 'input_tensor_size', arm: Arm.uint64 },
  10: { name: 'output_tensor_loc', arm: Arm.uint32 },
  11: { name: 'output_tensor_size', arm: Arm.uint64 },
  12: { name: 'num_ops', arm: Arm.int64 },
  15: { name: 'communicator_id', arm: Arm.uint32 },
  16: { name: 'comm_src', arm: Arm.int32 },
  17: { name: 'comm_dst', arm: Arm.int32 },
  18: { name: 'comm_size', arm: Arm.int64 },
  19: { name: 'comm_tag', arm: Arm.int32 },
  20: { name: 'comm_priority', arm: Arm.int32 },
};

const INVOLVED_DIMENSIONS = 14;

/** Takes a node of 0.0.1 apart. Throws MalformedWire. */
export function convertFieldNode(fields: FieldWalk, node: LegacyNode): void {
  node.clear();
  const dimensions = new MessageWriter();
  while (fields.next()) {
    const { number, wire } = fields;
    if (number === 4) node.addParents(fields);
    else if (number === INVOLVED_DIMENSIONS && (wire === Wire.varint || wire === Wire.delimited)) {
      dimensions.raw(fields.bytes.subarray(fields.start, fields.end));
    } else if (wire === Wire.varint) {
      fields.number64();
      takeNumber(number, node);
    } else if (number === 2 && wire === Wire.delimited) node.name = fields.bytes.slice(fields.start, fields.end);
    else node.dropped++;
  }
  if (dimensions.length > 0) {
    const list = new MessageWriter().delimited(1, dimensions);
    node.addAttribute(new MessageWriter().delimited(1, 'involved_dim').delimited(Arm.boolList, list));
  }
}

/** The number in `halves` is the value of a field. */
function takeNumber(field: number, node: LegacyNode): void {
  const low = halves[0];
  const high = halves[1];
  if (field === 1) {
    node.idLow = low;
    node.idHigh = high;
  } else if (field === 3) {
    // Everything but INVALID moves up by one: METADATA was put in before it.
    node.type = low === 0 ? 0 : low + 1;
  } else if (field === 7) {
    node.durationLow = low;
    node.durationHigh = high;
  } else if (field === 13) {
    if (low === 0) return;
    const type = COLLECTIVES[low];
    if (type === undefined) node.unknownCollectives++;
    else halves[0] = type;
    node.addAttribute(integerAttribute(type === undefined ? LEGACY_COMM_TYPE : 'comm_type', Arm.int64));
  } else if (ATTRIBUTES[field]) {
    node.addAttribute(integerAttribute(ATTRIBUTES[field].name, ATTRIBUTES[field].arm));
  } else node.dropped++;
}
