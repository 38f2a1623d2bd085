import { Arm } from '../et/attribute-arms.js';
import { Wire } from '../et/wire.js';
import type { ByteWriter } from '../jsonl/byte-writer.js';
import { FEEDER_KEYS } from './feeder-keys.js';
import type { FeederJsonNode, Integer } from './feeder-node.js';

const Field = { id: 1, name: 2, type: 3, control: 4, data: 5, duration: 7, attribute: 10 } as const;
const ATTRIBUTES = Object.entries(FEEDER_KEYS).flatMap(([key, { attribute, arm }]) =>
  attribute === undefined || arm === undefined ? [] : [{ key, attribute, arm }],
);

/**
 * Appends the frame of schema 0.0.4 that says what the node says, so that one decoder decides what is in a trace. A
 * runtime of 0 is written out: the schema tells it from none.
 */
export function writeFeederFrame(writer: ByteWriter, node: FeederJsonNode): void {
  const { values } = node;
  writer.delimited(() => {
    if (node.id !== 0) integer(writer, Field.id, node.id);
    text(writer, Field.name, values.get('Name'));
    integer(writer, Field.type, values.get('NodeType'));
    ids(writer, Field.control, node.controlDeps);
    ids(writer, Field.data, node.dataDeps);
    integer(writer, Field.duration, values.get('runtime'));
    for (const { key, attribute, arm } of ATTRIBUTES) {
      const value = values.get(key);
      if (value === undefined) continue;
      writer.tag(Field.attribute, Wire.delimited);
      writer.delimited(() => {
        text(writer, 1, attribute);
        if (arm === Arm.string) text(writer, arm, value);
        else integer(writer, armOf(arm, value), value);
      });
    }
  });
}

/** The arm that holds the value: the usual one where it can. */
function armOf(usual: number, value: string | boolean | Integer): number {
  if (typeof value === 'bigint') return value > 0x7fffffffffffffffn ? Arm.uint64 : Arm.int64;
  if (usual === Arm.int32 && value !== ((value as number) | 0)) return Arm.int64;
  return usual === Arm.uint64 && (value as number) < 0 ? Arm.int64 : usual;
}

function integer(writer: ByteWriter, field: number, value: string | boolean | Integer | undefined): void {
  if (value === undefined) return;
  writer.tag(field, Wire.varint);
  varint(writer, value);
}

function varint(writer: ByteWriter, value: string | boolean | Integer): void {
  if (typeof value === 'bigint') writer.varint(Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn));
  else writer.varint(Number(value) >>> 0, Math.floor(Number(value) / 0x100000000));
}

function text(writer: ByteWriter, field: number, value: string | boolean | Integer | undefined): void {
  if (typeof value !== 'string') return;
  writer.tag(field, Wire.delimited);
  writer.delimited(() => writer.append(Buffer.from(value)));
}

function ids(writer: ByteWriter, field: number, list: readonly Integer[]): void {
  if (list.length === 0) return;
  writer.tag(field, Wire.delimited);
  writer.delimited(() => {
    for (const id of list) varint(writer, id);
  });
}
