import type { ProcessGroup } from '../trace/process-group.js';
import { CollectiveType, collectiveName, COMM_TYPE_ABSENT, isRooted } from '../trace/collective-type.js';
import { departure, nodeOf, type Departure } from './count-difference.js';
import type { FoldedFindings } from './folded-findings.js';
import type { GroupUse, Member } from './group-members.js';
import { isExpanded, SurveyState } from './survey.js';

/** What the members of a group agree on for one collective. */
export interface AgreedCollective {
  readonly group: ProcessGroup;
  readonly type: number;
  /** j, place among the collectives of the group. */
  readonly instance: number;
  readonly size: number;
  /** Position of the root. */
  readonly root: number;
  /** Algorithm that expanded it already. */
  readonly expandedBy: string | undefined;
  readonly expanded: boolean;
  readonly splits: readonly (readonly number[])[] | undefined;
}

/** Ranks whose difference from the others a finding spells out. */
const MOST_DEPARTURES = 3;

/** Members all have the same number of collectives (R-083); otherwise an error that says who departs from the others where. */
export function countsAgree({ group, members }: GroupUse, findings: FoldedFindings): boolean {
  const byCount = new Map<number, Member[]>();
  for (const member of members) {
    const same = byCount.get(member.places.length);
    if (same) same.push(member);
    else byCount.set(member.places.length, [member]);
  }
  if (byCount.size === 1) return true;
  const counts = [...byCount].map(
    ([count, same], at) =>
      `${count}${at === 0 ? ` collective${count === 1 ? '' : 's'}` : ''} on ${ranksText(same.map(({ survey }) => survey.rank))}`,
  );
  const departures = departuresOf(members, [...byCount]);
  // Where ranks are listed with commas, the counts need another sign between them.
  const between = byCount.size === members.length ? ', ' : '; ';
  const message = [`${group.name}: ${counts.join(between)}`, ...departures.map(({ text }) => text)].join('; ');
  findings.addGroup('COLLECTIVE_COUNT', group.name, message, {
    ...(departures.length > 0 ? { departures } : {}),
  });
  return false;
}

/** The members outside the largest set of equal counts, compared with one of it; of equal sets the longer sequence is right. */
function departuresOf(members: readonly Member[], byCount: readonly [number, Member[]][]): Departure[] {
  const [usualCount, usual] = byCount.reduce((most, next) => {
    const [[mostCount, mostMembers], [count, same]] = [most, next];
    const larger = same.length - mostMembers.length || count - mostCount;
    return larger > 0 ? next : most;
  });
  return members
    .filter(({ places }) => places.length !== usualCount)
    .slice(0, MOST_DEPARTURES)
    .flatMap((odd) => departure(odd, usual[0], usual.length === 1) ?? []);
}

/**
 * What the members state about the j-th collective of their group (R-083, R-122, R-123, R-126).
 * `undefined` when it cannot be expanded; a finding says why.
 */
export function agree(use: GroupUse, instance: number, findings: FoldedFindings): AgreedCollective | undefined {
  const { group, members } = use;
  const type = agreedType(use, instance, findings);
  if (type === undefined) return undefined;
  const expanded = agreedState(use, instance, SurveyState.expanded, 'expanded', findings);
  const synced = agreedState(use, instance, SurveyState.synced, 'synchronized', findings);
  if (expanded === undefined || synced === undefined) return undefined;
  const size = agreedSize(use, instance, type, findings);
  if (size === undefined) return undefined;
  const root = agreedRoot(use, instance, type, findings);
  if (root === undefined) return undefined;
  const splits = type === CollectiveType.allToAll ? agreedSplits(use, instance, size, findings) : undefined;
  const { survey, places } = members[0];
  return { group, type, instance, size, root, expanded, expandedBy: survey.algorithm.get(places[instance]), splits };
}

function agreedType({ group, members }: GroupUse, instance: number, findings: FoldedFindings): number | undefined {
  const [first] = members;
  const type = first.survey.type[first.places[instance]];
  let known = true;
  for (const { survey, places } of members) {
    const place = places[instance];
    const stated = survey.type[place];
    if (stated >= 0) continue;
    known = false;
    const absent = stated === COMM_TYPE_ABSENT;
    findings.addOnRank(
      absent ? 'COMM_TYPE_MISSING' : 'COMM_TYPE_UNKNOWN',
      group.name,
      survey,
      place,
      () =>
        `${group.name}: collective ${instance} has ${absent ? 'no comm_type' : 'an unknown comm_type'} on rank ${survey.rank}; it is not expanded on any member`,
    );
  }
  if (!known) return undefined;
  const other = members.find(({ survey, places }) => survey.type[places[instance]] !== type);
  if (!other) return type;
  const otherType = other.survey.type[other.places[instance]];
  findings.addOnGroup(
    'COLLECTIVE_TYPE',
    group.name,
    other.survey,
    other.places[instance],
    () =>
      `${group.name}: collective ${instance} is ${collectiveName(type)} on ${at(first, instance)}, ${collectiveName(otherType)} on ${at(other, instance)}`,
  );
  return undefined;
}

/** Whether a pass ran on all members (`true`) or on none (`false`); an error between the two. */
function agreedState(
  { group, members }: GroupUse,
  instance: number,
  bit: number,
  what: string,
  findings: FoldedFindings,
): boolean | undefined {
  const has = ({ survey, places }: Member): boolean => (survey.state[places[instance]] & bit) !== 0;
  const [first] = members;
  const other = members.find((member) => has(member) !== has(first));
  if (!other) return has(first);
  const [done, left] = has(first) ? [first, other] : [other, first];
  findings.addOnGroup(
    'PREPARED_PARTLY',
    group.name,
    left.survey,
    left.places[instance],
    () => `${group.name}: collective ${instance} is ${what} on ${at(done, instance)} and not on ${at(left, instance)}`,
  );
  return undefined;
}

function agreedSize(
  { group, members }: GroupUse,
  instance: number,
  type: number,
  findings: FoldedFindings,
): number | undefined {
  let largest = NaN;
  let largestMember = members[0];
  for (const member of members) {
    const size = member.survey.size[member.places[instance]];
    if (!(size <= largest) && !Number.isNaN(size)) {
      largest = size;
      largestMember = member;
    }
  }
  if (type === CollectiveType.barrier) return Number.isNaN(largest) ? 0 : largest;
  const name = `${group.name}: ${collectiveName(type)} ${instance}`;
  for (const member of members) {
    const { survey, places } = member;
    const place = places[instance];
    const size = survey.size[place];
    if (size === largest) continue;
    if (Number.isNaN(largest)) {
      findings.addOnRank(
        'COMM_SIZE_MISSING',
        group.name,
        survey,
        place,
        () => `${name} has no comm_size on any member; it is not expanded`,
      );
    } else if (Number.isNaN(size)) {
      findings.addOnRank(
        'COMM_SIZE_MISSING',
        group.name,
        survey,
        place,
        () =>
          `${name} has no comm_size on rank ${survey.rank}; the ${largest} bytes of rank ${largestMember.survey.rank} are used`,
      );
    } else {
      findings.addOnRank(
        'COLLECTIVE_SIZE',
        group.name,
        survey,
        place,
        () =>
          `${name} has ${size} bytes on ${at(member, instance)}, ${largest} on ${at(largestMember, instance)}; the largest is used by all`,
      );
    }
  }
  return Number.isNaN(largest) ? undefined : largest;
}

/** Position of the root; the first when none is named. */
function agreedRoot(
  { group, members }: GroupUse,
  instance: number,
  type: number,
  findings: FoldedFindings,
): number | undefined {
  if (!isRooted(type)) return 0;
  const rootOf = ({ survey, places }: Member): number => survey.root[places[instance]];
  const name = `${group.name}: ${collectiveName(type)} ${instance}`;
  const namer = members.find((member) => rootOf(member) >= 0);
  const root = namer ? rootOf(namer) : group.ranks[0];
  for (const member of members) {
    const { survey, places } = member;
    const stated = rootOf(member);
    const { rank } = survey;
    if (stated === root) continue;
    if (stated >= 0) {
      findings.addOnGroup(
        'COLLECTIVE_ROOT',
        group.name,
        survey,
        places[instance],
        () => `${name} has root ${root} on ${at(namer!, instance)}, root ${stated} on ${at(member, instance)}`,
      );
      return undefined;
    }
    if (isExpanded(survey, places[instance])) continue;
    findings.addOnGroup('ROOT_ASSUMED', group.name, survey, places[instance], () =>
      namer
        ? `${name} names no root on rank ${rank}; root ${root}, which rank ${namer.survey.rank} names, is used`
        : `${name} names no root; rank ${root}, the first of the group, is used`,
    );
    if (!namer) break; // the others name none either
  }
  const position = group.ranks.indexOf(root);
  if (position >= 0) return position;
  findings.addOnGroup(
    'ROOT_NOT_MEMBER',
    group.name,
    namer!.survey,
    namer!.places[instance],
    () =>
      `${name} has root ${root} on ${at(namer!, instance)}, which is no member of the group: ${ranksText(group.ranks)}`,
  );
  return undefined;
}

/** The members' split lists by position; a member without one sends C to every position. */
function agreedSplits(
  { group, members }: GroupUse,
  instance: number,
  size: number,
  findings: FoldedFindings,
): (readonly number[])[] | undefined {
  const lists = members.map(({ survey, places }) => survey.splits.get(places[instance]));
  const expected = members.map(({ survey, places }) => survey.receiveSplits.get(places[instance]));
  if (lists.every((list) => list === undefined) && expected.every((list) => list === undefined)) return undefined;
  const name = `${group.name}: AllToAll ${instance}`;
  const sent = members.map(({ survey, places }, position) => {
    const place = places[instance];
    const list = lists[position];
    if (list === undefined) {
      findings.addOnRank(
        'SPLITS_MISSING',
        group.name,
        survey,
        place,
        () => `${name} has no split list on rank ${survey.rank}; it sends the same to every position`,
      );
      return new Array<number>(members.length).fill(Math.ceil(size / members.length));
    }
    if (list.length !== members.length || list.some((bytes) => !(bytes >= 0 && Number.isSafeInteger(bytes)))) {
      findings.addOnRank(
        'SPLITS_DISAGREE',
        group.name,
        survey,
        place,
        () =>
          `${name}: the split list of rank ${survey.rank} has ${entries(list)}; expected ${members.length} byte counts of 0 or more`,
        ' length',
      );
    }
    return list;
  });
  members.forEach((member, position) => {
    const { survey, places } = member;
    const stated = expected[position];
    if (stated !== undefined && stated.length !== members.length) {
      findings.addOnRank(
        'SPLITS_DISAGREE',
        group.name,
        survey,
        places[instance],
        () =>
          `${name}: the list of what rank ${survey.rank} receives has ${entries(stated)}; expected ${members.length}, one a member`,
        ' length',
      );
    }
    const wrong = sent.findIndex((list, from) => {
      return stated !== undefined && from !== position && (stated[from] ?? 0) !== (list[position] ?? 0);
    });
    if (wrong < 0) return;
    findings.addOnRank(
      'SPLITS_DISAGREE',
      group.name,
      survey,
      places[instance],
      () =>
        `${name}: ${at(members[wrong], instance)} sends ${sent[wrong][position] ?? 0} B to ${at(member, instance)}, which expects ${stated?.[wrong] ?? 0} B`,
    );
  });
  return sent;
}

function entries({ length }: readonly number[]): string {
  return `${length} ${length === 1 ? 'entry' : 'entries'}`;
}

/** `rank 3 (node 17)`. */
function at(member: Member, instance: number): string {
  return `rank ${member.survey.rank} (node ${nodeOf(member, instance)})`;
}

/** `rank 3`, `ranks 0, 2, 5`; long lists are cut. */
function ranksText(ranks: readonly number[]): string {
  const shown = ranks.slice(0, 8).join(', ');
  const more = ranks.length > 8 ? ` and ${ranks.length - 8} more` : '';
  return `rank${ranks.length === 1 ? '' : 's'} ${shown}${more}`;
}
