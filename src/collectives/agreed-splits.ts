import type { FoldedFindings } from './folded-findings.js';
import { memberLabel, type GroupMembers } from './group-members.js';

/** The members' split lists by position; a member without one sends C to every position. */
export function agreedSplits(
  { group, members }: GroupMembers,
  instance: number,
  size: number,
  findings: FoldedFindings,
): (readonly number[])[] | undefined {
  const lists = members.map(({ survey, places }) => survey.splits.get(places[instance]));
  const expected = members.map(({ survey, places }) => survey.receiveSplits.get(places[instance]));
  if (lists.every((list) => list === undefined) && expected.every((list) => list === undefined)) return undefined;
  const name = `${group.name}: AllToAll ${instance}`;
  const sent = members.map(({ survey, places }, position) => {
    const place = places[instance];
    const list = lists[position];
    if (list === undefined) {
      findings.addOnRank(
        'SPLITS_MISSING',
        group.name,
        survey,
        place,
        () => `${name} has no split list on rank ${survey.rank}; it sends the same to every position`,
      );
      return new Array<number>(members.length).fill(Math.ceil(size / members.length));
    }
    if (list.length !== members.length || list.some((bytes) => !(bytes >= 0 && Number.isSafeInteger(bytes)))) {
      findings.addOnRank(
        'SPLITS_DISAGREE',
        group.name,
        survey,
        place,
        () =>
          `${name}: the split list of rank ${survey.rank} has ${entries(list)}; expected ${members.length} byte counts of 0 or more`,
        ' length',
      );
    }
    return list;
  });
  members.forEach((member, position) => {
    const { survey, places } = member;
    const stated = expected[position];
    if (stated !== undefined && stated.length !== members.length) {
      findings.addOnRank(
        'SPLITS_DISAGREE',
        group.name,
        survey,
        places[instance],
        () =>
          `${name}: the list of what rank ${survey.rank} receives has ${entries(stated)}; expected ${members.length}, one a member`,
        ' length',
      );
    }
    const wrong = sent.findIndex((list, from) => {
      return stated !== undefined && from !== position && (stated[from] ?? 0) !== (list[position] ?? 0);
    });
    if (wrong < 0) return;
    findings.addOnRank(
      'SPLITS_DISAGREE',
      group.name,
      survey,
      places[instance],
      () =>
        `${name}: ${memberLabel(members[wrong], instance)} sends ${sent[wrong][position] ?? 0} B to ${memberLabel(member, instance)}, which expects ${stated?.[wrong] ?? 0} B`,
    );
  });
  return sent;
}

function entries({ length }: readonly number[]): string {
  return `${length} ${length === 1 ? 'entry' : 'entries'}`;
}
