import { MemorySource, type ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { FrameReader } from './frame-reader.js';
import { convertAttribute, convertAttributeNode } from './legacy-attributes.js';
import { convertFieldNode } from './legacy-fields.js';
import { LegacyNode } from './legacy-node.js';
import type { SchemaVersion } from './schema-version.js';
import { FieldWalk, Wire } from './wire.js';
import { MessageWriter } from './wire-write.js';

const CHANGES: Record<Exclude<SchemaVersion, '0.0.4'>, string> = {
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
  schema: Exclude<SchemaVersion, '0.0.4'>,
  where: { rank: number; file: string },
): { source: ByteSource; note: Finding } {
  const frames = new FrameReader(source, where.file);
  const file = new MessageWriter();
  const metadata = new MessageWriter().delimited(1, '0.0.4');
  const node = new LegacyNode();
  let nodes = 0;
  try {
    if (schema === '0.0.3+' && frames.next()) convertMetadata(frames, metadata);
    file.frame(metadata);
    while (frames.next()) {
      const fields = new FieldWalk(frames.bytes, frames.messageStart, frames.messageEnd);
      if (schema === '0.0.1') convertFieldNode(fields, node);
      else convertAttributeNode(fields, schema, node);
      node.writeTo(file);
      nodes++;
    }
  } catch (error) {
    throw frames.explained(error);
  }
  const { dropped, unknownCollectives } = node;
  const left = dropped > 0 ? `; ${dropped} fields that the schema does not have are left out` : '';
  const unknown =
    unknownCollectives > 0 ? `; ${unknownCollectives} unknown collective types are kept as legacy_comm_type` : '';
  const message = `schema ${schema} is read as 0.0.4: ${CHANGES[schema]}${unknown}${left}`;
  return {
    source: new MemorySource(file.finish().slice(), source.name),
    note: finding('SCHEMA_CONVERTED', message, { ...where, count: nodes, schema }),
  };
}

/** Metadata of August 2023 are nothing but attributes, in field 1. */
function convertMetadata(frames: FrameReader, metadata: MessageWriter): void {
  const fields = new FieldWalk(frames.bytes, frames.messageStart, frames.messageEnd);
  while (fields.next()) {
    if (fields.number !== 1 || fields.wire !== Wire.delimited) continue;
    metadata.delimited(2, convertAttribute(fields, '0.0.3+').message);
  }
}
