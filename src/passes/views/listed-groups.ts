import { byKey } from '../../base/by-key.js';
import { FoldedFindings } from '../../collectives/folded-findings.js';
import { groupMembers, type Member } from '../../collectives/group-members.js';
import type { DeclaredGroups, GroupDeclaration } from '../../trace/group-declarations.js';
import { resolveGroups } from '../../trace/group-use.js';
import { WORLD, type ProcessGroup } from '../../trace/process-group.js';
import type { CollectiveViewSurvey } from './view-survey.js';

/** Where groups are declared, in order: those of a group file first, then those of the traces by ascending rank. */
export interface DeclaredInTraceset {
  readonly declarations: readonly GroupDeclaration[];
  readonly joined: DeclaredGroups;
}

/** A group that is declared or used, and its members' collectives. */
export interface ListedGroup {
  readonly name: string;
  /** A group file's name, `process_group:init`, `metadata`, `world`, `use`, or `none` where nothing says who is in it. */
  readonly origin: string;
  /** Why a group that nobody declares has the members it has, or none. */
  readonly reason?: string;
  readonly declarations: readonly GroupDeclaration[];
  /** In order; none where nothing says who is in it. */
  readonly ranks: readonly number[];
  /** Ranks that run collectives in it, ascending. */
  readonly users: readonly number[];
  /** The collectives of each member in the order in which they pair; of the users where there are no members. */
  readonly members: readonly Member[];
  /** Collectives of ranks that are no members. */
  readonly collectivesOutside: number;
}

/**
 * Every group that is declared or used: the declared ones in the order of their declaration, then the others by name,
 * numbers first. Undeclared names get the members that preparation and simulation give them.
 *
 * @param surveys by ascending rank
 */
export function listedGroups(
  surveys: readonly CollectiveViewSurvey[],
  { declarations, joined }: DeclaredInTraceset,
): ListedGroup[] {
  const traced = surveys.map(({ rank }) => rank);
  const resolved = resolveGroups(
    joined.groups,
    surveys.map(({ use }) => use),
    { ranks: traced, strict: false },
  );
  const users = usersByName(surveys);
  const known = new Map(resolved.groups);
  // Collectives without a type count for no use, and without a name they run over the world all the same.
  if (users.has(WORLD) && !known.has(WORLD)) known.set(WORLD, { name: WORLD, ranks: traced, origin: 'world' });
  const pairing = pairedMembers(surveys, known, users);
  const declaredBy = byKey(declarations, ({ name }) => name);
  const undeclared = [...new Set([...known.keys(), ...users.keys()])].filter((name) => !joined.groups.has(name));
  return [...joined.groups.keys(), ...undeclared.sort(compareNames)].map((name) => {
    const group = known.get(name);
    const ranks = group?.ranks ?? [];
    const reason = resolved.reasons.get(name);
    const members = new Set(ranks);
    return {
      name,
      origin: group?.origin ?? 'none',
      ...(reason === undefined ? {} : { reason }),
      declarations: declaredBy.get(name) ?? [],
      ranks,
      users: users.get(name) ?? [],
      members: pairing.get(name) ?? [],
      collectivesOutside: group === undefined ? 0 : countOutside(surveys, name, members),
    };
  });
}

/** Numbers by value before other names. */
function compareNames(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => (/^[0-9.]+$/.test(name) ? Number(name) : Infinity));
  if (a !== b) return a - b;
  return left < right ? -1 : left > right ? 1 : 0;
}

function usersByName(surveys: readonly CollectiveViewSurvey[]): Map<string, number[]> {
  const users = new Map<string, number[]>();
  for (const { rank, collectives } of surveys) {
    for (const name of collectives.groupNames) {
      const ranks = users.get(name);
      if (ranks === undefined) users.set(name, [rank]);
      else ranks.push(rank);
    }
  }
  return users;
}

/** The members of every group in use; its users stand for those of a group without members. */
function pairedMembers(
  surveys: readonly CollectiveViewSurvey[],
  known: ReadonlyMap<string, ProcessGroup>,
  users: ReadonlyMap<string, readonly number[]>,
): Map<string, readonly Member[]> {
  const groups = new Map<string, ProcessGroup>();
  for (const [name, ranks] of users) {
    const group = known.get(name);
    groups.set(name, group !== undefined && group.ranks.length > 0 ? group : { name, ranks, origin: 'none' });
  }
  const uses = groupMembers(
    surveys.map(({ collectives }) => collectives),
    groups,
    Infinity, // members without a trace are members
    new FoldedFindings(),
  );
  return new Map(uses.map(({ group, members }) => [group.name, members]));
}

function countOutside(surveys: readonly CollectiveViewSurvey[], name: string, members: ReadonlySet<number>): number {
  let count = 0;
  for (const { rank, collectives } of surveys) {
    const group = members.has(rank) ? -1 : collectives.groupNames.indexOf(name);
    if (group >= 0) for (const of of collectives.group) if (of === group) count++;
  }
  return count;
}
