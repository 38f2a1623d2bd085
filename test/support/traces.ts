import { MemorySource } from '../../src/base/byte-source.js';
import { readChakraEt } from '../../src/formats/et/decode.js';
import { nodeTypeNumber } from '../../src/trace/node-type.js';
import type { RankTrace } from '../../src/trace/rank-trace.js';
import { MetadataMessage, NodeMessage } from './schema.js';

type Value = number | bigint | boolean | string | Uint8Array;

/** Attributes by name; each with its oneof arm and value: `{ comm_size: { int64_val: 5 } }`; `{}` has no value. */
export type Attributes = Record<string, Record<string, Value | Value[]>>;

/** A node in the words of the schema. */
export interface NodeObject {
  id?: number | bigint;
  name?: string;
  /** A number or a schema name such as `COMM_SEND_NODE`. */
  type?: number | string;
  ctrl_deps?: (number | bigint)[];
  data_deps?: (number | bigint)[];
  start_time_micros?: number | bigint;
  duration_micros?: number | bigint;
  inputs?: { values?: string; shapes?: string; types?: string };
  outputs?: { values?: string; shapes?: string; types?: string };
  attr?: Attributes;
}

export interface MetadataObject {
  version?: string;
  attr?: Attributes;
}

/** The bytes of a `.et` file with these nodes. Metadata defaults to version 0.0.4. */
export function buildEt(nodes: readonly NodeObject[], metadata: MetadataObject = { version: '0.0.4' }): Uint8Array {
  const frames = [
    MetadataMessage.encodeDelimited(MetadataMessage.fromObject(plain(metadata))).finish(),
    ...nodes.map((node) => NodeMessage.encodeDelimited(NodeMessage.fromObject(plain(node))).finish()),
  ];
  return Uint8Array.from(Buffer.concat(frames));
}

/** The trace that {@link buildEt} of these nodes is read as. */
export function traceOf(nodes: readonly NodeObject[], rank = 0, metadata?: MetadataObject): RankTrace {
  return readBytes(buildEt(nodes, metadata), rank).trace;
}

/** What reading these bytes as the `.et` file of a rank gives. */
export function readBytes(bytes: Uint8Array, rank = 0, windowBytes?: number): ReturnType<typeof readChakraEt> {
  const file = `test.${rank}.et`;
  return readChakraEt(new MemorySource(bytes, file), { rank, file }, windowBytes === undefined ? {} : { windowBytes });
}

function plain(message: NodeObject | MetadataObject): Record<string, unknown> {
  const { attr, ...fields } = message;
  const object: Record<string, unknown> = { ...fields };
  if ('type' in fields && typeof fields.type === 'string') {
    const type = nodeTypeNumber(fields.type);
    if (type === undefined) throw new Error(`no node type is called ${fields.type}`);
    object.type = type;
  }
  if (attr) {
    object.attr = Object.entries(attr).map(([name, value]) => ({
      name,
      ...Object.fromEntries(
        Object.entries(value).map(([arm, content]) => [arm, Array.isArray(content) ? { values: content } : content]),
      ),
    }));
  }
  return withoutBigints(object) as Record<string, unknown>;
}

/** protobufjs takes 64-bit numbers as decimal text. */
function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigints(inner)]));
}
