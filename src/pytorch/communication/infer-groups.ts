import { finding } from '../../base/catalogue.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { ranksText } from '../../base/rank-runs.js';
import type { Communication, RankCommunications } from '../communication.js';

/** What one rank runs in a group. */
interface Use {
  readonly rank: number;
  readonly collectives: number[]; // types, in the order of issue
  transfers: boolean;
}

/**
 * Gives members to groups in use that no rank declares.
 *
 * - Nothing is said of collectives without a name but that they run over all ranks.
 * - "0" is the default group of PyTorch: all ranks.
 * - The members of another group are the ranks that use it, ascending, where their collectives have equal types in order and
 *   their number is the one that is stated, if one is.
 *
 * @param groups known ones; those that are inferred are added
 */
export function inferGroups(
  ranks: readonly RankCommunications[],
  communications: ReadonlyMap<number, readonly Communication[]>,
  worldSize: number,
  groups: Map<string, readonly number[]>,
): Finding[] {
  const uses = usesByGroup(communications);
  const findings: Finding[] = [];
  for (const [name, users] of uses) {
    if (groups.has(name)) continue;
    const who = users.map(({ rank }) => rank);
    const facts = name === '' ? {} : { group: name };
    if (name === '') {
      const message = `collectives on ${ranksText(who)} name no process group: they run over all ranks`;
      findings.push(finding('GROUP_WORLD', message));
      continue;
    }
    const label = `group ${JSON.stringify(name)}, used by ${ranksText(who)}, is not declared`;
    if (name === '0') {
      const size = Number.isFinite(worldSize)
        ? worldSize
        : ranks.reduce((most, { rank }) => Math.max(most, rank + 1), 0);
      const members = Array.from({ length: size }, (_, rank) => rank);
      groups.set(name, members);
      const message = `${label}; taken as ${ranksText(members)}: it is the default group`;
      findings.push(finding('GROUP_INFERRED', message, facts));
      continue;
    }
    const reason = obstacle(users, statedSize(ranks, name));
    if (reason === undefined) {
      groups.set(name, who);
      const message = `${label}; taken as ${ranksText(who)}: these ranks use it, with the same collectives`;
      findings.push(finding('GROUP_INFERRED', message, facts));
    } else {
      // Linking goes on, and who checks the result will meet the group again.
      findings.push(
        finding('GROUP_UNDECLARED', `${label}, and its members stay unknown: ${reason}`, {
          ...facts,
          severity: 'warning',
        }),
      );
    }
  }
  return findings;
}

function usesByGroup(communications: ReadonlyMap<number, readonly Communication[]>): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const [rank, list] of communications) {
    const own = new Map<string, Use>();
    for (const { kind, type, group } of [...list].sort((left, right) => left.order - right.order)) {
      let use = own.get(group);
      if (use === undefined) {
        use = { rank, collectives: [], transfers: false };
        own.set(group, use);
        const users = uses.get(group);
        if (users === undefined) uses.set(group, [use]);
        else users.push(use);
      }
      if (kind === 'collective') use.collectives.push(type);
      else use.transfers = true;
    }
  }
  return uses;
}

function statedSize(ranks: readonly RankCommunications[], name: string): number | undefined {
  for (const { groupSizes } of ranks) {
    const size = groupSizes.get(name);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** Why the users of a group cannot be taken as its members; `undefined` where they can. */
function obstacle(users: readonly Use[], size: number | undefined): string | undefined {
  if (size !== undefined && size !== users.length) {
    return `it has ${size} members, and ${users.length} of the given ranks ${users.length === 1 ? 'uses' : 'use'} it`;
  }
  if (users.length === 1 && size === undefined) return 'one rank alone uses it';
  const [first, ...others] = users;
  const other = others.find(({ collectives }) => !sameTypes(collectives, first.collectives));
  if (other === undefined) return undefined;
  const [count, otherCount] = [first.collectives.length, other.collectives.length];
  const whose = `rank ${first.rank} runs ${counted(count, 'collective')} in it`;
  return `${whose}, and rank ${other.rank} runs ${count === otherCount ? 'others' : grouped(otherCount)}`;
}

function sameTypes(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((type, place) => type === other[place]);
}
