import protobuf from 'protobufjs';
import { NodeFlag, type RankTrace } from '../../src/trace/rank-trace.js';
import { MetadataMessage, NodeMessage } from './schema.js';

/** A message as plain object: 64-bit numbers as decimal text, absent fields absent. */
type PlainMessage = Record<string, unknown>;

/** The frames of a `.et` file as protobufjs reads them. */
export function decodeFrames(bytes: Uint8Array): { metadata: PlainMessage; nodes: PlainMessage[] } {
  const reader = protobuf.Reader.create(bytes);
  const metadata = plain(MetadataMessage, reader);
  const nodes: PlainMessage[] = [];
  while (reader.pos < reader.len) nodes.push(plain(NodeMessage, reader));
  return { metadata, nodes };
}

function plain(type: protobuf.Type, reader: protobuf.Reader): PlainMessage {
  return type.toObject(type.decodeDelimited(reader), { longs: String });
}

/** The trace with every node marked as changed, so that all are written from their columns. */
export function allTouched(trace: RankTrace): RankTrace {
  return { ...trace, flags: trace.flags.map((flags) => flags | NodeFlag.touched) };
}

/** The columns of a trace as plain arrays, without the places of frames; identities and groups by name. */
export type Columns = ReturnType<typeof columnsOf>;

export function columnsOf(trace: RankTrace) {
  const { groupNames, collectives } = trace;
  return {
    id: [...trace.idLow].map((low, node) => `${trace.idHigh[node]}:${low}`),
    type: [...trace.type],
    flags: [...trace.flags].map((flags) => flags & ~NodeFlag.touched),
    durationMicros: [...trace.durationMicros],
    dataStart: [...trace.dataStart],
    dataTarget: [...trace.dataTarget],
    controlStart: [...trace.controlStart],
    controlTarget: [...trace.controlTarget],
    dangling: [...trace.danglingLow].map((low, node) => `${trace.danglingHigh[node]}:${low}`),
    commType: [...trace.commType],
    commSize: [...trace.commSize],
    commTag: [...trace.commTag],
    peer: [...trace.peer],
    group: [...trace.group].map((group) => (groupNames[group] ?? null) as string | null),
    collective: [...trace.collective].map((collective) => (collectives[collective] ?? null) as unknown),
    step: [...trace.step],
    root: [...trace.root],
    issueOrder: [...trace.issueOrder],
    splits: [...trace.splits],
  };
}
