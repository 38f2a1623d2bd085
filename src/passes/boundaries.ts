import { NodeType } from '../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';

/** The transfers of one collective that stand in a trace, as far as an ordering pass must know them. */
export interface Boundary {
  /** Transfers of its synchronization barrier that wait for no other of them. */
  readonly barrierEntries: number[];
  /** Transfers of its share that wait for no other of them. */
  readonly shareEntries: number[];
  /** First transfer of its share in the file, −1 when it has none. */
  firstTransfer: number;
}

/**
 * Finds where the collectives that were expanded or synchronized begin, by the identity their transfers carry
 * (design section 3). The result is by identity index.
 */
export function findBoundaries(trace: RankTrace): Boundary[] {
  const boundaries = trace.collectives.map((): Boundary => ({
    barrierEntries: [],
    shareEntries: [],
    firstTransfer: -1,
  }));
  if (boundaries.length === 0) return boundaries;
  const { length, type, flags, collective } = trace;
  for (let node = 0; node < length; node++) {
    if (collective[node] < 0 || (type[node] !== NodeType.send && type[node] !== NodeType.receive)) continue;
    const boundary = boundaries[collective[node]];
    const barrier = (flags[node] & NodeFlag.addedSync) !== 0;
    if (!barrier && boundary.firstTransfer < 0) boundary.firstTransfer = node;
    if (waitsForOwn(trace, node)) continue;
    if (barrier) boundary.barrierEntries.push(node);
    else boundary.shareEntries.push(node);
  }
  return boundaries;
}

/** Whether a transfer waits for another one of the same barrier or of the same share. */
function waitsForOwn(trace: RankTrace, node: number): boolean {
  const { dataStart, dataTarget, controlStart, controlTarget } = trace;
  for (let edge = dataStart[node]; edge < dataStart[node + 1]; edge++) {
    if (dataTarget[edge] >= 0 && isOwn(trace, node, dataTarget[edge])) return true;
  }
  for (let edge = controlStart[node]; edge < controlStart[node + 1]; edge++) {
    if (controlTarget[edge] >= 0 && isOwn(trace, node, controlTarget[edge])) return true;
  }
  return false;
}

function isOwn({ collective, flags }: RankTrace, node: number, other: number): boolean {
  return collective[other] === collective[node] && ((flags[other] ^ flags[node]) & NodeFlag.addedSync) === 0;
}
