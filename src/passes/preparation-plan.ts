import { finding } from '../base/catalogue.js';
import { traceError } from '../base/errors.js';
import { countFindings, type Finding } from '../base/finding.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import { pairCollectives, type CollectivePairing } from '../collectives/build-plan.js';
import type { AlgorithmChoice } from '../collectives/algorithm-choice.js';
import { planForWorker, planFromWorker, type PlanMessage, type ScriptReader } from '../collectives/plan-message.js';
import { surveyCollectives, type CollectiveSurvey } from '../collectives/survey.js';
import type { ProcessGroup } from '../trace/process-group.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { emptyBalance, type Balance } from './balance.js';
import { exitsLeftOut } from './for-astra-sim/exits-left-out.js';
import { checkScale } from './scale.js';
import { issuesSends, type ChainOrder } from './serialize.js';
import { ranBefore, tagFindings } from './tag-space.js';

/** Which passes to apply, and how. */
export interface PreparationOptions {
  /** Algorithm names by collective option; what is left out takes its default. */
  readonly algorithms: AlgorithmChoices;
  /** Chooses algorithms of single collectives before those names do. */
  readonly choice?: AlgorithmChoice;
  readonly expand: boolean;
  readonly serialize: boolean;
  readonly sync: boolean;
  /** Factor from 0 to 1; absent for none. */
  readonly scale?: number;
  readonly annotate: boolean;
  readonly order: ChainOrder;
  /** Process groups by name. */
  readonly groups: ReadonlyMap<string, ProcessGroup>;
  /** Ranks of the traceset. */
  readonly rankCount: number;
}

/** What planning needs of one rank. Plain data. */
export interface RankSurvey extends CollectiveSurvey {
  /** Passes that ran on it before. */
  readonly passes: readonly string[];
  /** Whether sends of its own name their place in the order of issue, and are chained even without collectives. */
  readonly issuesSends: boolean;
}

/** What to do to every rank. */
export interface PreparationPlan {
  readonly collectives: CollectivePairing;
  readonly expand: boolean;
  readonly serialize: boolean;
  readonly sync: boolean;
  readonly scale?: number;
  readonly annotate: boolean;
  readonly order: ChainOrder;
  readonly findings: readonly Finding[];
}

/** A preparation plan as plain data, for another thread. */
export type PreparationMessage = Omit<PreparationPlan, 'collectives'> & {
  readonly collectives: PlanMessage<CollectivePairing>;
};

/** Surveys one rank. */
export function surveyRank(trace: RankTrace): RankSurvey {
  return { ...surveyCollectives(trace), passes: trace.metadata.passes, issuesSends: issuesSends(trace) };
}

/**
 * Plans the preparation of a traceset. The order of the surveys does not matter.
 * @throws PrepError `PREPARATION_REFUSED` with all findings when one of them is an error; `SCALE_OUT_OF_RANGE`;
 *   `COLLECTIVE_UNKNOWN`, `ALGORITHM_UNKNOWN`
 */
export function planPreparation(surveys: readonly RankSurvey[], options: PreparationOptions): PreparationPlan {
  const { expand, serialize, sync, scale, annotate, order, groups, rankCount } = options;
  if (scale !== undefined) checkScale(scale);
  const arranges = expand || serialize || sync;
  const collectives = pairCollectives(
    arranges ? surveys : [],
    groups,
    expand ? options.algorithms : {},
    rankCount,
    expand ? options.choice : undefined,
  );
  const findings = [
    ...collectives.findings,
    ...passesThatRan(surveys, options),
    ...exitsLeftOut(
      surveys,
      (['serialize', 'sync'] as const).filter((pass) => options[pass]),
    ),
    ...tagFindings(collectives, surveys, options),
    ...(serialize && order === 'recorded' ? unrecordedGroups(collectives) : []),
  ];
  const { errors } = countFindings(findings);
  if (errors > 0) {
    const first = findings.find((found) => found.severity === 'error')!;
    const more = errors === 1 ? '' : ` (and ${errors - 1} more)`;
    throw traceError('PREPARATION_REFUSED', `${first.message}${more}`, findings, first.advice);
  }
  const plan = { collectives, expand, serialize, sync, annotate, order, findings };
  return scale === undefined ? plan : { ...plan, scale };
}

export function preparationForWorker(plan: PreparationPlan): PreparationMessage {
  return { ...plan, collectives: planForWorker(plan.collectives) };
}

/** @param readScript for algorithms that are none of the catalogue */
export function preparationFromWorker(message: PreparationMessage, readScript: ScriptReader): PreparationPlan {
  return { ...message, collectives: planFromWorker(message.collectives, readScript) };
}

/** The balance's part that belongs to no rank: findings of the plan, and groups left unchained. */
export function planBalance({ serialize, order, collectives, findings }: PreparationPlan): Balance {
  const unchainedGroups = serialize && order === 'recorded' ? unchained(collectives) : [];
  return { ...emptyBalance(), unchainedGroups, findings: [...findings] };
}

function unchained({ recorded }: CollectivePairing): string[] {
  return [...recorded].filter(([, isRecorded]) => !isRecorded).map(([group]) => group);
}

/** One note over all groups without any order; those with a partial one have a warning of their own. */
function unrecordedGroups(collectives: CollectivePairing): Finding[] {
  const partial = new Set(
    collectives.findings.filter(({ code }) => code === 'ORDER_PARTIAL').map(({ group }) => group),
  );
  const groups = unchained(collectives).filter((group) => !partial.has(group));
  if (groups.length === 0) return [];
  const names = groups.slice(0, 8).join(', ') + (groups.length > 8 ? ` and ${groups.length - 8} more` : '');
  return [
    finding(
      'ORDER_ABSENT',
      `serialize: no issue order is recorded in group${groups.length === 1 ? '' : 's'} ${names}; nothing is chained there`,
      {
        count: groups.length,
      },
    ),
  ];
}

/** Passes that are applied once; scaling is applied each time it is asked for. */
const ONCE = ['expand', 'serialize', 'sync', 'annotate'] as const;

function passesThatRan(surveys: readonly RankSurvey[], options: PreparationOptions): Finding[] {
  const findings: Finding[] = [];
  for (const pass of ONCE) {
    const count = ranBefore(surveys, pass);
    if (options[pass] && count > 0) {
      findings.push(finding('PASS_RAN', `${pass}: ran before on ${count} of ${surveys.length} ranks`));
    }
  }
  return findings;
}
