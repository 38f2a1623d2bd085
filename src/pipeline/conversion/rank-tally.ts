import { COLLECTIVE_NAMES } from '../../trace/collective-type.js';
import { isCommunication, NodeType, nodeTypeName } from '../../trace/node-type.js';

/** Nodes of one kind, and the bytes they state. */
export interface KindTally {
  nodes: number;
  bytes: number;
}

/** By kind: `AllReduce`, …, or the schema's name of a node that is no collective of a known type. */
export type RankTally = Record<string, KindTally>;

/** Columns of a trace that are counted. */
interface Columns {
  readonly length: number;
  readonly type: Uint8Array;
  readonly commType: Int8Array;
  readonly commSize: Float64Array;
}

/** Adds every node of a trace. A collective counts with its own `comm_size`, an absent one with 0 bytes. */
export function addNodes(tally: RankTally, { length, type, commType, commSize }: Columns): void {
  for (let node = 0; node < length; node++) {
    const kind = kindOf(type[node], commType[node]);
    const row = (tally[kind] ??= { nodes: 0, bytes: 0 });
    row.nodes++;
    if (isCommunication(type[node]) && commSize[node] > 0) row.bytes += commSize[node];
  }
}

/** Adds what was counted elsewhere. */
export function addTally(tally: RankTally, part: RankTally): void {
  for (const [kind, { nodes, bytes }] of Object.entries(part)) {
    const row = (tally[kind] ??= { nodes: 0, bytes: 0 });
    row.nodes += nodes;
    row.bytes += bytes;
  }
}

export function nodesOf(tally: RankTally): number {
  return Object.values(tally).reduce((sum, { nodes }) => sum + nodes, 0);
}

function kindOf(type: number, commType: number): string {
  const collective = type === NodeType.collective ? COLLECTIVE_NAMES[commType] : undefined;
  return collective?.record ?? nodeTypeName(type);
}
