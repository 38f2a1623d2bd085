import { rankList } from '../base/rank-runs.js';
import type { ProcessGroup } from '../trace/process-group.js';
import { CollectiveType, collectiveName, COMM_TYPE_ABSENT, isRooted } from '../trace/collective-type.js';
import { agreedSplits } from './agreed-splits.js';
import type { FoldedFindings } from './folded-findings.js';
import { memberLabel, type GroupMembers, type Member } from './group-members.js';
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

/**
 * What the members state about the j-th collective of their group.
 * `undefined` when it cannot be expanded; a finding says why.
 */
export function agree(use: GroupMembers, instance: number, findings: FoldedFindings): AgreedCollective | undefined {
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

function agreedType({ group, members }: GroupMembers, instance: number, findings: FoldedFindings): number | undefined {
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
      `${group.name}: collective ${instance} is ${collectiveName(type)} on ${memberLabel(first, instance)}, ${collectiveName(otherType)} on ${memberLabel(other, instance)}`,
  );
  return undefined;
}

/** Whether a pass ran on all members (`true`) or on none (`false`); an error between the two. */
function agreedState(
  { group, members }: GroupMembers,
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
    () =>
      `${group.name}: collective ${instance} is ${what} on ${memberLabel(done, instance)} and not on ${memberLabel(left, instance)}`,
  );
  return undefined;
}

function agreedSize(
  { group, members }: GroupMembers,
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
          `${name} has ${size} bytes on ${memberLabel(member, instance)}, ${largest} on ${memberLabel(largestMember, instance)}; the largest is used by all`,
      );
    }
  }
  return Number.isNaN(largest) ? undefined : largest;
}

/** Position of the root; the first when none is named. */
function agreedRoot(
  { group, members }: GroupMembers,
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
        () =>
          `${name} has root ${root} on ${memberLabel(namer!, instance)}, root ${stated} on ${memberLabel(member, instance)}`,
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
      `${name} has root ${root} on ${memberLabel(namer!, instance)}, which is no member of the group: ${rankList(group.ranks)}`,
  );
  return undefined;
}
