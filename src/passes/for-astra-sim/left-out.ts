import { findCyclicComponents } from '../../trace/cycles.js';
import { COMM_TYPE_ABSENT } from '../../trace/collective-type.js';
import { isTransfer, NodeType } from '../../trace/node-type.js';
import { NodeFlag, type RankTrace } from '../../trace/rank-trace.js';
import { reordered } from '../../trace/reordered.js';
import type { AstraChange, AstraChanges } from './changes.js';
import { leaveOut, type Contraction } from './contraction.js';
import { cleanLists, withLists } from './dependency-lists.js';
import { isToItself, type AstraPlan } from './plan.js';

/** A rank without the nodes that ASTRA-sim cannot run. */
export interface WithoutNodes {
  readonly trace: RankTrace;
  /** [n] index that each node had before, ascending. */
  readonly kept: Int32Array;
}

/**
 * Leaves out what takes no time and stops the program or holds others up there: METADATA and INVALID nodes, messages of
 * the rank to itself that pair off, collectives of groups of one rank, and host copies of collectives
 * (astra-sim-semantics sections 3, 5.3, 18).
 * Those in a cycle stay. What became a join is a compute node without duration.
 */
export function withoutUnrunnable(trace: RankTrace, plan: AstraPlan, changes: AstraChanges): WithoutNodes {
  const lists = cleanLists(trace, plan.deps === 'both');
  changes.controlDropped += lists.controlDropped;
  changes.repeatedDropped += lists.repeatedDropped;
  const dropped = lists.controlDropped + lists.repeatedDropped > 0;
  const { why, awaited } = unrunnable(trace, plan);
  if (!dropped && !why.some((reason) => reason !== 0)) {
    return { trace, kept: Int32Array.from({ length: trace.length }, (_, node) => node) };
  }
  const chained = withAwaited(withLists(trace, lists), awaited);
  const cycles = findCyclicComponents(chained, 'both');
  for (const node of cycles.member) why[node] = 0;
  const contraction = leaveOut(
    chained,
    why.map((reason) => Number(reason > 0)),
  );
  const { leftOut, joins } = contraction;
  const kept = Int32Array.from(leftOut.keys()).filter((node) => leftOut[node] === 0);
  const columns = {
    flags: trace.flags.slice(),
    type: trace.type.slice(),
    durationMicros: trace.durationMicros.slice(),
  };
  for (let node = 0; node < trace.length; node++) {
    if (joins[node] === 1) {
      columns.type[node] = NodeType.compute;
      columns.durationMicros[node] = 0;
      columns.flags[node] |= NodeFlag.touched | NodeFlag.cpuGiven | NodeFlag.workMade;
      columns.flags[node] &= ~NodeFlag.cpu;
      changes.joins++;
    } else if (leftOut[node] === 1) changes[REASONS[why[node] - 1]]++;
    else if (differ(trace, contraction, node)) columns.flags[node] |= NodeFlag.touched;
  }
  carryAlgorithms(trace, contraction, columns.flags);
  return { trace: reordered({ ...withLists(trace, contraction), ...columns }, kept), kept };
}

const REASONS: readonly AstraChange[] = [
  'exits',
  'declarations',
  'invalidNodes',
  'selfTransfers',
  'loneCollectives',
  'hostCopies',
];

/** Why nodes are left out, as places in {@link REASONS} from 1, and which receives of the rank from itself wait for which send. */
function unrunnable(trace: RankTrace, { lone }: AstraPlan): { why: Uint8Array; awaited: ReadonlyMap<number, number> } {
  const { length, rank, type, collective, group, groupNames } = trace;
  const isLone = groupNames.map((name) => lone.get(name) === rank);
  const why = new Uint8Array(length);
  for (let node = 0; node < length; node++) {
    if (type[node] === NodeType.metadata) why[node] = collective[node] >= 0 ? 1 : 2;
    else if (type[node] === NodeType.invalid) why[node] = 3;
    else if (type[node] === NodeType.collective) {
      if (group[node] >= 0 && isLone[group[node]]) why[node] = 5;
      else if (isHostCopy(trace, node)) why[node] = 6;
    }
  }
  const awaited = new Map<number, number>();
  for (const { sends, receives } of transfersWithin(trace)) {
    // Which send a receive gets is a matter of order where there are several; one that nobody receives ends at once.
    if (receives.length > 1 || (receives.length === 1 && sends.length !== 1)) continue;
    for (const node of [...sends, ...receives]) why[node] = 4;
    if (receives.length === 1) awaited.set(receives[0], sends[0]);
  }
  return { why, awaited };
}

/** The host's side of a collective in traces of PyTorch: it says nothing of the collective, and takes no time. */
function isHostCopy({ flags, commType, commSize }: RankTrace, node: number): boolean {
  return (flags[node] & NodeFlag.cpu) !== 0 && commType[node] === COMM_TYPE_ABSENT && Number.isNaN(commSize[node]);
}

/** The sends and receives of the rank to and from itself, by tag. */
function transfersWithin(trace: RankTrace): Iterable<{ sends: number[]; receives: number[] }> {
  const byTag = new Map<number, { sends: number[]; receives: number[] }>();
  for (let node = 0; node < trace.length; node++) {
    if (!isToItself(trace, node)) continue;
    const tag = trace.commTag[node] || 0;
    const ends = byTag.get(tag) ?? { sends: [], receives: [] };
    byTag.set(tag, ends);
    (trace.type[node] === NodeType.send ? ends.sends : ends.receives).push(node);
  }
  return byTag.values();
}

/** The trace with a data dependency of each of these nodes on another one. */
function withAwaited(trace: RankTrace, awaited: ReadonlyMap<number, number>): RankTrace {
  if (awaited.size === 0) return trace;
  const { length, dataStart: start, dataTarget: target } = trace;
  const dataStart = new Uint32Array(length + 1);
  const dataTarget = new Int32Array(target.length + awaited.size);
  let edge = 0;
  for (let node = 0; node < length; node++) {
    dataStart[node] = edge;
    for (let at = start[node]; at < start[node + 1]; at++) dataTarget[edge++] = target[at];
    const before = awaited.get(node);
    if (before !== undefined) dataTarget[edge++] = before;
  }
  dataStart[length] = edge;
  return { ...trace, dataStart, dataTarget };
}

/** Whether a node's lists are other than those of the trace. */
function differ(trace: RankTrace, lists: Contraction, node: number): boolean {
  return (
    listsDiffer(trace.dataStart, trace.dataTarget, lists.dataStart, lists.data, node) ||
    listsDiffer(trace.controlStart, trace.controlTarget, lists.controlStart, lists.control, node)
  );
}

function listsDiffer(
  start: Uint32Array,
  target: Int32Array,
  otherStart: Uint32Array,
  other: Int32Array,
  node: number,
): boolean {
  const length = start[node + 1] - start[node];
  if (otherStart[node + 1] - otherStart[node] !== length) return true;
  for (let at = 0; at < length; at++) if (target[start[node] + at] !== other[otherStart[node] + at]) return true;
  return false;
}

/** The algorithm stands on the exit: where that is no METADATA node any more, a join or the first transfer carries it. */
function carryAlgorithms(
  { length, type, collective, collectives }: RankTrace,
  { leftOut, joins }: Contraction,
  flags: Uint16Array,
): void {
  const wanted = new Uint8Array(collectives.length);
  for (let node = 0; node < length; node++) {
    const of = collective[node];
    if (of < 0 || type[node] !== NodeType.metadata || collectives[of].algorithm === undefined) continue;
    if (joins[node] === 1) flags[node] |= NodeFlag.algorithmCarried;
    else wanted[of] = leftOut[node];
  }
  for (let node = 0; node < length; node++) {
    const of = collective[node];
    if (of < 0 || wanted[of] === 0 || !isTransfer(type[node]) || (flags[node] & NodeFlag.addedSync) !== 0) continue;
    flags[node] |= NodeFlag.algorithmCarried | NodeFlag.touched;
    wanted[of] = 0;
  }
}
