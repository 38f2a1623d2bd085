import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { rankList } from '../base/rank-runs.js';
import type { ProcessGroup } from './process-group.js';

/** One place that says who is in a group. */
export interface GroupDeclaration {
  readonly name: string;
  /** As written, in order; may hold anything an integer can be. */
  readonly ranks: readonly number[];
  /** `process_group:init`, `metadata`, or the name of a group file. */
  readonly origin: string;
  /** Rank whose trace declares it; absent for a group file. */
  readonly rank?: number;
  readonly file?: string;
  /** Id of the node that declares it. */
  readonly node?: number | string;
}

export interface DeclaredGroups {
  /** By name, in order of declaration; without the members that a finding complains of. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  readonly findings: Finding[];
}

/**
 * Joins the declarations of a traceset: a group file first, then the ranks in order. The first declaration of a name
 * counts; another one with other members, or the same in another order, is a conflict, because a member's position
 * decides what it sends to whom.
 *
 * @param worldSize ranks of the traceset; `Infinity` where not all of them need be at hand
 */
export function joinDeclarations(declarations: Iterable<GroupDeclaration>, worldSize: number): DeclaredGroups {
  const groups = new Map<string, ProcessGroup>();
  const first = new Map<string, GroupDeclaration>();
  const conflicts = new Map<string, Finding>();
  const findings: Finding[] = [];
  for (const declaration of declarations) {
    const { name } = declaration;
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, declaration);
      groups.set(name, { name, ranks: checkedMembers(declaration, worldSize, findings), origin: declaration.origin });
    } else if (!equalLists(earlier.ranks, declaration.ranks)) {
      const known = conflicts.get(name);
      if (known === undefined) conflicts.set(name, conflict(earlier, declaration));
      else known.count = (known.count ?? 1) + 1;
    }
  }
  return { groups, findings: [...findings, ...conflicts.values()] };
}

function checkedMembers(declaration: GroupDeclaration, worldSize: number, findings: Finding[]): number[] {
  const { name, ranks } = declaration;
  const facts = placeOf(declaration);
  const label = `group ${JSON.stringify(name)} (${placeText(declaration)})`;
  if (ranks.length === 0) findings.push(finding('GROUP_EMPTY', `${label} has no members`, facts));
  const members = new Set<number>();
  const twice = new Set<number>();
  const outside = new Set<number>();
  for (const rank of ranks) {
    if (!Number.isInteger(rank) || rank < 0 || rank >= worldSize) outside.add(rank);
    else if (members.has(rank)) twice.add(rank);
    else members.add(rank);
  }
  if (twice.size > 0) {
    const message = `${label} lists ${rankList([...twice])} more than once: ${rankList(ranks)}`;
    findings.push(finding('GROUP_MEMBER_TWICE', message, facts));
  }
  if (outside.size > 0) {
    const message = `${label} lists ${rankList([...outside])}, ${expectedRanks(worldSize)}`;
    const advice = 'add the traces of these ranks, or correct the group';
    findings.push(finding('GROUP_MEMBER_OUT_OF_RANGE', message, { ...facts, advice }));
  }
  return [...members];
}

function expectedRanks(worldSize: number): string {
  if (worldSize === Infinity) return 'ranks are 0, 1, …';
  return worldSize === 1 ? 'the traceset has rank 0 only' : `the traceset has ranks 0 to ${worldSize - 1}`;
}

function conflict(earlier: GroupDeclaration, later: GroupDeclaration): Finding {
  const sameMembers = equalLists([...earlier.ranks].sort(ascending), [...later.ranks].sort(ascending));
  const message =
    `group ${JSON.stringify(earlier.name)} is ${rankList(earlier.ranks)} in ${placeText(earlier)} ` +
    `and ${rankList(later.ranks)} in ${placeText(later)}` +
    (sameMembers ? '; the order of members counts' : '');
  return finding('GROUP_CONFLICT', message, placeOf(later));
}

function placeOf(declaration: GroupDeclaration): Partial<Finding> {
  return {
    group: declaration.name,
    ...(declaration.rank === undefined ? {} : { rank: declaration.rank }),
    ...(declaration.file === undefined ? {} : { file: declaration.file }),
  };
}

function placeText({ origin, rank }: GroupDeclaration): string {
  return rank === undefined ? origin : `${origin} of rank ${rank}`;
}

function equalLists(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

function ascending(left: number, right: number): number {
  return left - right;
}
