import { MemorySource, type ByteSource } from '../../base/byte-source.js';
import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { FrameReader } from './frame-reader.js';
import { convertAttributeNode, convertMetadata } from './legacy-attributes.js';
import { type Attribute, LegacyConversion, type LegacySchema } from './legacy-conversion.js';
import { convertFieldNode } from './legacy-fields.js';

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
 * Converts a whole file of an older schema to 0.0.4 in memory, so that one decoder reads them all. Both sides go through
 * the schema files in `proto/`. Old durations have no unit; they are taken as µs.
 * @returns the converted file and a note saying what changed
 * @throws PrepError `FRAME_TRUNCATED`, `FRAME_MALFORMED`
 */
export function convertLegacy(
  source: ByteSource,
  schema: LegacySchema,
  where: { rank: number; file: string },
): { source: ByteSource; note: Finding } {
  const frames = new FrameReader(source, where.file);
  const conversion = new LegacyConversion(schema);
  const { current } = conversion;
  const convertNode = schema === '0.0.1' ? convertFieldNode : convertAttributeNode;
  const file: Uint8Array[] = [];
  try {
    let attr: Attribute[] = [];
    if (schema === '0.0.3+' && frames.next()) {
      attr = convertMetadata(conversion, frames.bytes, frames.messageStart, frames.messageEnd);
    }
    file.push(current.frame('GlobalMetadata', { version: '0.0.4', attr }));
    while (frames.next()) {
      const node = convertNode(conversion, frames.bytes, frames.messageStart, frames.messageEnd);
      file.push(current.frame('Node', node));
    }
  } catch (error) {
    throw frames.explained(error);
  }
  const { dropped, unknownCollectives } = conversion;
  const left = dropped > 0 ? `; ${dropped} fields that the schema does not have are left out` : '';
  const unknown =
    unknownCollectives > 0 ? `; ${unknownCollectives} unknown collective types are kept as legacy_comm_type` : '';
  const message = `schema ${schema} is read as 0.0.4: ${CHANGES[schema]}${unknown}${left}`;
  return {
    source: new MemorySource(Uint8Array.from(Buffer.concat(file)), source.name),
    note: finding('SCHEMA_CONVERTED', message, { ...where, count: file.length - 1, schema }),
  };
}
