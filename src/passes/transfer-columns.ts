import { idForJson } from '../base/ids.js';
import { narrowed, type NarrowColumn } from '../base/narrowed.js';
import { isTransfer, NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';

/** What a node of a skeleton does. */
export const SkeletonKind = { relay: 0, send: 1, receive: 2, collective: 3 } as const;

/** What is said of the nodes of a rank that are kept, by their place among them. */
export interface TransferColumns {
  readonly rank: number;
  /** [m] node index in the trace. */
  readonly node: Int32Array;
  /** [m] a {@link SkeletonKind}; a relay is a node that is no communication. */
  readonly kind: Uint8Array;
  /** [m] node ids, lower and upper halves; the upper ones are left out where all are 0. */
  readonly idLow: Uint32Array;
  readonly idHigh: Uint32Array;
  /** Partner rank of a send or receive, −1 for none. Like the two below [m], or of length 0 where there is no transfer. */
  readonly peer: NarrowColumn;
  /** Tag of a send or receive, 0 when absent. */
  readonly tag: NarrowColumn;
  /** Bytes of a send or receive, NaN when absent, 0 for other nodes. */
  readonly bytes: NarrowColumn;
}

/** The sends and receives of a rank, in file order. */
export function transferColumns(trace: RankTrace): TransferColumns {
  const { length, type } = trace;
  let count = 0;
  for (let node = 0; node < length; node++) if (isTransfer(type[node])) count++;
  const kept = new Int32Array(count);
  count = 0;
  for (let node = 0; node < length; node++) if (isTransfer(type[node])) kept[count++] = node;
  return columnsOf(trace, kept);
}

/** Reads the columns of some nodes. */
export function columnsOf(trace: RankTrace, node: Int32Array): TransferColumns {
  const kind = new Uint8Array(node.length);
  const idLow = new Uint32Array(node.length);
  const idHigh = new Uint32Array(node.length);
  const transfers = node.some((index) => isTransfer(trace.type[index])) ? node.length : 0;
  const peer = new Int32Array(transfers);
  const tag = new Float64Array(transfers);
  const bytes = new Float64Array(transfers);
  let high = 0;
  for (let place = 0; place < node.length; place++) {
    const index = node[place];
    kind[place] = kindOf(trace.type[index]);
    idLow[place] = trace.idLow[index];
    idHigh[place] = trace.idHigh[index];
    high |= idHigh[place];
    if (!isTransfer(trace.type[index])) continue;
    peer[place] = trace.peer[index];
    tag[place] = Number.isNaN(trace.commTag[index]) ? 0 : trace.commTag[index];
    bytes[place] = trace.commSize[index];
  }
  return {
    rank: trace.rank,
    node,
    kind,
    idLow,
    idHigh: high === 0 ? new Uint32Array(0) : idHigh,
    peer: narrowed(peer),
    tag: narrowed(tag),
    bytes: narrowed(bytes),
  };
}

/** Id of a node, as JSON has it. */
export function idOfPlace({ idLow, idHigh }: TransferColumns, place: number): number | string {
  return idForJson(idLow[place], idHigh.length === 0 ? 0 : idHigh[place]);
}

/** The {@link SkeletonKind} of a node type. */
export function kindOf(type: number): number {
  if (type === NodeType.send) return SkeletonKind.send;
  if (type === NodeType.receive) return SkeletonKind.receive;
  return type === NodeType.collective ? SkeletonKind.collective : SkeletonKind.relay;
}
