import { finding } from '../base/catalogue.js';
import type { Finding } from '../base/finding.js';
import { rankList } from '../base/rank-runs.js';
import { COMM_TYPE_ABSENT } from './collective-type.js';
import { NodeType } from './node-type.js';
import { WORLD, type ProcessGroup } from './process-group.js';
import type { RankTrace } from './rank-trace.js';

/** The collectives of one rank under one group name. */
export interface NameUse {
  /** How many. */
  readonly count: number;
  /** Digest of their types in order; equal sequences have equal digests. */
  readonly typeDigest: number;
}

/** The group names that the collectives of one rank use. Small, and crosses worker threads. */
export interface GroupUse {
  readonly rank: number;
  /** Group name → use; '' for collectives that name none. */
  readonly names: ReadonlyMap<string, NameUse>;
  /** Whether a collective node spells {@link WORLD} itself; in `names` it also stands for barriers and shares without a name. */
  readonly spellsWorld: boolean;
}

/**
 * The group names a rank's collectives use: collective nodes that state a type, in ascending order of ids, after the
 * collectives that are expanded already, by instance.
 */
export function groupUse(trace: RankTrace): GroupUse {
  const { type, commType, group, groupNames, idLow, idHigh } = trace;
  const names = new Map<string, { count: number; typeDigest: number }>();
  const add = (name: string, collectiveType: number): void => {
    const use = names.get(name) ?? { count: 0, typeDigest: 0x811c9dc5 };
    use.count++;
    use.typeDigest = Math.imul(use.typeDigest ^ (collectiveType & 0xff), 0x01000193) >>> 0;
    names.set(name, use);
  };
  for (const identity of [...trace.collectives].sort((left, right) => left.instance - right.instance)) {
    add(identity.group, identity.type);
  }
  const nodes: number[] = [];
  let spellsWorld = false;
  for (let node = 0; node < trace.length; node++) {
    if (type[node] === NodeType.collective && group[node] >= 0) spellsWorld ||= groupNames[group[node]] === WORLD;
    if (type[node] === NodeType.collective && commType[node] !== COMM_TYPE_ABSENT && trace.collective[node] < 0) {
      nodes.push(node);
    }
  }
  nodes.sort((left, right) => idHigh[left] - idHigh[right] || idLow[left] - idLow[right] || left - right);
  for (const node of nodes) add(group[node] < 0 ? '' : groupNames[group[node]], commType[node]);
  return { rank: trace.rank, names, spellsWorld };
}

export interface ResolvedGroups {
  /** Every declared group, and those that the rules of {@link resolveGroups} give to names in use. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  /** Names in use that nobody declares → why they have the members they have, or none. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly findings: Finding[];
}

/** Who uses a name. */
interface Users {
  /** Ascending. */
  readonly ranks: number[];
  /** Whether all of them have the same sequence of types. */
  sameTypes: boolean;
  readonly first: NameUse;
}

/**
 * Gives every group name in use its members. In this order:
 *
 * - a declared name is that group;
 * - collectives without a name run over the world, group {@link WORLD} (note);
 * - the name "0" undeclared is the world too, the default group of PyTorch and ASTRA-sim (warning);
 * - a name such as "0.0" undeclared whose integer reading is declared has that group's members, if all its users are
 *   among them (warning);
 * - where nothing at all is declared, the members are the ranks that use the name, ascending, if there are two or
 *   more with equal sequences of types (warning);
 * - anything else is an error, and the name stays without a group.
 *
 * @param declared groups by name, as `joinDeclarations` gives them
 * @param uses one entry a rank, ascending
 * @param options.ranks the ranks of the traceset, ascending
 * @param options.strict the two guesses among the rules above are errors, and are resolved all the same
 * @param options.guess `false`: nothing is guessed, a name that nobody declares stays without a group; default `true`
 */
export function resolveGroups(
  declared: ReadonlyMap<string, ProcessGroup>,
  uses: readonly GroupUse[],
  options: { ranks: readonly number[]; strict: boolean; guess?: boolean },
): ResolvedGroups {
  const groups = new Map(declared);
  const reasons = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, users] of usersByName(uses)) {
    if (name === '' || (name === WORLD && !declared.has(WORLD))) {
      useWorld(name, users, groups, options.ranks, findings);
    } else if (!declared.has(name)) {
      const guess = options.guess === false ? noGuess(declared) : guessGroup(name, users, declared, options.ranks);
      if (guess.ranks !== undefined) groups.set(name, { name, ranks: guess.ranks, origin: 'use' });
      reasons.set(name, guess.reason);
      findings.push(undeclared(name, users, guess, options.strict));
    }
  }
  return { groups, reasons, findings };
}

function usersByName(uses: readonly GroupUse[]): Map<string, Users> {
  const byName = new Map<string, Users>();
  for (const { rank, names } of uses) {
    for (const [name, use] of names) {
      const users = byName.get(name);
      if (users === undefined) {
        byName.set(name, { ranks: [rank], sameTypes: true, first: use });
      } else {
        users.ranks.push(rank);
        if (use.count !== users.first.count || use.typeDigest !== users.first.typeDigest) users.sameTypes = false;
      }
    }
  }
  return byName;
}

function useWorld(
  name: string,
  users: Users,
  groups: Map<string, ProcessGroup>,
  ranks: readonly number[],
  findings: Finding[],
): void {
  const known = groups.get(WORLD);
  if (known === undefined) {
    groups.set(WORLD, { name: WORLD, ranks: [...ranks], origin: 'world' });
  } else if (known.ranks.length !== ranks.length || known.ranks.some((rank, index) => rank !== ranks[index])) {
    const message =
      `collectives without a group run over all ${ranks.length} ranks in order, ` +
      `and group "${WORLD}" is declared as ${rankList(known.ranks)} in ${known.origin}`;
    findings.push(finding('GROUP_CONFLICT', message, { group: WORLD }));
  }
  if (name !== '') return;
  const message = `collectives on ${rankList(users.ranks)} name no process group: they run over all ranks`;
  findings.push(finding('GROUP_WORLD', message, { group: WORLD }));
}

interface Guess {
  /** `undefined` where there is nothing to go by. */
  ranks: readonly number[] | undefined;
  /** Why, for messages. */
  reason: string;
  /** Whether a strict reader lets it pass. */
  safe: boolean;
}

function guessGroup(
  name: string,
  users: Users,
  declared: ReadonlyMap<string, ProcessGroup>,
  ranks: readonly number[],
): Guess {
  if (name === '0') return { ranks: [...ranks], reason: 'group "0" is the world', safe: true };
  const integer = /^([0-9]+)\.0+$/.exec(name)?.[1];
  const namesake = integer === undefined ? undefined : declared.get(integer);
  if (namesake !== undefined && users.ranks.every((rank) => namesake.ranks.includes(rank))) {
    return { ranks: namesake.ranks, reason: `it is read as the declared group "${integer}"`, safe: false };
  }
  if (declared.size > 0) return noGuess(declared);
  if (users.ranks.length < 2) return { ranks: undefined, reason: 'no other rank uses it', safe: false };
  if (!users.sameTypes) {
    return { ranks: undefined, reason: 'the ranks that use it run different collectives', safe: false };
  }
  return { ranks: users.ranks, reason: 'no group is declared and these ranks use it', safe: false };
}

function noGuess(declared: ReadonlyMap<string, ProcessGroup>): Guess {
  const known = [...declared.keys()].slice(0, 12).map((key) => JSON.stringify(key));
  const more = declared.size > known.length ? `, … ${declared.size} in all` : '';
  const reason = known.length === 0 ? 'no group is declared' : `declared are ${known.join(', ')}${more}`;
  return { ranks: undefined, reason, safe: false };
}

function undeclared(name: string, users: Users, guess: Guess, strict: boolean): Finding {
  const label = `group ${JSON.stringify(name)}, used by ${rankList(users.ranks)}, is not declared`;
  const facts = { group: name, ...declarationAdvice(name, guess.ranks ?? users.ranks) };
  if (guess.ranks === undefined) return finding('GROUP_UNDECLARED', `${label}: ${guess.reason}`, facts);
  const assumption = `${rankList(guess.ranks)}: ${guess.reason}`;
  if (!strict || guess.safe) return finding('GROUP_INFERRED', `${label}; taken as ${assumption}`, facts);
  return finding('GROUP_UNDECLARED', `${label}; prepare and simulate would take it as ${assumption}`, facts);
}

/** The declaration to write, where it is short and more than one rank is known to be in it. */
function declarationAdvice(name: string, ranks: readonly number[]): { advice?: string } {
  if (ranks.length < 2 || ranks.length > 16) return {};
  return {
    advice: `declare it with --groups comm_group.json, such as {${JSON.stringify(name)}: [${ranks.join(', ')}]}`,
  };
}
