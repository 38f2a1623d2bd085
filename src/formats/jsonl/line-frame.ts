import { nodeTypeNumber } from '../../trace/node-type.js';
import { Wire } from '../et/wire.js';
import type { ByteWriter } from './byte-writer.js';
import { LINE_SCHEMA } from './frame-line.js';
import { ATTRIBUTE_KINDS, INT32, LineProblem, shown, STRING, UINT64, type ScalarKind } from './scalars.js';

const KIND_PLACE = new Map(ATTRIBUTE_KINDS.map((kind, place) => [kind.name, place]));

const NODE_MEMBERS = [
  'id',
  'name',
  'type',
  'ctrlDeps',
  'dataDeps',
  'startTimeMicros',
  'durationMicros',
  'inputs',
  'outputs',
  'attr',
  'frame',
];
const METADATA_MEMBERS = ['schema', 'version', 'attr', 'frame'];
const IO_MEMBERS = ['values', 'shapes', 'types'];

type JsonObject = Record<string, unknown>;

/** Appends the frame that a node line describes: fields in order of their numbers, lists packed, defaults left out. */
export function writeNodeFrame(writer: ByteWriter, line: JsonObject): void {
  checkMembers(line, NODE_MEMBERS, '');
  writer.delimited(() => {
    unlessDefault(writer, 1, UINT64, line.id, 0, 'id');
    unlessDefault(writer, 2, STRING, line.name, '', 'name');
    unlessDefault(writer, 3, INT32, typeNumber(line.type), 0, 'type');
    dependencies(writer, 4, line.ctrlDeps, 'ctrlDeps');
    dependencies(writer, 5, line.dataDeps, 'dataDeps');
    unlessDefault(writer, 6, UINT64, line.startTimeMicros, 0, 'startTimeMicros');
    unlessDefault(writer, 7, UINT64, line.durationMicros, 0, 'durationMicros');
    inputOutput(writer, 8, line.inputs, 'inputs');
    inputOutput(writer, 9, line.outputs, 'outputs');
    attributes(writer, 10, line.attr);
  });
}

/** Appends the metadata frame that the first line describes. */
export function writeMetadataFrame(writer: ByteWriter, line: JsonObject): void {
  if (line.schema !== LINE_SCHEMA) {
    throw new LineProblem('schema', `the first line must say "schema": "${LINE_SCHEMA}", got ${shown(line.schema)}`);
  }
  checkMembers(line, METADATA_MEMBERS, '');
  writer.delimited(() => {
    unlessDefault(writer, 1, STRING, line.version, '', 'version');
    attributes(writer, 2, line.attr);
  });
}

/** Every unknown member is refused: nothing in a line is dropped. */
function checkMembers(line: JsonObject, known: readonly string[], path: string): void {
  for (const member of Object.keys(line)) {
    if (!known.includes(member)) {
      throw new LineProblem(path + member, `no member has this name (known: ${known.join(', ')})`);
    }
  }
}

function unlessDefault(
  writer: ByteWriter,
  field: number,
  kind: ScalarKind,
  value: unknown,
  absent: unknown,
  path: string,
): void {
  if (value === undefined || value === absent || (absent === 0 && /^-?0+$/.test(String(value)))) return;
  writer.tag(field, kind.wire);
  kind.write(writer, value, path);
}

function typeNumber(type: unknown): unknown {
  if (typeof type !== 'string') return type;
  const number = nodeTypeNumber(type);
  if (number === undefined) throw new LineProblem('type', `no node type is called ${shown(type)}`);
  return number;
}

function dependencies(writer: ByteWriter, field: number, value: unknown, path: string): void {
  if (value === undefined) return;
  const ids = asList(value, path);
  if (ids.length === 0) return;
  writer.tag(field, Wire.delimited);
  writer.delimited(() => ids.forEach((id, place) => UINT64.write(writer, id, `${path}[${place}]`)));
}

function inputOutput(writer: ByteWriter, field: number, value: unknown, path: string): void {
  if (value === undefined) return;
  const io = asObject(value, path);
  checkMembers(io, IO_MEMBERS, `${path}.`);
  writer.tag(field, Wire.delimited);
  writer.delimited(() => {
    IO_MEMBERS.forEach((member, place) => {
      unlessDefault(writer, place + 1, STRING, io[member], '', `${path}.${member}`);
    });
  });
}

function attributes(writer: ByteWriter, field: number, value: unknown): void {
  if (value === undefined) return;
  asList(value, 'attr').forEach((attribute, place) => {
    writer.tag(field, Wire.delimited);
    writer.delimited(() => writeAttribute(writer, asObject(attribute, `attr[${place}]`), `attr[${place}]`));
  });
}

function writeAttribute(writer: ByteWriter, attribute: JsonObject, path: string): void {
  unlessDefault(writer, 1, STRING, attribute.name, '', `${path}.name`);
  unlessDefault(writer, 2, STRING, attribute.doc, '', `${path}.doc`);
  let valued = false;
  for (const [member, value] of Object.entries(attribute)) {
    if (member === 'name' || member === 'doc') continue;
    const place = KIND_PLACE.get(member);
    if (place === undefined) {
      const known = ['name', 'doc', ...KIND_PLACE.keys()].join(', ');
      throw new LineProblem(`${path}.${member}`, `no member has this name (known: ${known})`);
    }
    if (valued) throw new LineProblem(`${path}.${member}`, 'an attribute has one value');
    valued = true;
    const kind = ATTRIBUTE_KINDS[place];
    if (Array.isArray(value)) {
      writer.tag(4 + 2 * place, Wire.delimited);
      writer.delimited(() => writeList(writer, kind, value, `${path}.${member}`));
    } else {
      writer.tag(3 + 2 * place, kind.wire);
      kind.write(writer, value, `${path}.${member}`);
    }
  }
}

function writeList(writer: ByteWriter, kind: ScalarKind, values: unknown[], path: string): void {
  if (values.length === 0) return;
  if (kind.wire === Wire.delimited) {
    values.forEach((value, place) => {
      writer.tag(1, Wire.delimited);
      kind.write(writer, value, `${path}[${place}]`);
    });
    return;
  }
  writer.tag(1, Wire.delimited);
  writer.delimited(() => values.forEach((value, place) => kind.write(writer, value, `${path}[${place}]`)));
}

function asList(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new LineProblem(path, `expected a list, got ${shown(value)}`);
  return value;
}

function asObject(value: unknown, path: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new LineProblem(path, `expected an object, got ${shown(value)}`);
  }
  return value as JsonObject;
}
