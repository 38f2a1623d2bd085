import { FileSource, type ByteSource } from '../base/byte-source.js';
import { inputError } from '../base/errors.js';
import { NodeEncoder } from '../formats/et/encode-node.js';
import { EtKeptNodes } from '../formats/et/kept-nodes.js';
import { MalformedWire } from '../formats/et/wire.js';
import { nodeLine, type AttributeLine, type NodeLine } from '../formats/jsonl/frame-line.js';
import type { ReadTrace } from '../formats/read-trace.js';
import { isAsStored } from '../passes/validate/stored-form.js';
import { dependentIds, selectNodes, type DependentIds, type NodeFilter } from '../passes/views/nodes.js';
import { danglingId, nodeId } from '../trace/listed-ids.js';
import { NodeFlag, type KeptNodes, type RankTrace } from '../trace/rank-trace.js';

/** Bytes fetched at once where single nodes are looked up all over a file. */
const LOOK_UP_BYTES = 1 << 16;

/** An attribute as it stands in the trace, with the value that is assumed where one is. */
export interface AttributeDetails {
  readonly name: string;
  /** Oneof arm such as `int64_val` or `string_list`; `UNSET` where it has no value. */
  readonly arm: string;
  /** Integers beyond ±(2^53 − 1) and NaN, ±Infinity and −0 are texts, bytes are base64; absent without a value. */
  readonly value?: AttributeLine[string];
  /** Its doc_string. */
  readonly doc?: string;
}

/** A node that another one waits for. */
export interface DependencyDetails {
  readonly id: number | string;
  /** '' where it has none; absent where no node has the id. */
  readonly name?: string;
}

/** Everything a trace says of a node. */
export interface NodeDetails {
  readonly rank: number;
  readonly id: number | string;
  /** Schema name, `NODE_TYPE_9` for a number without one. */
  readonly type: string;
  readonly name: string;
  readonly startTimeMicros?: number | string;
  readonly durationMicros?: number | string;
  /** In the order of the lists; an id without a name is one that no node has. */
  readonly dataDeps: readonly DependencyDetails[];
  readonly ctrlDeps: readonly DependencyDetails[];
  /** Ids of the nodes that depend on it. */
  readonly dependents: DependentIds;
  readonly inputs?: NodeLine['inputs'];
  readonly outputs?: NodeLine['outputs'];
  readonly attributes: readonly AttributeDetails[];
  /** Offset of its frame in the unzipped file; absent where the file is no `.et` of today's schema. */
  readonly byteOffset?: number;
}

/** The nodes of one rank that a filter lets through. */
export interface SelectedNodes {
  readonly rank: number;
  readonly matched: number;
  readonly idsFound: readonly boolean[];
  /** In file order, at most as many as the filter's limit. */
  readonly list: readonly NodeDetails[];
}

/** @throws PrepError `FRAME_MALFORMED` (exit status 3) for a node whose texts cannot be decoded */
export function selectedNodes({ trace, format, schema }: ReadTrace, filter: NodeFilter): SelectedNodes {
  const { matched, nodes, idsFound } = selectNodes(trace, filter);
  const frames = frameSource(trace);
  try {
    const asStored = isAsStored({ format, schema });
    const dependents = dependentIds(trace, nodes);
    const names = new EtKeptNodes(frames);
    const encoder = new NodeEncoder(trace, false);
    const list = Array.from(nodes, (node, place) => ({
      ...detailsOf(trace, node, lineOf(trace, node, frames, encoder), names, dependents[place]),
      ...(asStored ? { byteOffset: frameStart(trace, node) } : {}),
    }));
    return { rank: trace.rank, matched, idsFound, list };
  } finally {
    if (frames !== trace.kept?.source) frames.close();
  }
}

/** The bytes of the frames, by pieces that are small where they come from a file. */
function frameSource({ kept }: RankTrace): ByteSource {
  const { source } = kept!;
  return source instanceof FileSource ? new FileSource(source.name, LOOK_UP_BYTES) : source;
}

function detailsOf(
  trace: RankTrace,
  node: number,
  line: NodeLine,
  names: KeptNodes,
  dependents: DependentIds,
): NodeDetails {
  const { startTimeMicros, durationMicros, inputs, outputs, attr = [] } = line;
  return {
    rank: trace.rank,
    id: nodeId(trace, node),
    type: typeof line.type === 'string' ? line.type : `NODE_TYPE_${line.type}`,
    name: line.name ?? '',
    ...(startTimeMicros === undefined ? {} : { startTimeMicros }),
    ...(durationMicros === undefined ? {} : { durationMicros }),
    dataDeps: dependencies(trace, trace.dataStart, trace.dataTarget, node, names),
    ctrlDeps: dependencies(trace, trace.controlStart, trace.controlTarget, node, names),
    dependents,
    ...(inputs === undefined ? {} : { inputs }),
    ...(outputs === undefined ? {} : { outputs }),
    attributes: attr.map(attributeDetails),
  };
}

function lineOf(trace: RankTrace, node: number, frames: ByteSource, encoder: NodeEncoder): NodeLine {
  const { file, flags, frameOffset, frameLength } = trace;
  try {
    const read = frames.read(frameOffset[node], frameLength[node]);
    // What assumptions change is shown as they have it.
    return nodeLine((flags[node] & NodeFlag.touched) === 0 ? read : encoder.message(node, read));
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    const place = `message of ${frameLength[node]} bytes at byte ${frameOffset[node]}`;
    throw inputError('FRAME_MALFORMED', `${file}: ${place}: ${error.message}`);
  }
}

function attributeDetails({ name, doc, ...rest }: AttributeLine): AttributeDetails {
  const [valued] = Object.entries(rest);
  return {
    name: name as string,
    arm: valued === undefined ? 'UNSET' : `${valued[0]}_${Array.isArray(valued[1]) ? 'list' : 'val'}`,
    ...(valued === undefined ? {} : { value: valued[1] }),
    ...(doc === undefined ? {} : { doc: doc as string }),
  };
}

function dependencies(
  trace: RankTrace,
  start: Uint32Array,
  target: Int32Array,
  node: number,
  names: KeptNodes,
): DependencyDetails[] {
  return Array.from(target.subarray(start[node], start[node + 1]), (other) =>
    other < 0
      ? { id: danglingId(trace, -1 - other) }
      : { id: nodeId(trace, other), name: names.name(trace.frameOffset[other], trace.frameLength[other]) },
  );
}

/** Where the length of the node's frame begins: behind the message before it, which of the first node is the metadata. */
function frameStart({ frameOffset, frameLength }: RankTrace, node: number): number {
  if (node > 0) return frameOffset[node - 1] + frameLength[node - 1];
  let prefix = 1;
  for (let length = frameLength[0]; length >= 128; length = Math.floor(length / 128)) prefix++;
  return frameOffset[0] - prefix;
}
