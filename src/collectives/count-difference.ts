import { byKey } from '../base/by-key.js';
import { grouped } from '../base/counts.js';
import { rankList } from '../base/rank-runs.js';
import { CollectiveType, collectiveName } from '../trace/collective-type.js';
import type { FoldedFindings } from './folded-findings.js';
import { nodeOf, type GroupMembers, type Member } from './group-members.js';

/** Where one member's collectives depart from those of the others. */
export interface CountDifference {
  readonly rank: number;
  /** `missing` and `extra` explain the whole difference; `other` is merely the first place that differs. */
  readonly kind: 'missing' | 'extra' | 'other';
  /** Place among the collectives of the group, from 0. */
  readonly at: number;
  /** How many are missing or extra. */
  readonly count: number;
  /** The first of them: on the rank itself where it is extra, on `comparedRank` where it is missing. */
  readonly node: number | string;
  readonly comparedRank: number;
  /** One line: `rank 2 lacks AllReduce 3 of 4,096 B (the others' 4th, node 17 on rank 0)`. */
  readonly text: string;
}

/** Ranks whose difference from the others a finding spells out. */
const MOST_DIFFERENCES = 3;

/** Members all have the same number of collectives (R-083); otherwise an error that says who departs from the others where. */
export function countsAgree({ group, members }: GroupMembers, findings: FoldedFindings): boolean {
  const byCount = byKey(members, ({ places }) => places.length);
  if (byCount.size === 1) return true;
  const counts = [...byCount].map(
    ([count, same], at) =>
      `${count}${at === 0 ? ` collective${count === 1 ? '' : 's'}` : ''} on ${rankList(same.map(({ survey }) => survey.rank))}`,
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
function departuresOf(members: readonly Member[], byCount: readonly [number, Member[]][]): CountDifference[] {
  const [usualCount, usual] = byCount.reduce((most, next) => {
    const [[mostCount, mostMembers], [count, same]] = [most, next];
    const larger = same.length - mostMembers.length || count - mostCount;
    return larger > 0 ? next : most;
  });
  return members
    .filter(({ places }) => places.length !== usualCount)
    .slice(0, MOST_DIFFERENCES)
    .flatMap((odd) => countDifference(odd, usual[0], usual.length === 1) ?? []);
}

/**
 * Compares a member with one that has another number of collectives, as sequences of type and size: what both have at
 * the beginning and at the end is set aside, and if nothing is left of one of them, the rest of the other is what is
 * missing or too much. Where sizes stand in the way, types alone are compared. Linear in the shorter sequence.
 *
 * @param alone whether no further member agrees with `usual`
 * @returns `undefined` where there is nothing to tell beside the numbers
 */
export function countDifference(odd: Member, usual: Member, alone: boolean): CountDifference | undefined {
  if (odd.places.length === 0 || usual.places.length === 0) return undefined;
  return run(odd, usual, alone, sameTypeAndSize) ?? run(odd, usual, alone, sameType) ?? firstDifference(odd, usual);
}

type Same = (one: Member, at: number, other: Member, otherAt: number) => boolean;

function sameType(one: Member, at: number, other: Member, otherAt: number): boolean {
  return one.survey.type[one.places[at]] === other.survey.type[other.places[otherAt]];
}

function sameTypeAndSize(one: Member, at: number, other: Member, otherAt: number): boolean {
  const size = one.survey.size[one.places[at]];
  return sameType(one, at, other, otherAt) && Object.is(size, other.survey.size[other.places[otherAt]]);
}

/** One run of collectives that the longer of the two has and the shorter has not. */
function run(odd: Member, usual: Member, alone: boolean, same: Same): CountDifference | undefined {
  const lacks = odd.places.length < usual.places.length;
  const [shorter, longer] = lacks ? [odd, usual] : [usual, odd];
  const length = shorter.places.length;
  const count = longer.places.length - length;
  const before = commonStart(shorter, longer, same);
  let behind = 0;
  while (behind < length && same(shorter, length - 1 - behind, longer, length + count - 1 - behind)) behind++;
  if (before + behind < length) return undefined;
  // Of equal neighbours any may be the one: the run lies at `first` or anywhere up to `before`.
  const first = length - behind;
  const { rank } = odd.survey;
  const node = nodeOf(longer, first);
  const whose = alone ? `rank ${usual.survey.rank}'s` : "the others'";
  const onWhich = alone ? '' : ` on rank ${usual.survey.rank}`;
  const what = described(longer, first);
  let text: string;
  if (count > 1) {
    const from = `${ordinal(first)}${first < before ? ' or later' : ''}`;
    text = lacks
      ? `rank ${rank} lacks ${count} in a row, from ${what} on (${whose} ${from}, node ${node}${onWhich})`
      : `rank ${rank} has ${count} more in a row, from ${what} on (its ${from}, node ${node})`;
  } else if (first < before) {
    const span = `${ordinal(first)} to ${ordinal(before)}`;
    text = lacks
      ? `rank ${rank} lacks one of ${before - first + 1} that are alike, from ${what} on (${whose} ${span}, the first is node ${node}${onWhich})`
      : `rank ${rank} has one more of ${before - first + 1} that are alike, from ${what} on (its ${span}, the first is node ${node})`;
  } else {
    text = lacks
      ? `rank ${rank} lacks ${what} (${whose} ${ordinal(first)}, node ${node}${onWhich})`
      : `rank ${rank} has one more: ${what} (its ${ordinal(first)}, node ${node})`;
  }
  return { rank, kind: lacks ? 'missing' : 'extra', at: first, count, node, comparedRank: usual.survey.rank, text };
}

function firstDifference(odd: Member, usual: Member): CountDifference | undefined {
  const at = commonStart(odd, usual, sameType);
  if (at >= odd.places.length || at >= usual.places.length) return undefined;
  const { rank } = odd.survey;
  const other = usual.survey.rank;
  const node = nodeOf(odd, at);
  const text =
    `rank ${rank} first differs at its ${ordinal(at)}: ${described(odd, at)} (node ${node}) ` +
    `where rank ${other} has ${described(usual, at)} (node ${nodeOf(usual, at)})`;
  return { rank, kind: 'other', at, count: 0, node, comparedRank: other, text };
}

function commonStart(one: Member, other: Member, same: Same): number {
  const most = Math.min(one.places.length, other.places.length);
  let at = 0;
  while (at < most && same(one, at, other, at)) at++;
  return at;
}

/** `AllReduce 3 of 4,096 B`. */
function described({ survey, places }: Member, at: number): string {
  const type = survey.type[places[at]];
  const size = survey.size[places[at]];
  const name = type < 0 ? `collective ${at} of unknown type` : `${collectiveName(type)} ${at}`;
  return Number.isNaN(size) || type === CollectiveType.barrier ? name : `${name} of ${grouped(size)} B`;
}

/** `1st` for 0. */
function ordinal(place: number): string {
  const number = place + 1;
  const tens = number % 100;
  const ending = tens >= 11 && tens <= 13 ? undefined : ['th', 'st', 'nd', 'rd'][number % 10];
  return `${grouped(number)}${ending ?? 'th'}`;
}
