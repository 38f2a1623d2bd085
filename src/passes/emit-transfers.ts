import type { Share } from '../collectives/algorithm.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTraceBuilder } from '../trace/rank-trace-builder.js';

/** What the nodes of one share have in common. */
export interface TransferFacts {
  /** Ranks of the group by position. */
  readonly ranks: readonly number[];
  /** Id of the first node; the others follow. */
  readonly idLow: number;
  readonly idHigh: number;
  /** Tag of index 0. */
  readonly tag: number;
  readonly flags: number;
  /** Type of the collective. */
  readonly commType: number;
  /** Index of the group name, −1 when the collective names none. */
  readonly group: number;
  /** Index of the collective's identity. */
  readonly collective: number;
  /** What the entry nodes of the share depend on, as indices in the new trace. */
  readonly entryData: Int32Array;
  readonly entryControl: Int32Array;
}

/**
 * Writes a share as send and receive nodes at the end of `out` and gives the bytes its sends carry. `out` has room, and
 * its columns are still 0 there.
 */
export function emitTransfers(out: RankTraceBuilder, share: Share, facts: TransferFacts): number {
  const { ranks, tag, idLow: firstLow, idHigh: firstHigh, entryData, entryControl } = facts;
  const { length, send, peer: sharePeer, bytes, index, dependencyStart, dependency } = share;
  const { idLow, idHigh, type, dataStart, controlStart, commSize, commTag, peer, step, data, control } = out;
  const { target: dataTarget } = data;
  const { target: controlTarget } = control;
  const entryDataLength = entryData.length;
  const entryControlLength = entryControl.length;
  const at = out.length;
  let dataEdge = data.length;
  let controlEdge = control.length;
  let bytesSent = 0;
  for (let place = 0; place < length; place++) {
    const node = at + place;
    const low = firstLow + place;
    idLow[node] = low;
    idHigh[node] = low > 0xffffffff ? firstHigh + 1 : firstHigh;
    const size = bytes[place];
    if (send[place] === 1) {
      type[node] = NodeType.send;
      bytesSent += size;
    } else {
      type[node] = NodeType.receive;
    }
    commSize[node] = size;
    commTag[node] = tag + index[place];
    step[node] = index[place];
    peer[node] = ranks[sharePeer[place]];
    dataStart[node] = dataEdge;
    controlStart[node] = controlEdge;
    const from = dependencyStart[place];
    const to = dependencyStart[place + 1];
    if (from === to) {
      for (let edge = 0; edge < entryDataLength; edge++) dataTarget[dataEdge++] = entryData[edge];
      for (let edge = 0; edge < entryControlLength; edge++) controlTarget[controlEdge++] = entryControl[edge];
    } else {
      for (let edge = from; edge < to; edge++) dataTarget[dataEdge++] = at + dependency[edge];
    }
  }
  data.length = dataEdge;
  control.length = controlEdge;
  fillConstants(out, at, at + length, facts);
  out.length = at + length;
  return bytesSent;
}

/** Below this many nodes a loop is quicker than a fill of each column. */
const SHORT_RUN = 64;

/** Writes the columns that are one value over the whole share. */
function fillConstants(out: RankTraceBuilder, from: number, to: number, facts: TransferFacts): void {
  const { flags, commType, group, collective, frameOffset } = out;
  if (to - from < SHORT_RUN) {
    for (let node = from; node < to; node++) {
      flags[node] = facts.flags;
      commType[node] = facts.commType;
      group[node] = facts.group;
      collective[node] = facts.collective;
      frameOffset[node] = -1;
    }
    return;
  }
  flags.fill(facts.flags, from, to);
  commType.fill(facts.commType, from, to);
  group.fill(facts.group, from, to);
  collective.fill(facts.collective, from, to);
  frameOffset.fill(-1, from, to);
}
