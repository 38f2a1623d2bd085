import { nodeTypeName } from '../../trace/node-type.js';
import { FieldWalk, MalformedWire, Wire } from '../et/wire.js';
import { ATTRIBUTE_KINDS, INT32, STRING, UINT64, type ScalarJson, type ScalarKind } from './scalars.js';

/** An attribute in a line: its name and one member named for the kind, a list for a list; neither where it has no value. */
export type AttributeLine = Record<string, ScalarJson | ScalarJson[]>;

export interface IoLine {
  values?: string;
  shapes?: string;
  types?: string;
}

/** A node as a line shows it. */
export interface NodeLine {
  id?: number | string;
  name?: string;
  /** Schema name; the number where the schema has no name for it. */
  type?: string | number;
  ctrlDeps?: (number | string)[];
  dataDeps?: (number | string)[];
  startTimeMicros?: number | string;
  durationMicros?: number | string;
  inputs?: IoLine;
  outputs?: IoLine;
  attr?: AttributeLine[];
  /** Base64 of the whole frame, length included, where the rest of the line would not give the same bytes. */
  frame?: string;
}

/** The metadata as the first line shows it. */
export interface MetadataLine {
  schema: typeof LINE_SCHEMA;
  version?: string;
  attr?: AttributeLine[];
  frame?: string;
}

/** Bytes that are no message of the schema, or half of one. */
export interface UndecodedLine {
  /** Why. */
  undecoded: string;
  frame: string;
}

export const LINE_SCHEMA = 'chakra-prep/trace/1';

/** The line of a node's message, without `frame`. @throws MalformedWire */
export function nodeLine(message: Uint8Array): NodeLine {
  let id: number | string = 0;
  let name = '';
  let type = 0;
  const ctrlDeps: (number | string)[] = [];
  const dataDeps: (number | string)[] = [];
  let startTime: number | string = 0;
  let duration: number | string = 0;
  let inputs: IoLine | undefined;
  let outputs: IoLine | undefined;
  const attr: AttributeLine[] = [];
  const field = new FieldWalk(message);
  while (field.next()) {
    const key = field.number * 8 + field.wire;
    // Fields of another wire type are unknown to the schema; the comparison with the frame finds them missing.
    if (key === 0x08) id = scalar(UINT64, field) as number | string;
    else if (key === 0x12) name = scalar(STRING, field) as string;
    else if (key === 0x18) type = scalar(INT32, field) as number;
    else if (field.number === 4) repeated(UINT64, field, ctrlDeps);
    else if (field.number === 5) repeated(UINT64, field, dataDeps);
    else if (key === 0x30) startTime = scalar(UINT64, field) as number | string;
    else if (key === 0x38) duration = scalar(UINT64, field) as number | string;
    else if (key === 0x42) inputs = { ...inputs, ...ioLine(field) };
    else if (key === 0x4a) outputs = { ...outputs, ...ioLine(field) };
    else if (key === 0x52) attr.push(attributeLine(field));
  }
  const typeName = nodeTypeName(type);
  return {
    id,
    ...(name === '' ? {} : { name }),
    type: typeName.startsWith('NODE_TYPE_') ? type : typeName,
    ...(ctrlDeps.length === 0 ? {} : { ctrlDeps }),
    ...(dataDeps.length === 0 ? {} : { dataDeps }),
    ...(startTime === 0 ? {} : { startTimeMicros: startTime }),
    ...(duration === 0 ? {} : { durationMicros: duration }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(attr.length === 0 ? {} : { attr }),
  };
}

/** The line of the metadata message, without `frame`. @throws MalformedWire */
export function metadataLine(message: Uint8Array): MetadataLine {
  const line: MetadataLine = { schema: LINE_SCHEMA };
  const attr: AttributeLine[] = [];
  const field = new FieldWalk(message);
  while (field.next()) {
    if (field.wire !== Wire.delimited) continue;
    if (field.number === 1) line.version = scalar(STRING, field) as string;
    else if (field.number === 2) attr.push(attributeLine(field));
  }
  if (attr.length > 0) line.attr = attr;
  return line;
}

function ioLine(message: FieldWalk): IoLine {
  const line: IoLine = {};
  const field = new FieldWalk(message.bytes, message.start, message.end);
  while (field.next()) {
    if (field.wire !== Wire.delimited) continue;
    if (field.number === 1) line.values = scalar(STRING, field) as string;
    else if (field.number === 2) line.shapes = scalar(STRING, field) as string;
    else if (field.number === 3) line.types = scalar(STRING, field) as string;
  }
  return line;
}

function attributeLine(message: FieldWalk): AttributeLine {
  let name = '';
  let doc: string | undefined;
  let kind: ScalarKind | undefined;
  let value: ScalarJson | ScalarJson[] = [];
  const field = new FieldWalk(message.bytes, message.start, message.end);
  while (field.next()) {
    const candidate = ATTRIBUTE_KINDS[(field.number - 3) >> 1];
    if (field.number === 1 && field.wire === Wire.delimited) {
      name = scalar(STRING, field) as string;
    } else if (field.number === 2 && field.wire === Wire.delimited) {
      doc = scalar(STRING, field) as string;
    } else if (candidate !== undefined && field.number % 2 === 1 && field.wire === candidate.wire) {
      kind = candidate;
      value = scalar(candidate, field);
    } else if (candidate !== undefined && field.number % 2 === 0 && field.wire === Wire.delimited) {
      kind = candidate;
      value = listValues(candidate, field);
    }
  }
  return { name, ...(doc === undefined ? {} : { doc }), ...(kind === undefined ? {} : { [kind.name]: value }) };
}

function listValues(kind: ScalarKind, message: FieldWalk): ScalarJson[] {
  const values: ScalarJson[] = [];
  const field = new FieldWalk(message.bytes, message.start, message.end);
  while (field.next()) if (field.number === 1) repeated(kind, field, values);
  return values;
}

function scalar(kind: ScalarKind, field: FieldWalk): ScalarJson {
  return kind.read(field.bytes, field.start, field.end);
}

/** Adds the values of one occurrence of a repeated field, packed or not. */
function repeated(kind: ScalarKind, field: FieldWalk, values: ScalarJson[]): void {
  if (field.wire === kind.wire) {
    values.push(scalar(kind, field));
  } else if (field.wire === Wire.delimited) {
    const { bytes, end } = field;
    for (let position = field.start; position < end;) {
      const next = endOfNumber(bytes, position, kind.wire);
      if (next > end) throw new MalformedWire('a number runs past the end of its list', position);
      values.push(kind.read(bytes, position, next));
      position = next;
    }
  }
}

function endOfNumber(bytes: Uint8Array, position: number, wire: number): number {
  if (wire === Wire.fixed32) return position + 4;
  if (wire === Wire.fixed64) return position + 8;
  while (bytes[position] >= 0x80) position++;
  return position + 1;
}
