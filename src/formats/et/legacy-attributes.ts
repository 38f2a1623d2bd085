import { CollectiveType } from '../../trace/collective-type.js';
import { Arm } from './attribute-arms.js';
import { integerAttribute, LEGACY_COMM_TYPE, type LegacyNode } from './legacy-node.js';
import type { SchemaVersion } from './schema-version.js';
import { FieldWalk, halves, readNumber, Wire } from './wire.js';
import { MessageWriter } from './wire-write.js';

/**
 * Schemas 0.0.2 and 0.0.3 (June to August 2023): nodes with texts for inputs and outputs, and attributes with a type
 * number beside the value. What a value field holds goes by its number; the type number repeats it and is not read.
 */
type AttributeSchema = Exclude<SchemaVersion, '0.0.1' | '0.0.4'>;

type Kind = 'bool' | 'float' | 'unsigned' | 'integer' | 'text';

/** Kinds of the scalar value fields in order, from field 4; the fields of their lists follow in the same order. */
const KINDS: Record<AttributeSchema, readonly Kind[]> = {
  '0.0.2': ['float', 'integer', 'text'],
  '0.0.3': ['bool', 'float', 'integer', 'text'],
  '0.0.3+': ['bool', 'float', 'unsigned', 'integer', 'text'],
};
const FIRST_VALUE = 4;

const SCALAR_ARM: Record<Kind, number> = {
  bool: Arm.bool,
  float: Arm.float,
  unsigned: Arm.uint64,
  integer: Arm.int64,
  text: Arm.string,
};

const COLLECTIVES: Record<number, number> = {
  0: CollectiveType.allReduce,
  1: CollectiveType.allToAll,
  2: CollectiveType.allGather,
  3: CollectiveType.reduceScatter,
};
/** Added in August 2023. */
const BROADCAST = 4;

/** Takes a node apart. Throws MalformedWire. */
export function convertAttributeNode(fields: FieldWalk, schema: AttributeSchema, node: LegacyNode): void {
  node.clear();
  while (fields.next()) {
    const { number, wire } = fields;
    if (number === 4) node.addParents(fields);
    else if (number === 1 && wire === Wire.varint) {
      fields.number64();
      node.idLow = halves[0];
      node.idHigh = halves[1];
    } else if (number === 3 && wire === Wire.varint) {
      fields.number64();
      // 0.0.2 has no METADATA: everything but INVALID moves up by one.
      node.type = halves[0] === 0 || schema !== '0.0.2' ? halves[0] : halves[0] + 1;
    } else if (wire !== Wire.delimited || number > 11) node.dropped++;
    else if (number === 2) node.name = fields.bytes.slice(fields.start, fields.end);
    else if (number <= 7) node.inputs.delimited(number - 4, fields.bytes.subarray(fields.start, fields.end));
    else if (number <= 10) node.outputs.delimited(number - 7, fields.bytes.subarray(fields.start, fields.end));
    else takeAttribute(convertAttribute(fields, schema), schema, node);
  }
}

function takeAttribute(attribute: ConvertedAttribute, schema: AttributeSchema, node: LegacyNode): void {
  const { name, integer, message } = attribute;
  node.dropped += attribute.dropped;
  if (integer !== undefined && name === 'runtime') {
    [node.durationLow, node.durationHigh] = integer;
    return;
  }
  if (integer !== undefined && name === 'comm_type') {
    const [low] = integer;
    const type = schema === '0.0.3+' && low === BROADCAST ? CollectiveType.broadcast : COLLECTIVES[low];
    if (type === undefined) node.unknownCollectives++;
    halves[0] = type ?? low;
    halves[1] = type === undefined ? integer[1] : 0;
    node.addAttribute(integerAttribute(type === undefined ? LEGACY_COMM_TYPE : name, Arm.int64));
    return;
  }
  node.addAttribute(message);
}

interface ConvertedAttribute {
  readonly name: string;
  /** Halves of the value where it is one integer. */
  readonly integer: [number, number] | undefined;
  /** The attribute in 0.0.4. */
  readonly message: MessageWriter;
  readonly dropped: number;
}

/** Converts the attribute that is the content of the current field. Throws MalformedWire. */
export function convertAttribute(outer: FieldWalk, schema: AttributeSchema): ConvertedAttribute {
  const kinds = KINDS[schema];
  const fields = new FieldWalk(outer.bytes, outer.start, outer.end);
  let name = '';
  let note: Uint8Array | undefined;
  let integer: [number, number] | undefined;
  let scalar: { arm: number; content: Uint8Array } | undefined;
  const lists = new Map<Kind, MessageWriter>();
  let dropped = 0;
  while (fields.next()) {
    const { number, wire, bytes, start, end } = fields;
    const place = number - FIRST_VALUE;
    if (number === 1 && wire === Wire.delimited) name = fields.text();
    else if (number === 2 && wire === Wire.varint) continue;
    else if (number === 3 && wire === Wire.delimited) note = bytes.slice(start, end);
    else if (place >= 0 && place < kinds.length) {
      const kind = kinds[place];
      if (wire === Wire.varint) {
        fields.number64();
        integer = kind === 'unsigned' || kind === 'integer' ? [halves[0], halves[1]] : undefined;
      }
      const arm = kind === 'float' && wire === Wire.fixed64 ? Arm.double : SCALAR_ARM[kind];
      scalar = { arm, content: bytes.slice(start, end) };
    } else if (place >= kinds.length && place < 2 * kinds.length) {
      const kind = kinds[place - kinds.length];
      if (!lists.has(kind)) lists.set(kind, new MessageWriter());
      // A list of numbers is gathered without tags, packed or not; one of texts as the fields of a list message.
      if (kind === 'text') lists.get(kind)!.delimited(1, bytes.subarray(start, end));
      else lists.get(kind)!.raw(bytes.subarray(start, end));
    } else dropped++;
  }
  const message = attributeMessage(name, note, integer, scalar, lists);
  return { name, integer, message, dropped };
}

function attributeMessage(
  name: string,
  note: Uint8Array | undefined,
  integer: [number, number] | undefined,
  scalar: { arm: number; content: Uint8Array } | undefined,
  lists: ReadonlyMap<Kind, MessageWriter>,
): MessageWriter {
  if (integer !== undefined && scalar !== undefined && note === undefined) {
    [halves[0], halves[1]] = integer;
    return integerAttribute(name, scalar.arm);
  }
  const message = new MessageWriter().delimited(1, name);
  if (note !== undefined) message.delimited(2, note);
  if (scalar !== undefined) {
    if (scalar.arm === Arm.string) message.delimited(scalar.arm, scalar.content);
    else message.scalar(scalar.arm, scalar.content);
  }
  for (const [kind, elements] of lists) {
    if (kind === 'text') message.delimited(Arm.stringList, elements);
    else if (name === 'involved_dim')
      message.delimited(Arm.boolList, new MessageWriter().delimited(1, asBools(elements)));
    else message.delimited(SCALAR_ARM[kind] + 1, new MessageWriter().delimited(1, elements));
  }
  return message;
}

/** `involved_dim` was a list of integers until July 2023. */
function asBools(integers: MessageWriter): MessageWriter {
  const bytes = integers.finish();
  const bools = new MessageWriter();
  for (let position = 0; position < bytes.length;) {
    position = readNumber(bytes, position, Wire.varint);
    bools.element((halves[0] | halves[1]) === 0 ? 0 : 1, 0);
  }
  return bools;
}
