import type { FileFacts } from '../../trace/file-facts.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { metadataAttributes } from '../et/metadata-attributes.js';
import type { SchemaVersion } from '../et/schema-version.js';

/** Schemas whose files begin with a metadata frame. */
const WITH_METADATA: ReadonlySet<SchemaVersion> = new Set(['0.0.3+', '0.0.4']);

/**
 * What the inspection of a `.et` file says beside the trace. For schema 0.0.1 see `et001Facts` too, which keeps to
 * the file's own fields.
 *
 * @param file.gzip whether the file is compressed
 * @param file.bytes length of its content, unzipped
 */
export function etFileFacts(
  trace: RankTrace,
  file: { readonly gzip: boolean; readonly bytes: number; readonly schema: SchemaVersion },
): FileFacts {
  return {
    format: file.schema === '0.0.4' ? 'et' : `et-${file.schema.replace('+', '')}`,
    gzip: file.gzip,
    bytes: file.bytes,
    frames: trace.length + (WITH_METADATA.has(file.schema) ? 1 : 0),
    globalAttributes: metadataAttributes(trace.metadata.kept),
  };
}
