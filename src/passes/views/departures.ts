import type { Member } from '../../collectives/group-members.js';
import { CollectiveType, isRooted } from '../../trace/collective-type.js';
import { statedCollective, type StatedCollective } from './stated.js';

/** Where a rank is no longer like the others of its group. */
export interface Departure {
  readonly rank: number;
  /** Place among the collectives of the group, from 0. */
  readonly index: number;
  /** `missing`: it has no further collective; `extra`: the others have none. */
  readonly what: 'missing' | 'extra' | 'type' | 'size' | 'root';
  /** What it has; `null` where it has none. */
  readonly has: StatedCollective | null;
  readonly others: {
    /** How many ranks they are. */
    readonly count: number;
    /** One of them, the first member. */
    readonly rank: number;
    /** What that one has. */
    readonly has: StatedCollective | null;
  };
}

/** In place of a type: the member has no collective of this index. */
const NONE = -100;

/**
 * Who departs first. At each index the others are those that agree and are most, of equally many the earliest member's
 * side. A rank that departs by a type, a missing or an extra collective is out of step from there on and no longer
 * compared; one that departs by size or root is told of once for each.
 *
 * @param members of one group, in the order in which their collectives pair; those without a trace left out
 * @returns by index, then position
 */
export function departures(members: readonly Member[]): Departure[] {
  const found: Departure[] = [];
  let inStep = [...members];
  const told = { size: new Set<Member>(), root: new Set<Member>() };
  const longest = members.reduce((most, { places }) => Math.max(most, places.length), 0);
  for (let index = 0; index < longest && inStep.length > 1; index++) {
    const type = valueOfMost(inStep, (member) => typeAt(member, index));
    const agreeing = inStep.filter((member) => typeAt(member, index) === type);
    if (agreeing.length < inStep.length) {
      for (const member of inStep) {
        const own = typeAt(member, index);
        if (own === type) continue;
        const what = own === NONE ? 'missing' : type === NONE ? 'extra' : 'type';
        found.push(departure(member, index, what, agreeing));
      }
      inStep = agreeing;
    }
    if (type === NONE) continue;
    if (type !== CollectiveType.barrier) compare(agreeing, index, 'size', told.size, found);
    if (isRooted(type)) compare(agreeing, index, 'root', told.root, found);
  }
  return found;
}

/** Tells of members whose size or root is not that of most; a root that is not named differs from none. */
function compare(
  members: readonly Member[],
  index: number,
  what: 'size' | 'root',
  told: Set<Member>,
  found: Departure[],
): void {
  const valueOf = ({ survey, places }: Member): number => survey[what][places[index]];
  const stating = what === 'root' ? members.filter((member) => valueOf(member) >= 0) : members;
  if (stating.length < 2) return;
  const value = valueOfMost(stating, valueOf);
  for (const member of stating) {
    if (Object.is(valueOf(member), value) || told.has(member)) continue;
    told.add(member);
    found.push(
      departure(
        member,
        index,
        what,
        stating.filter((other) => Object.is(valueOf(other), value)),
      ),
    );
  }
}

function departure(member: Member, index: number, what: Departure['what'], others: readonly Member[]): Departure {
  const [other] = others;
  return {
    rank: member.survey.rank,
    index,
    what,
    has: statedAt(member, index),
    others: { count: others.length, rank: other.survey.rank, has: statedAt(other, index) },
  };
}

function typeAt({ survey, places }: Member, index: number): number {
  return index < places.length ? survey.type[places[index]] : NONE;
}

function statedAt({ survey, places }: Member, index: number): StatedCollective | null {
  return index < places.length ? statedCollective(survey, places[index]) : null;
}

/** The value that most members have; of equally many the one that comes first. */
function valueOfMost(members: readonly Member[], valueOf: (member: Member) => number): number {
  const first = valueOf(members[0]);
  if (members.every((member) => Object.is(valueOf(member), first))) return first;
  const counts = new Map<number, number>();
  for (const member of members) counts.set(valueOf(member), (counts.get(valueOf(member)) ?? 0) + 1);
  let most = first;
  for (const [value, count] of counts) if (count > counts.get(most)!) most = value;
  return most;
}
