import type { Member } from '../../collectives/group-members.js';
import { isExpanded } from '../../collectives/survey.js';
import { departures, type Departure } from './departures.js';
import { listedGroups, type DeclaredInTraceset, type ListedGroup } from './listed-groups.js';
import { collectiveTypeText, largestSize } from './stated.js';
import type { CollectiveViewSurvey } from './view-survey.js';

/** One place, or the same place on several ranks, that declares a group. */
export interface DeclaredIn {
  /** A group file's name, `process_group:init` or `metadata`. */
  readonly origin: string;
  /** Ranks whose traces declare it so; absent for a group file. */
  readonly ranks?: readonly number[];
  /** Id of the declaring node on the first of them. */
  readonly node?: number | string;
}

/** The collectives of one type in a group. */
export interface TypeSum {
  readonly type: string;
  /** Each counted once, however many members run it. */
  readonly collectives: number;
  /** Sum of their sizes, each counted once, with the largest size that a member states. */
  readonly bytes: number;
  /** Nodes on all members. */
  readonly nodes: number;
  /** Those of the collectives that were expanded already. */
  readonly expanded: number;
}

/** A process group that is declared or used. */
export interface GroupView {
  readonly name: string;
  /** Where its members are from: as `declaredIn`, `world`, `use` where they are taken from its use, or `none`. */
  readonly origin: string;
  /** Why it has the members it has where nobody declares it. */
  readonly reason?: string;
  readonly declaredIn: readonly DeclaredIn[];
  /** In order of declaration; empty where nothing says who is in it. */
  readonly members: readonly number[];
  readonly size: number;
  /** One number where all members with a trace agree, else by rank. */
  readonly collectivesPerRank: number | Readonly<Record<string, number>>;
  readonly types: readonly TypeSum[];
  /** Sum over the types. */
  readonly bytes: number;
  /** Where ranks depart from the others. */
  readonly departures: readonly Departure[];
  /** Ranks that run collectives in it, ascending. */
  readonly users: readonly number[];
  /** Ranks that run collectives in it and are no members. */
  readonly usersOutside: readonly number[];
  /** Members with a trace that run no collective in it. */
  readonly membersWithoutUse: readonly number[];
  /** Members without a trace here. */
  readonly membersWithoutTrace: readonly number[];
}

export interface GroupsView {
  readonly declared: number;
  readonly used: number;
  readonly list: readonly GroupView[];
}

/** @param surveys by ascending rank */
export function groupsView(surveys: readonly CollectiveViewSurvey[], declared: DeclaredInTraceset): GroupsView {
  const traced = new Set(surveys.map(({ rank }) => rank));
  const list = listedGroups(surveys, declared).map((group) => groupView(group, traced));
  return {
    declared: list.filter(({ declaredIn }) => declaredIn.length > 0).length,
    used: list.filter(({ users }) => users.length > 0).length,
    list,
  };
}

function groupView(group: ListedGroup, traced: ReadonlySet<number>): GroupView {
  const { name, origin, reason, ranks, users } = group;
  const using = new Set(users);
  const members = new Set(ranks);
  const compared = group.members.filter(({ survey }) => traced.has(survey.rank));
  const types = typeSums(compared);
  return {
    name,
    origin,
    ...(reason === undefined ? {} : { reason }),
    declaredIn: declaredIn(group),
    members: ranks,
    size: ranks.length,
    collectivesPerRank: countPerRank(compared),
    types,
    bytes: types.reduce((sum, { bytes }) => sum + bytes, 0),
    departures: departures(compared),
    users,
    usersOutside: origin === 'none' ? [] : users.filter((rank) => !members.has(rank)),
    membersWithoutUse: ranks.filter((rank) => traced.has(rank) && !using.has(rank)),
    membersWithoutTrace: ranks.filter((rank) => !traced.has(rank)),
  };
}

function declaredIn({ declarations }: ListedGroup): DeclaredIn[] {
  const places = new Map<string, { origin: string; ranks?: number[]; node?: number | string }>();
  for (const { origin, rank, node } of declarations) {
    const known = places.get(origin);
    if (known !== undefined) {
      // A rank may declare it in several nodes.
      if (rank !== undefined && known.ranks !== undefined && known.ranks.at(-1) !== rank) known.ranks.push(rank);
      continue;
    }
    places.set(origin, {
      origin,
      ...(rank === undefined ? {} : { ranks: [rank] }),
      ...(node === undefined ? {} : { node }),
    });
  }
  return [...places.values()];
}

function countPerRank(members: readonly Member[]): GroupView['collectivesPerRank'] {
  const counts = members.map(({ places }) => places.length);
  if (counts.every((count) => count === counts[0])) return counts[0] ?? 0;
  return Object.fromEntries(members.map(({ survey }, place) => [String(survey.rank), counts[place]]));
}

/** Types by their number; a collective counts under the type that its first member states. */
function typeSums(members: readonly Member[]): TypeSum[] {
  const sums = new Map<number, { collectives: number; bytes: number; nodes: number; expanded: number }>();
  const longest = members.reduce((most, { places }) => Math.max(most, places.length), 0);
  for (let index = 0; index < longest; index++) {
    const running = members.filter(({ places }) => index < places.length);
    const [{ survey, places }] = running;
    const type = survey.type[places[index]];
    let sum = sums.get(type);
    if (sum === undefined) sums.set(type, (sum = { collectives: 0, bytes: 0, nodes: 0, expanded: 0 }));
    sum.collectives++;
    sum.nodes += running.length;
    sum.bytes += largestSize(running, index) ?? 0;
    if (isExpanded(survey, places[index])) sum.expanded++;
  }
  return [...sums]
    .sort(([left], [right]) => left - right)
    .map(([type, sum]) => ({ type: collectiveTypeText(type), ...sum }));
}
