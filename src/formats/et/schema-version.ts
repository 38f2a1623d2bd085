import type { ByteSource } from '../../base/byte-source.js';
import { inputError, PrepError } from '../../base/errors.js';
import { ARM_WIRE } from './attribute-arms.js';
import { FrameReader } from './frame-reader.js';
import { FieldWalk, halves, MalformedWire, Wire } from './wire.js';

/**
 * Schemas that Chakra traces were written with (chakra-format section 3): `0.0.3` is that of July 2023, `0.0.3+` that of
 * August 2023, and `0.0.4` stands for 1.0.0 and for files without a version too, which are the same on the wire.
 */
export type SchemaVersion = '0.0.1' | '0.0.2' | '0.0.3' | '0.0.3+' | '0.0.4';

/** Nodes looked at behind an empty first frame, to tell August 2023 from 0.0.4. */
const NODES_LOOKED_AT = 64;

/**
 * Tells the schema from the bytes. A file that is cut or malformed counts as 0.0.4: reading it says where and how.
 * @throws PrepError `WRONG_KIND` for JSON text, and for nodes of 0.0.4 without a metadata frame before them
 */
export function detectSchema(source: ByteSource, file: string): SchemaVersion {
  const frames = new FrameReader(source, file);
  let schema: SchemaVersion | 'headless' | undefined;
  try {
    if (frames.next()) schema = schemaOf(frames);
  } catch (error) {
    if (!(error instanceof MalformedWire || error instanceof PrepError)) throw error;
  }
  if (schema === 'headless') {
    throw inputError('WRONG_KIND', `${file}: the first frame is a node, expected the metadata frame of a Chakra trace`);
  }
  if (schema === undefined && startsJson(source)) {
    throw inputError('WRONG_KIND', `${file}: is JSON text, expected a Chakra trace in protobuf form`);
  }
  return schema ?? '0.0.4';
}

/** Schema by the first frame, and the ones behind it where that does not decide; undefined for something else. */
function schemaOf(frames: FrameReader): SchemaVersion | 'headless' | undefined {
  const { bytes, messageStart, messageEnd } = frames;
  if (messageStart === messageEnd) return behindEmptyFrame(frames);
  if (bytes[messageStart] === 0x08) return ofNodes(frames);
  const fields = new FieldWalk(bytes, messageStart, messageEnd);
  let schema: SchemaVersion | undefined = '0.0.4';
  while (fields.next()) {
    // A node without an id starts with its name, in the place where metadata have an attribute.
    if (fields.number === 3 && fields.wire === Wire.varint) return 'headless';
    if (fields.number === 1 && fields.wire === Wire.delimited && typedAttribute(bytes, fields.start, fields.end)) {
      schema = '0.0.3+';
    } else if (fields.number > 2) schema = undefined;
  }
  return schema;
}

function behindEmptyFrame(frames: FrameReader): SchemaVersion {
  for (let node = 0; node < NODES_LOOKED_AT && frames.next(); node++) {
    const fields = new FieldWalk(frames.bytes, frames.messageStart, frames.messageEnd);
    while (fields.next()) {
      if (fields.number !== 11 || fields.wire !== Wire.delimited) continue;
      if (typedAttribute(fields.bytes, fields.start, fields.end)) return '0.0.3+';
    }
  }
  return '0.0.4';
}

/** Files that begin with a node: the first field that only one schema has decides. */
function ofNodes(frames: FrameReader): SchemaVersion | 'headless' {
  let texts = false; // fields 5 to 11 hold texts and attributes: 0.0.2 or 0.0.3
  let newTypes = false; // node types are numbered as in 0.0.3
  do {
    const fields = new FieldWalk(frames.bytes, frames.messageStart, frames.messageEnd);
    while (fields.next()) {
      const { number, wire, bytes, start, end } = fields;
      if (number === 3 && wire === Wire.varint && bytes[start] === 7) newTypes = true;
      if (number < 5 || number > 13) continue;
      if (wire === Wire.varint) return '0.0.1';
      if (wire !== Wire.delimited) continue;
      texts = true;
      if (number === 10 && untypedAttribute(bytes, start, end)) return 'headless';
      const typed = number === 11 ? typedAttribute(bytes, start, end) : undefined;
      const schema = typed === undefined ? undefined : JULY_2023[typed];
      if (schema !== undefined) return schema;
    }
  } while (frames.next());
  if (!texts) return '0.0.1';
  return newTypes ? '0.0.3' : '0.0.2';
}

/**
 * Schema by the type number of an attribute and the wire type of its value, where that is of one schema only. In both
 * the value of type t is field t + 4; the types are FLOAT, INT, STRING, … in 0.0.2 and BOOL, FLOAT, INT, … in 0.0.3.
 */
const JULY_2023: Record<string, SchemaVersion> = {
  [`0 ${Wire.fixed32}`]: '0.0.2',
  [`0 ${Wire.varint}`]: '0.0.3',
  [`1 ${Wire.varint}`]: '0.0.2',
  [`1 ${Wire.fixed32}`]: '0.0.3',
  [`2 ${Wire.delimited}`]: '0.0.2',
  [`2 ${Wire.varint}`]: '0.0.3',
  [`6 ${Wire.varint}`]: '0.0.3',
  [`7 ${Wire.delimited}`]: '0.0.3',
};

/** Tag of the name of an attribute. */
const NAME = 0x0a;

/** `type wire` of an attribute of 2023, which has a type number beside its value; undefined when it is none. */
function typedAttribute(bytes: Uint8Array, start: number, end: number): string | undefined {
  // A version text has no such byte; reading it as a message would end in an error that costs more than a small file.
  if (!bytes.subarray(start, end).includes(NAME)) return undefined;
  let name = false;
  let type = -1;
  let valueWire = -1;
  return readsAs(bytes, start, end, (fields) => {
    if (fields.number === 1 && fields.wire === Wire.delimited) name = true;
    else if (fields.number === 2 && fields.wire === Wire.varint) {
      fields.number64();
      type = halves[0];
    } else if (fields.number >= 4 && fields.number === type + 4) valueWire = fields.wire;
  }) &&
    name &&
    type >= 0
    ? `${type} ${valueWire}`
    : undefined;
}

/** Whether the bytes are an attribute of 0.0.4: a name and a value in the arm of its number. */
function untypedAttribute(bytes: Uint8Array, start: number, end: number): boolean {
  let name = false;
  let value = false;
  const isMessage = readsAs(bytes, start, end, (fields) => {
    if (fields.number === 1 && fields.wire === Wire.delimited) name = true;
    else if (fields.number < 256 && ARM_WIRE[fields.number] === fields.wire) value = true;
  });
  return isMessage && name && value;
}

/** Visits the fields of what may be a message; false when it is none. */
function readsAs(bytes: Uint8Array, start: number, end: number, visit: (fields: FieldWalk) => void): boolean {
  const fields = new FieldWalk(bytes, start, end);
  try {
    while (fields.next()) visit(fields);
    return true;
  } catch (error) {
    if (error instanceof MalformedWire) return false;
    throw error;
  }
}

/** Whether the first byte that is no blank opens a JSON document. */
function startsJson(source: ByteSource): boolean {
  const bytes = source.read(0, Math.min(source.length, 256));
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x7b || first === 0x5b;
}
