import type { Message as ProtobufMessage, Reader, Type } from 'protobufjs';
import { MemorySource, type ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { FrameReader } from './frame-reader.js';
import { LegacyConverter, type Message } from './legacy-node.js';
import { legacyTypes, type LegacySchema } from './legacy-schemas.js';
import { MalformedWire } from './wire.js';

type Read = Pick<ProtobufMessage, '$unknowns'> & { attribute?: Read[] };

const CHANGES: Record<LegacySchema, string> = {
  '0.0.1':
    'node and collective types are renumbered, parent is data_deps, simulated_run_time is duration_micros, other fields are attributes',
  '0.0.2':
    'node and collective types are renumbered, parent is data_deps, the attribute runtime is duration_micros, involved_dim is a bool list',
  '0.0.3':
    'collective types are renumbered, parent is data_deps, the attribute runtime is duration_micros, involved_dim is a bool list',
  '0.0.3+': 'collective types are renumbered, parent is data_deps, the attribute runtime is duration_micros',
};

/**
 * Converts a whole file of an older schema to 0.0.4 in memory, so that one decoder reads them all. Old durations have
 * no unit; they are taken as µs.
 * @returns the converted file and a note saying what changed
 * @throws PrepError `FRAME_TRUNCATED`, `FRAME_MALFORMED`
 */
export function convertLegacy(
  source: ByteSource,
  schema: LegacySchema,
  where: { rank: number; file: string },
): { source: ByteSource; note: Finding } {
  const frames = new FrameReader(source, where.file);
  const types = legacyTypes(schema);
  const converter = new LegacyConverter(schema);
  const attr: object[] = [];
  const nodes: Uint8Array[] = [];
  let dropped = 0;
  try {
    if (types.metadata && frames.next()) {
      const { message, unknown } = decoded(frames, types.metadata, types.Reader);
      for (const item of (message.attribute ?? []) as Message[]) attr.push(converter.attribute(item));
      dropped += unknown;
    }
    while (frames.next()) {
      const { message, unknown } = decoded(frames, types.node, types.Reader);
      nodes.push(encoded(types.currentNode, converter.node(message)));
      dropped += unknown;
    }
  } catch (error) {
    throw frames.explained(error);
  }
  const metadata = encoded(types.currentMetadata, { version: '0.0.4', attr });
  const { unknownCollectives } = converter;
  const left = dropped > 0 ? `; ${dropped} fields that the schema does not have are left out` : '';
  const unknown =
    unknownCollectives > 0 ? `; ${unknownCollectives} unknown collective types are kept as legacy_comm_type` : '';
  const message = `schema ${schema} is read as 0.0.4: ${CHANGES[schema]}${unknown}${left}`;
  return {
    source: new MemorySource(Buffer.concat([metadata, ...nodes]), source.name),
    note: finding('SCHEMA_CONVERTED', message, { ...where, count: nodes.length, schema }),
  };
}

/** A message, and how many fields of it and of its attributes no field of the schema takes. */
function decoded(
  { bytes, messageStart, messageEnd }: FrameReader,
  type: Type,
  ReaderType: typeof Reader,
): { message: Message; unknown: number } {
  const reader = ReaderType.create(bytes.subarray(messageStart, messageEnd));
  reader.discardUnknown = false;
  try {
    const read: Read = type.decode(reader);
    const unknown = [read, ...(read.attribute ?? [])].reduce((sum, { $unknowns }) => sum + ($unknowns?.length ?? 0), 0);
    return { message: type.toObject(read as ProtobufMessage, { longs: String }), unknown };
  } catch (error) {
    throw new MalformedWire(`not a message of this schema (${(error as Error).message})`, messageStart);
  }
}

function encoded(type: Type, message: object): Uint8Array {
  return type.encodeDelimited(type.fromObject(message)).finish();
}
