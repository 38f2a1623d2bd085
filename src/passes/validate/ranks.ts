import { byKey } from '../../base/by-key.js';
import { finding } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { rankList } from '../../base/rank-runs.js';
import { PASS_NAMES } from '../pass-names.js';
import type { TracesetRule, TracesetSubject } from './rule.js';
import type { ValidationSurvey } from './survey.js';

/** Whether the files are of one kind: ranks of one run may do different work, but they are recorded and prepared alike. */
export const rankRules: readonly TracesetRule[] = [
  { scope: 'traceset', codes: ['RANKS_DIFFER'], check: ranksOfOtherKinds },
];

/** A property that ranks have or lack. */
interface Property {
  readonly name: string;
  /** Whether a rank has it; `undefined` where the question does not arise. */
  has(survey: ValidationSurvey): boolean | undefined;
  /** Behind `rank 2` or `ranks 2, 3`. */
  readonly with: readonly [one: string, several: string];
  readonly without: readonly [one: string, several: string];
  /** What is said of the others, where that is shorter. */
  readonly others?: readonly [some: Property['with'], none: Property['with']];
  /** Whether the ranks that have it may be few: not every rank needs to take part in communication. */
  readonly fewMayHave: boolean;
}

const SOME_OR_NONE = [
  ['has some', 'have some'],
  ['has none', 'have none'],
] as const;

const PROPERTIES: readonly Property[] = [
  {
    name: 'communication',
    has: ({ observed }) => observed.communication > 0,
    with: ['has communication nodes', 'have communication nodes'],
    without: ['has no communication nodes', 'have no communication nodes'],
    others: SOME_OR_NONE,
    fewMayHave: true,
  },
  {
    name: 'durations',
    has: ({ observed }) => (observed.computes === 0 ? undefined : observed.timedComputes > 0),
    with: ['has durations on its compute nodes', 'have durations on their compute nodes'],
    without: ['has no durations on its compute nodes', 'have no durations on their compute nodes'],
    others: SOME_OR_NONE,
    fewMayHave: false,
  },
  {
    name: 'form',
    has: ({ stored }) => stored.format !== 'feeder-json',
    with: ['is in another form', 'are in another form'],
    without: ['is feeder JSON', 'are feeder JSON'],
    fewMayHave: false,
  },
];

/** Ranks without nodes have a finding of their own and are like no other. */
function ranksOfOtherKinds({ surveys }: TracesetSubject): Finding[] {
  const compared = surveys.filter(({ observed }) => observed.nodes > 0);
  return [...PROPERTIES.flatMap((property) => unlike(compared, property)), ...unlikePasses(compared)];
}

function unlike(surveys: readonly ValidationSurvey[], property: Property): Finding[] {
  const having: number[] = [];
  const lacking: number[] = [];
  for (const survey of surveys) {
    const has = property.has(survey);
    if (has !== undefined) (has ? having : lacking).push(survey.rank);
  }
  if (having.length === 0 || lacking.length === 0) return [];
  const fewer = lacking.length <= having.length;
  if (!fewer && property.fewMayHave && having.length > 1) return [];
  const [odd, usual] = fewer ? [lacking, having] : [having, lacking];
  const [some, none] = property.others ?? [property.with, property.without];
  const [said, others] = fewer ? [property.without, some] : [property.with, none];
  return [differs(odd, said, usual.length, others, property.name)];
}

/** `rank 2 has no communication nodes, the 3 other ranks have some`. */
function differs(
  odd: readonly number[],
  said: Property['with'],
  usual: number,
  others: Property['with'],
  property: string,
): Finding {
  const rest = usual === 1 ? `the other rank ${others[0]}` : `the ${usual} other ranks ${others[1]}`;
  const message = `${rankList(odd)} ${said[odd.length === 1 ? 0 : 1]}, ${rest}`;
  return finding('RANKS_DIFFER', message, {
    property,
    ranks: odd,
    ...(odd.length === 1 ? { rank: odd[0] } : { count: odd.length }),
  });
}

/** Ranks that passes ran on beside ranks that they did not run on. */
function unlikePasses(surveys: readonly ValidationSurvey[]): Finding[] {
  // Assumptions that were applied stand among the passes and are none.
  const byPasses = byKey(surveys, ({ passes }) =>
    passes.filter((pass) => (PASS_NAMES as readonly string[]).includes(pass)).join(', '),
  );
  if (byPasses.size < 2) return [];
  // The largest set is what is usual; of equal ones the unprepared.
  const [usual, ...odd] = [...byPasses].sort(
    ([onePasses, one], [otherPasses, other]) => other.length - one.length || onePasses.length - otherPasses.length,
  );
  const advice = 'run the passes over the whole traceset, or take all files from one output folder';
  return odd.map(([passes, alike]) => ({
    ...differs(
      alike.map(({ rank }) => rank),
      prepared(passes),
      usual[1].length,
      prepared(usual[0]),
      'passes',
    ),
    advice,
  }));
}

function prepared(passes: string): Property['with'] {
  const what = passes === '' ? 'not prepared' : `prepared (${passes})`;
  return [`is ${what}`, `are ${what}`];
}
