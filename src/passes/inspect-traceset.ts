import { setOwn } from '../base/named-values.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { transferColumns } from './transfer-columns.js';
import { bytesOf, forEachKey, surveyTransfers, type KeyMatch, type TransferSurvey } from './transfer-survey.js';

/** What {@link inspectTraceset} needs of one rank; typed arrays and short texts only. */
export interface InspectionSurvey {
  readonly rank: number;
  /** File name for the listing of nodes per rank. */
  readonly name: string;
  readonly nodes: number;
  /** The collectives of each group (`<none>` where they name none), in ascending order of ids. */
  readonly groups: ReadonlyMap<string, { readonly type: Int8Array; readonly bytes: Float64Array }>;
  readonly transfers: TransferSurvey;
}

/** How the ranks of a group agree. */
export interface GroupFacts {
  /** Ranks that use it, ascending; above 16 only how many. */
  ranks: number[] | number;
  /** One number where all ranks agree, else by rank. */
  collectives_per_rank: number | Record<string, number>;
  same_type_and_size_sequence_in_id_order: boolean;
  /** Whether each rank has the same collectives, in whatever order. */
  same_multiset: boolean;
}

/** What is in a traceset; the key names are those of `sets` in `trace-facts.json`. */
export interface TracesetFacts {
  ranks: number;
  /** By file name; above 16 ranks the least and the most. */
  nodes_per_rank: Record<string, number>;
  groups: Record<string, GroupFacts>;
  /** Matched by sender, receiver, tag and size; absent without sends and receives. */
  p2p?: { sends: number; recvs: number; unmatched_sends: number; unmatched_recvs: number };
}

/** Above this many ranks lists become counts. */
const MOST_LISTED = 16;

/** @param name file name of the rank, without its folder */
export function surveyForInspection(trace: RankTrace, name: string): InspectionSurvey {
  const { length, type, idLow, idHigh, group, groupNames, commType, commSize } = trace;
  const nodesOf = new Map<string, number[]>();
  for (let node = 0; node < length; node++) {
    if (type[node] !== NodeType.collective) continue;
    const groupName = group[node] < 0 ? '<none>' : groupNames[group[node]];
    const nodes = nodesOf.get(groupName);
    if (nodes === undefined) nodesOf.set(groupName, [node]);
    else nodes.push(node);
  }
  const groups = new Map<string, { type: Int8Array; bytes: Float64Array }>();
  for (const [groupName, nodes] of nodesOf) {
    nodes.sort((left, right) => idHigh[left] - idHigh[right] || idLow[left] - idLow[right] || left - right);
    groups.set(groupName, {
      type: Int8Array.from(nodes, (node) => commType[node]),
      bytes: Float64Array.from(nodes, (node) => commSize[node]),
    });
  }
  return { rank: trace.rank, name, nodes: length, groups, transfers: surveyTransfers(transferColumns(trace)) };
}

/** @param surveys in ascending rank */
export function inspectTraceset(surveys: readonly InspectionSurvey[]): TracesetFacts {
  const pairs = pairFacts(surveys.map((survey) => survey.transfers));
  return {
    ranks: surveys.length,
    nodes_per_rank: nodesPerRank(surveys),
    groups: groupFacts(surveys),
    ...(pairs.sends + pairs.recvs === 0 ? {} : { p2p: pairs }),
  };
}

function nodesPerRank(surveys: readonly InspectionSurvey[]): Record<string, number> {
  if (surveys.length <= MOST_LISTED) return Object.fromEntries(surveys.map(({ name, nodes }) => [name, nodes]));
  let min = Infinity;
  let max = 0;
  for (const { nodes } of surveys) {
    min = Math.min(min, nodes);
    max = Math.max(max, nodes);
  }
  return { min, max };
}

function groupFacts(surveys: readonly InspectionSurvey[]): Record<string, GroupFacts> {
  const names = [...new Set(surveys.flatMap((survey) => [...survey.groups.keys()]))].sort();
  const facts: Record<string, GroupFacts> = {};
  for (const name of names) {
    const users = surveys.filter((survey) => survey.groups.has(name));
    const sequences = users.map((survey) => sequenceOf(survey, name));
    const multisets = sequences.map((sequence) => [...sequence].sort());
    const counts = sequences.map((sequence) => sequence.length);
    setOwn(facts, name, {
      ranks: users.length > MOST_LISTED ? users.length : users.map(({ rank }) => rank),
      collectives_per_rank: counts.every((count) => count === counts[0])
        ? counts[0]
        : Object.fromEntries(users.map(({ rank }, place) => [String(rank), counts[place]])),
      same_type_and_size_sequence_in_id_order: allEqual(sequences),
      same_multiset: allEqual(multisets),
    });
  }
  return facts;
}

function sequenceOf(survey: InspectionSurvey, name: string): string[] {
  const { type, bytes } = survey.groups.get(name)!;
  return Array.from(type, (value, place) => `${value} ${bytes[place]}`);
}

function allEqual(lists: readonly (readonly string[])[]): boolean {
  return lists.every(
    (list) => list.length === lists[0].length && list.every((value, place) => value === lists[0][place]),
  );
}

function pairFacts(surveys: readonly TransferSurvey[]) {
  let unmatchedSends = 0;
  let unmatchedReceives = 0;
  let sends = 0;
  let recvs = 0;
  for (const survey of surveys) {
    sends += survey.sends.place.length;
    recvs += survey.receives.place.length;
  }
  let matched = 0;
  forEachKey(surveys, (match) => (matched += equalSizes(match)));
  unmatchedSends = sends - matched;
  unmatchedReceives = recvs - matched;
  return { sends, recvs, unmatched_sends: unmatchedSends, unmatched_recvs: unmatchedReceives };
}

/** Number of sends and receives of a key that pair by size. */
function equalSizes({ sends, sendFrom, sendTo, receives, receiveFrom, receiveTo }: KeyMatch): number {
  let matched = 0;
  let receive = receiveFrom;
  for (let send = sendFrom; send < sendTo && receive < receiveTo;) {
    const sent = bytesOf(sends, send);
    const expected = bytesOf(receives, receive);
    if (Object.is(sent, expected)) {
      matched++;
      send++;
      receive++;
    } else if (Number.isNaN(expected) || sent < expected) send++;
    else receive++;
  }
  return matched;
}
