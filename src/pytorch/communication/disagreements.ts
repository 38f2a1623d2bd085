import { finding } from '../../base/catalogue.js';
import { byKey } from '../../base/by-key.js';
import { counted, grouped } from '../../base/counts.js';
import type { Finding } from '../../base/finding.js';
import { ranksText } from '../../base/rank-runs.js';
import { CollectiveType, collectiveName } from '../../trace/collective-type.js';
import type { Communication } from '../communication.js';

interface Sequence {
  readonly rank: number;
  /** Collectives of one group, in the order of issue. */
  readonly collectives: readonly Communication[];
}

/**
 * Groups whose members, as far as they are given, have other numbers, types or sizes of collectives: one finding a group, which names
 * the first that differs. Members of an all-to-all may well send different sizes.
 */
export function disagreements(
  communications: ReadonlyMap<number, readonly Communication[]>,
  groups: ReadonlyMap<string, readonly number[]>,
): Finding[] {
  const sequences = new Map<number, Map<string, Communication[]>>();
  for (const [rank, list] of communications) {
    const collectives = list.filter(({ kind }) => kind === 'collective');
    collectives.sort((left, right) => left.order - right.order);
    sequences.set(rank, new Map(byKey(collectives, ({ group }) => group)));
  }
  const given = [...communications.keys()];
  const findings: Finding[] = [];
  const known: [string, readonly number[]][] = [...groups];
  // Without a name, all ranks take part.
  known.push(['', given]);
  for (const [name, members] of known) {
    const present = members.filter((rank) => sequences.has(rank));
    const same = present.map((rank): Sequence => ({ rank, collectives: sequences.get(rank)!.get(name) ?? [] }));
    const difference = differenceOf(same);
    if (difference === undefined) continue;
    const where = name === '' ? 'without a group' : `group ${JSON.stringify(name)}`;
    findings.push(
      finding('COMMUNICATION_RANKS_DISAGREE', `${where}: ${difference}`, name === '' ? {} : { group: name }),
    );
  }
  return findings;
}

function differenceOf(sequences: readonly Sequence[]): string | undefined {
  const counts = byKey(sequences, ({ collectives }) => collectives.length);
  if (counts.size > 1) {
    const parts = [...counts].map(([count, same], place) => {
      const what = place === 0 ? counted(count, 'collective') : grouped(count);
      return `${what} on ${ranksText(same.map(({ rank }) => rank))}`;
    });
    return parts.join('; ');
  }
  const [first, ...others] = sequences;
  if (first === undefined) return undefined;
  for (const [place, one] of first.collectives.entries()) {
    for (const { rank, collectives } of others) {
      const other = collectives[place];
      if (one.type !== other.type) {
        return `collective ${place} is ${nameOf(one)} on rank ${first.rank} and ${nameOf(other)} on rank ${rank}`;
      }
      const comparable = one.type !== CollectiveType.allToAll && !Number.isNaN(one.bytes) && !Number.isNaN(other.bytes);
      if (comparable && one.bytes !== other.bytes) {
        return `collective ${place}, ${nameOf(one)}, has ${grouped(one.bytes)} B on rank ${first.rank} and ${grouped(other.bytes)} B on rank ${rank}`;
      }
    }
  }
  return undefined;
}

function nameOf({ type }: Communication): string {
  return type < 0 ? 'a collective of unknown type' : collectiveName(type);
}
