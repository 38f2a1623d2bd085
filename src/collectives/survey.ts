import { idForJson } from '../base/ids.js';
import { narrowed, type NarrowColumn } from '../base/narrowed.js';
import { CollectiveType } from '../trace/collective-type.js';
import { isTransfer, NodeType } from '../trace/node-type.js';
import { WORLD } from '../trace/process-group.js';
import { NodeFlag, type RankTrace } from '../trace/rank-trace.js';

/**
 * The collectives of one rank, those that were expanded already included: all that planning needs, without the trace.
 * Plain data: it crosses worker threads. 18 to 22 bytes each where ids and sizes are below 2^31.
 */
export interface CollectiveSurvey {
  readonly rank: number;
  /** Names of the groups its collectives run in; {@link WORLD} for those that name none. */
  readonly groupNames: readonly string[];
  readonly node: Int32Array; // [m] node index, in ascending node id
  readonly idLow: Uint32Array; // [m]
  readonly idHigh: Uint32Array; // [m], or empty where all are 0
  readonly group: NarrowColumn; // [m] index in groupNames
  readonly type: Int8Array; // [m] CollectiveType, or COMM_TYPE_ABSENT / COMM_TYPE_UNKNOWN
  readonly size: NarrowColumn; // [m] bytes, NaN when absent
  readonly root: NarrowColumn; // [m] rank of the job, −1 when absent
  readonly issueOrder: NarrowColumn; // [m] NaN when absent; empty where it is so on all of them
  readonly state: Uint8Array; // [m] SurveyState bits
  /** Algorithm that expanded it, by place in this survey. */
  readonly algorithm: ReadonlyMap<number, string>;
  /** Bytes this rank sends to each position, by place in this survey; all-to-all only. */
  readonly splits: ReadonlyMap<number, readonly number[]>;
  /** Bytes this rank expects from each position, where it says so. */
  readonly receiveSplits: ReadonlyMap<number, readonly number[]>;
  /** `involved_dim` where it is given, by place in this survey; absent where nobody asked for it. */
  readonly involvedDimensions?: ReadonlyMap<number, readonly boolean[]>;
  /** Largest tag of a send or receive, −1 when there is none; an absent tag is 0. */
  readonly largestTag: number;
}

/** Bits of {@link CollectiveSurvey.state}. */
export const SurveyState = {
  /** The node is the exit of a share: the collective was expanded. */
  expanded: 1,
  /** A synchronization barrier stands before it. */
  synced: 2,
} as const;

/** Upper half of the id of a collective. */
export function idHighOf({ idHigh }: CollectiveSurvey, place: number): number {
  return idHigh.length === 0 ? 0 : idHigh[place];
}

/** Id of the node of a collective. */
export function collectiveId(survey: CollectiveSurvey, place: number): number | string {
  return idForJson(survey.idLow[place], idHighOf(survey, place));
}

/** Place of a collective in the order of issue, NaN when absent. */
export function issueOrderOf({ issueOrder }: CollectiveSurvey, place: number): number {
  return issueOrder.length === 0 ? NaN : issueOrder[place];
}

/** Whether the collective at a place was expanded already. */
export function isExpanded({ state }: CollectiveSurvey, place: number): boolean {
  return (state[place] & SurveyState.expanded) !== 0;
}

/** Lists the collectives of a rank and what each states. */
export function surveyCollectives(trace: RankTrace): CollectiveSurvey {
  const { length, type, flags, collective, collectives, commTag } = trace;
  const found: number[] = [];
  const synced = new Uint8Array(collectives.length);
  let largestTag = -1;
  for (let node = 0; node < length; node++) {
    const nodeType = type[node];
    if (isTransfer(nodeType)) {
      const tag = commTag[node];
      if (tag > largestTag) largestTag = tag;
      else if (largestTag < 0 && Number.isNaN(tag)) largestTag = 0;
      if ((flags[node] & NodeFlag.addedSync) !== 0 && collective[node] >= 0) synced[collective[node]] = 1;
    } else if (nodeType === NodeType.collective || (nodeType === NodeType.metadata && collective[node] >= 0)) {
      found.push(node);
    }
  }
  const node = Int32Array.from(found);
  sortById(node, trace);
  return { rank: trace.rank, node, ...columnsOf(trace, node, synced), largestTag };
}

/** A survey of the rank with the dimensions that its collectives name. */
export function withInvolvedDimensions<S extends CollectiveSurvey>(
  survey: S,
  { kept, frameOffset, frameLength }: RankTrace,
): S {
  const involvedDimensions = new Map<number, readonly boolean[]>();
  for (const [place, node] of survey.node.entries()) {
    if (frameOffset[node] < 0) continue;
    const list = kept?.flagList(frameOffset[node], frameLength[node], 'involved_dim');
    if (list !== undefined) involvedDimensions.set(place, list);
  }
  return { ...survey, involvedDimensions };
}

type SurveyColumns = Omit<CollectiveSurvey, 'rank' | 'node' | 'largestTag'>;

function columnsOf(trace: RankTrace, nodes: Int32Array, synced: Uint8Array): SurveyColumns {
  const count = nodes.length;
  const idLow = new Uint32Array(count);
  const idHigh = new Uint32Array(count);
  const group = new Int32Array(count);
  const type = new Int8Array(count);
  const size = new Float64Array(count);
  const root = new Float64Array(count);
  const issueOrder = new Float64Array(count);
  const state = new Uint8Array(count);
  const algorithm = new Map<number, string>();
  const splits = new Map<number, readonly number[]>();
  const receiveSplits = new Map<number, readonly number[]>();
  const names = new Map<string, number>();
  let high = 0;
  let hasOrder = false;
  for (let place = 0; place < count; place++) {
    const node = nodes[place];
    const identity = trace.collective[node] < 0 ? undefined : trace.collectives[trace.collective[node]];
    const expanded = trace.type[node] !== NodeType.collective;
    idLow[place] = trace.idLow[node];
    idHigh[place] = trace.idHigh[node];
    high |= idHigh[place];
    group[place] = placeOf(names, identity?.group || groupNameOf(trace, node));
    // An exit's own columns may have been scaled; its identity is still the trace's.
    type[place] = expanded && identity ? identity.type : trace.commType[node];
    size[place] = expanded && identity ? identity.size : trace.commSize[node];
    root[place] = trace.root.get(node) ?? -1;
    issueOrder[place] = trace.issueOrder.get(node) ?? NaN;
    hasOrder ||= !Number.isNaN(issueOrder[place]);
    if (expanded) state[place] |= SurveyState.expanded;
    if (identity && synced[trace.collective[node]]) state[place] |= SurveyState.synced;
    if (expanded && identity?.algorithm !== undefined) algorithm.set(place, identity.algorithm);
    const split = trace.splits.get(node);
    if (split) splits.set(place, split);
    const expected = trace.commType[node] === CollectiveType.allToAll ? trace.receiveSplits.get(node) : undefined;
    if (expected) receiveSplits.set(place, expected);
  }
  return {
    groupNames: [...names.keys()],
    idLow,
    idHigh: high === 0 ? new Uint32Array(0) : idHigh,
    group: narrowed(group),
    type,
    size: narrowed(size),
    root: narrowed(root),
    issueOrder: hasOrder ? narrowed(issueOrder) : new Float64Array(0),
    state,
    algorithm,
    splits,
    receiveSplits,
  };
}

/** Name of the process group a collective node runs in. */
function groupNameOf(trace: RankTrace, node: number): string {
  const group = trace.group[node];
  return (group < 0 ? '' : trace.groupNames[group]) || WORLD;
}

function placeOf(names: Map<string, number>, name: string): number {
  let place = names.get(name);
  if (place === undefined) {
    place = names.size;
    names.set(name, place);
  }
  return place;
}

function sortById(nodes: Int32Array, trace: RankTrace): void {
  const { idLow, idHigh } = trace;
  nodes.sort((a, b) => idHigh[a] - idHigh[b] || idLow[a] - idLow[b] || a - b);
}
