import type { FileFacts } from '../../trace/file-facts.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { metadataAttributes } from '../et/metadata-attributes.js';

/**
 * What the inspection of a `.et` file says beside the trace.
 *
 * @param gzip whether the file is compressed
 * @param bytes length of its content, unzipped
 */
export function etFileFacts(trace: RankTrace, gzip: boolean, bytes: number): FileFacts {
  return { gzip, bytes, frames: trace.length + 1, globalAttributes: metadataAttributes(trace.metadata.kept) };
}
