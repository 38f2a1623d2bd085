import type { Member } from '../../collectives/group-members.js';
import { collectiveId, isExpanded } from '../../collectives/survey.js';
import { CollectiveType, isRooted } from '../../trace/collective-type.js';
import { listedGroups, type DeclaredInTraceset, type ListedGroup } from './listed-groups.js';
import { collectiveTypeText, largestSize } from './stated.js';
import type { CollectiveViewSurvey } from './view-survey.js';

/** Whether the members of a collective state the same: the gravest of what they differ in. */
export type Agreement = 'agree' | 'missing' | 'types differ' | 'roots differ' | 'sizes differ' | 'size missing';

/** One collective of a group; lists are in the order of `members`. */
export interface CollectiveView {
  readonly group: string;
  /** Place among the collectives of the group, from 0. */
  readonly index: number;
  /** As the first member that has it states it. */
  readonly type: string;
  /** The largest size that a member states; `null` where none does. */
  readonly bytes: number | null;
  /** Ranks; those that use the group where nothing says who is in it. */
  readonly members: readonly number[];
  /** Node ids, `null` for a member without one. */
  readonly nodes: readonly (number | string | null)[];
  /** Rank of the job; `null` for a type without a root and where none is named. */
  readonly root: number | null;
  readonly agreement: Agreement;
  /** Members with a trace that have no collective of this index; absent where all have. */
  readonly missing?: readonly number[];
  /** What each member states; there where they differ. */
  readonly types?: readonly (string | null)[];
  readonly sizes?: readonly (number | null)[];
  readonly roots?: readonly (number | null)[];
  /** Whether it was expanded already, on all members or some; absent where it was not. */
  readonly expanded?: 'all' | 'some';
  /** Algorithm that expanded it. */
  readonly algorithm?: string;
  /** Least and most of the durations that its nodes state, µs; absent where none does. */
  readonly durationMicros?: { readonly min: number; readonly max: number };
}

/** The collectives of one type in one group. */
export interface CollectiveSum {
  readonly group: string;
  readonly type: string;
  readonly collectives: number;
  readonly bytes: number;
  readonly smallest: number | null;
  readonly largest: number | null;
  /** How many of them the members do not agree on. */
  readonly disagreeing: number;
}

export interface CollectivesView {
  readonly count: number;
  /** Nodes of ranks that are no members of their group; they are in no collective of the list. */
  readonly nodesOutside: number;
  readonly summary: readonly CollectiveSum[];
  readonly list: readonly CollectiveView[];
}

/** @param surveys by ascending rank */
export function collectivesView(
  surveys: readonly CollectiveViewSurvey[],
  declared: DeclaredInTraceset,
): CollectivesView {
  const groups = listedGroups(surveys, declared);
  const byRank = new Map(surveys.map((survey) => [survey.rank, survey]));
  const list = groups.flatMap((group) => collectivesOf(group, byRank));
  return {
    count: list.length,
    nodesOutside: groups.reduce((sum, { collectivesOutside }) => sum + collectivesOutside, 0),
    summary: summaryOf(list),
    list,
  };
}

function collectivesOf(
  { name, members }: ListedGroup,
  byRank: ReadonlyMap<number, CollectiveViewSurvey>,
): CollectiveView[] {
  const longest = members.reduce((most, { places }) => Math.max(most, places.length), 0);
  const ranks = members.map(({ survey }) => survey.rank);
  return Array.from({ length: longest }, (_, index) => {
    const running = members.filter(({ places }) => index < places.length);
    const each = <T>(value: (member: Member) => T): (T | null)[] =>
      members.map((member) => (index < member.places.length ? value(member) : null));
    const missing = members
      .filter(({ survey, places }) => index >= places.length && byRank.has(survey.rank))
      .map(({ survey }) => survey.rank);
    return {
      group: name,
      index,
      members: ranks,
      nodes: each(({ survey, places }) => collectiveId(survey, places[index])),
      ...(missing.length === 0 ? {} : { missing }),
      ...stated(running, index, each, missing.length > 0),
      ...expansion(running, index),
      ...durations(running, index, byRank),
    };
  });
}

type Stated = Pick<CollectiveView, 'type' | 'bytes' | 'root' | 'agreement' | 'types' | 'sizes' | 'roots'>;

/** What the members that have the collective say of it, and whether they say the same. */
function stated(
  running: readonly Member[],
  index: number,
  each: <T>(value: (member: Member) => T) => (T | null)[],
  missing: boolean,
): Stated {
  const typeOf = ({ survey, places }: Member): number => survey.type[places[index]];
  const sizeOf = ({ survey, places }: Member): number => survey.size[places[index]];
  const rootOf = ({ survey, places }: Member): number => survey.root[places[index]];
  const type = typeOf(running[0]);
  const typesDiffer = running.some((member) => typeOf(member) !== type);
  const size = largestSize(running, index);
  const differs = type === CollectiveType.barrier ? [] : running.filter((member) => !Object.is(sizeOf(member), size));
  const sizesDiffer = size !== undefined && differs.length > 0;
  const namers = isRooted(type) ? running.filter((member) => rootOf(member) >= 0) : [];
  const root = namers.length === 0 ? null : rootOf(namers[0]);
  const rootsDiffer = namers.some((member) => rootOf(member) !== root);
  let agreement: Agreement = 'agree';
  if (missing) agreement = 'missing';
  else if (typesDiffer) agreement = 'types differ';
  else if (rootsDiffer) agreement = 'roots differ';
  else if (sizesDiffer)
    agreement = differs.every((member) => Number.isNaN(sizeOf(member))) ? 'size missing' : 'sizes differ';
  return {
    type: collectiveTypeText(type),
    bytes: size ?? null,
    root,
    agreement,
    ...(typesDiffer ? { types: each((member) => collectiveTypeText(typeOf(member))) } : {}),
    ...(sizesDiffer ? { sizes: each((member) => (Number.isNaN(sizeOf(member)) ? null : sizeOf(member))) } : {}),
    ...(rootsDiffer ? { roots: each((member) => (rootOf(member) < 0 ? null : rootOf(member))) } : {}),
  };
}

function expansion(running: readonly Member[], index: number): Pick<CollectiveView, 'expanded' | 'algorithm'> {
  const expanded = running.filter(({ survey, places }) => isExpanded(survey, places[index]));
  if (expanded.length === 0) return {};
  const [{ survey, places }] = expanded;
  const algorithm = survey.algorithm.get(places[index]);
  return {
    expanded: expanded.length === running.length ? 'all' : 'some',
    ...(algorithm === undefined ? {} : { algorithm }),
  };
}

function durations(
  running: readonly Member[],
  index: number,
  byRank: ReadonlyMap<number, CollectiveViewSurvey>,
): Pick<CollectiveView, 'durationMicros'> {
  let min = Infinity;
  let max = 0;
  for (const { survey, places } of running) {
    const micros = byRank.get(survey.rank)!.durationMicros[places[index]];
    if (micros === 0) continue;
    min = Math.min(min, micros);
    max = Math.max(max, micros);
  }
  return max === 0 ? {} : { durationMicros: { min, max } };
}

function summaryOf(list: readonly CollectiveView[]): CollectiveSum[] {
  const sums = new Map<string, { -readonly [key in keyof CollectiveSum]: CollectiveSum[key] }>();
  for (const { group, type, bytes, agreement } of list) {
    const key = JSON.stringify([group, type]);
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = { group, type, collectives: 0, bytes: 0, smallest: null, largest: null, disagreeing: 0 };
      sums.set(key, sum);
    }
    sum.collectives++;
    if (agreement !== 'agree') sum.disagreeing++;
    if (bytes === null) continue;
    sum.bytes += bytes;
    sum.smallest = Math.min(sum.smallest ?? bytes, bytes);
    sum.largest = Math.max(sum.largest ?? bytes, bytes);
  }
  return [...sums.values()];
}
