import { rankList } from '../base/rank-runs.js';
import { nodeList } from '../trace/node-label.js';
import { WORLD, type ProcessGroup } from '../trace/process-group.js';
import type { FoldedFindings } from './folded-findings.js';
import { collectiveId, issueOrderOf, type CollectiveSurvey } from './survey.js';

/** Nodes that a message shows. */
const NODES_SHOWN = 8;

/** The collectives of one member of a group, in the order they pair in. */
export interface Member {
  readonly survey: CollectiveSurvey;
  /** Places in the survey. */
  readonly places: number[];
}

/** A group with collectives, and what each of its members runs in it. */
export interface GroupMembers {
  readonly group: ProcessGroup;
  /** By position. */
  readonly members: readonly Member[];
  /** Whether every collective on every member carries its place in the order of issue. */
  readonly recorded: boolean;
}

/** Id of a member's collective by its place in the group. */
export function nodeOf({ survey, places }: Member, at: number): number | string {
  return collectiveId(survey, places[at]);
}

/** `rank 3 (node 17)`. */
export function memberLabel(member: Member, instance: number): string {
  return `rank ${member.survey.rank} (node ${nodeOf(member, instance)})`;
}

/**
 * Sorts the collectives of all ranks by group and checks the groups: declared, not empty, each rank once and
 * in the job. Collectives of ranks outside their group are left out with a warning. A group with an
 * error is left out.
 */
export function groupMembers(
  surveys: readonly CollectiveSurvey[],
  groups: ReadonlyMap<string, ProcessGroup>,
  rankCount: number,
  findings: FoldedFindings,
): GroupMembers[] {
  const uses: GroupMembers[] = [];
  const surveyed = new Map(surveys.map((survey) => [survey.rank, survey]));
  for (const [name, byRank] of placesByGroup(surveys)) {
    const group = declaredGroup(name, byRank, groups, rankCount, findings);
    if (!group) continue;
    const positions = new Set(group.ranks);
    for (const { survey, places } of byRank.values()) {
      if (positions.has(survey.rank) || places.length === 0) continue;
      const ids = places.slice(0, NODES_SHOWN).map((place) => collectiveId(survey, place));
      const whose = places.length === 1 ? 'its collective there is' : `its ${places.length} collectives there are`;
      const message =
        `rank ${survey.rank}: no member of process group "${name}" (${rankList(group.ranks)}); ` +
        `${whose} not expanded: ${nodeList(ids, places.length)}`;
      findings.addAllOnRank('RANK_OUTSIDE_GROUP', name, survey, places, message);
    }
    const members = group.ranks.map(
      (rank) => byRank.get(rank) ?? { survey: surveyed.get(rank) ?? emptySurvey(rank), places: [] },
    );
    uses.push({ group, members, recorded: orderMembers(name, members, findings) });
  }
  return uses;
}

function placesByGroup(surveys: readonly CollectiveSurvey[]): Map<string, Map<number, Member>> {
  const byGroup = new Map<string, Map<number, Member>>();
  for (const survey of surveys) {
    const local = survey.groupNames.map((name) => {
      const member: Member = { survey, places: [] };
      let byRank = byGroup.get(name);
      if (!byRank) byGroup.set(name, (byRank = new Map()));
      byRank.set(survey.rank, member);
      return member;
    });
    for (let place = 0; place < survey.node.length; place++) local[survey.group[place]].places.push(place);
  }
  return byGroup;
}

/** Stands for a rank whose trace is missing. */
function emptySurvey(rank: number): CollectiveSurvey {
  return {
    rank,
    groupNames: [],
    node: new Int32Array(0),
    idLow: new Uint32Array(0),
    idHigh: new Uint32Array(0),
    group: new Int32Array(0),
    type: new Int8Array(0),
    size: new Float64Array(0),
    root: new Int32Array(0),
    issueOrder: new Float64Array(0),
    state: new Uint8Array(0),
    algorithm: new Map(),
    splits: new Map(),
    receiveSplits: new Map(),
    largestTag: -1,
  };
}

function declaredGroup(
  name: string,
  byRank: ReadonlyMap<number, Member>,
  groups: ReadonlyMap<string, ProcessGroup>,
  rankCount: number,
  findings: FoldedFindings,
): ProcessGroup | undefined {
  const group = groups.get(name);
  if (!group && name === WORLD) {
    findings.addGroup('GROUP_WORLD', name, `collectives that name no process group run over all ${rankCount} ranks`);
    return { name, ranks: Array.from({ length: rankCount }, (_, rank) => rank), origin: 'world' };
  }
  if (!group) {
    for (const { survey, places } of byRank.values()) {
      for (const place of places) {
        findings.addOnGroup(
          'GROUP_UNDECLARED',
          name,
          survey,
          place,
          () => `process group "${name}" is not declared; a collective of rank ${survey.rank} runs in it`,
        );
      }
    }
    return undefined;
  }
  return checkedGroup(group, rankCount, findings) ? group : undefined;
}

function checkedGroup({ name, ranks, origin }: ProcessGroup, rankCount: number, findings: FoldedFindings): boolean {
  if (ranks.length === 0) {
    findings.addGroup('GROUP_EMPTY', name, `process group "${name}" (${origin}) has no members`);
    return false;
  }
  const seen = new Set<number>();
  for (const rank of ranks) {
    if (seen.has(rank)) {
      findings.addGroup('GROUP_MEMBER_TWICE', name, `process group "${name}" (${origin}) lists rank ${rank} twice`);
      return false;
    }
    seen.add(rank);
    if (!(rank >= 0 && rank < rankCount)) {
      findings.addGroup(
        'GROUP_MEMBER_OUT_OF_RANGE',
        name,
        `process group "${name}" (${origin}) lists rank ${rank}; ranks are 0 to ${rankCount - 1}`,
      );
      return false;
    }
  }
  return true;
}

/** Puts each member's collectives in the order of issue where it is recorded on all of them; they come in ascending id. */
function orderMembers(name: string, members: readonly Member[], findings: FoldedFindings): boolean {
  let stated = 0;
  let collectives = 0;
  for (const { survey, places } of members) {
    collectives += places.length;
    for (const place of places) if (!Number.isNaN(issueOrderOf(survey, place))) stated++;
  }
  if (stated < collectives) {
    if (stated > 0) {
      findings.addGroup(
        'ORDER_PARTIAL',
        name,
        `process group "${name}": ${stated} of ${collectives} collectives have an issue order; none is used`,
      );
    }
    return false;
  }
  for (const { survey, places } of members)
    places.sort((a, b) => issueOrderOf(survey, a) - issueOrderOf(survey, b) || a - b);
  return true;
}
