import type { CommunicationTally, FactSource, RankCommunications, SourceCounts } from '../communication.js';
import type { Facts } from './facts.js';

type Counts = { -readonly [Source in keyof SourceCounts]: number };
type Tally = { -readonly [Field in keyof CommunicationTally]: CommunicationTally[Field] } & {
  readonly typeFrom: Counts;
  readonly bytesFrom: Counts;
  readonly groupFrom: Counts;
};

/** Counts communications by kind, type and group. */
export function tallied(facts: readonly Facts[]): CommunicationTally[] {
  const tallies = new Map<string, Tally>();
  for (const { kind, type, group, bytes, typeFrom, bytesFrom, groupFrom } of facts) {
    const tally = tallyOf(tallies, { kind, type, group });
    tally.count++;
    if (!Number.isNaN(bytes)) tally.bytes += bytes;
    tally.typeFrom[typeFrom]++;
    tally.bytesFrom[bytesFrom]++;
    tally.groupFrom[groupFrom]++;
  }
  return sorted(tallies);
}

/** The tallies of all ranks added up. */
export function talliesOf(ranks: Iterable<RankCommunications>): CommunicationTally[] {
  const tallies = new Map<string, Tally>();
  for (const rank of ranks) {
    for (const one of rank.tallies) {
      const tally = tallyOf(tallies, one);
      tally.count += one.count;
      tally.bytes += one.bytes;
      for (const fact of ['typeFrom', 'bytesFrom', 'groupFrom'] as const) {
        for (const source of Object.keys(one[fact]) as FactSource[]) tally[fact][source] += one[fact][source];
      }
    }
  }
  return sorted(tallies);
}

function tallyOf(
  tallies: Map<string, Tally>,
  { kind, type, group }: Pick<CommunicationTally, 'kind' | 'type' | 'group'>,
): Tally {
  const key = `${kind} ${type} ${group}`;
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = { kind, type, group, count: 0, bytes: 0, typeFrom: none(), bytesFrom: none(), groupFrom: none() };
    tallies.set(key, tally);
  }
  return tally;
}

function none(): Counts {
  return { kernel: 0, record: 0, launcher: 0, 'kernel-name': 0, none: 0 };
}

const KINDS: readonly CommunicationTally['kind'][] = ['collective', 'send', 'receive'];

/** Collectives by type, then sends, then receives; each by group, numbers as numbers. */
function sorted(tallies: ReadonlyMap<string, Tally>): CommunicationTally[] {
  return [...tallies.values()].sort(
    (left, right) =>
      KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind) ||
      left.type - right.type ||
      left.group.length - right.group.length ||
      (left.group < right.group ? -1 : 1),
  );
}
