import { CATALOGUE } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { pairCollectives } from '../../collectives/build-plan.js';
import type { AlgorithmChoices } from '../../collectives/catalogue.js';
import { surveyCollectives, type CollectiveSurvey } from '../../collectives/survey.js';
import type { DeclaredGroups } from '../../trace/group-declarations.js';
import { groupUse, resolveGroups, type GroupUse } from '../../trace/group-use.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { rankSkeleton, type DependencyMode, type RankSkeleton } from '../rank-skeleton.js';
import { surveyTransfers, type TransferSurvey } from '../transfer-survey.js';
import { RankSubject } from './rank-subject.js';
import { RULES } from './rules.js';

/** One rank after its own checks: what was found, and what the checks across ranks need of it. */
export interface ValidationSurvey {
  readonly rank: number;
  readonly file: string;
  readonly version: string;
  readonly findings: readonly Finding[];
  readonly groups: GroupUse;
  readonly collectives: CollectiveSurvey;
  readonly transfers: TransferSurvey;
  readonly skeleton: RankSkeleton;
}

/** What is known of the traceset beside its traces. */
export interface ValidationContext {
  /** Ranks of the job: 0 … worldSize − 1. */
  readonly worldSize: number;
  /** Declarations of group files and traces, joined. */
  readonly declared: DeclaredGroups;
  /** Whether a group that can only be guessed is an error, default `true`. */
  readonly strict?: boolean;
  /** Algorithms by collective option, for what they demand of a group. */
  readonly algorithms?: AlgorithmChoices;
  /** Whether a barrier will stand before every collective, default `false`. */
  readonly synchronized?: boolean;
  /** What was found when the files were looked for and read, and belongs to no survey. */
  readonly findings?: readonly Finding[];
}

/**
 * Runs the rules of one rank and takes what those of the traceset need.
 *
 * @param deps which dependencies hold a node back; with `data`, problems of control dependencies are notes
 * @param found what reading the trace found
 */
export function surveyForValidation(
  trace: RankTrace,
  deps: DependencyMode = 'both',
  found: readonly Finding[] = [],
): ValidationSurvey {
  const subject = new RankSubject(trace, deps);
  const findings = [...found];
  for (const rule of RULES) if (rule.scope === 'rank') findings.push(...rule.check(subject));
  return {
    rank: trace.rank,
    file: trace.file,
    version: trace.metadata.version,
    findings,
    groups: groupUse(trace),
    collectives: surveyCollectives(trace),
    transfers: surveyTransfers(trace),
    skeleton: rankSkeleton(trace, deps),
  };
}

/**
 * Everything found in a traceset, ordered by rank (what belongs to none comes last), then by the place of the code in
 * the catalogue, then by node id.
 */
export function validateTraceset(surveys: readonly ValidationSurvey[], context: ValidationContext): Finding[] {
  const byRank = [...surveys].sort((left, right) => left.rank - right.rank);
  const ranks = Array.from({ length: context.worldSize }, (_, rank) => rank);
  const resolved = resolveGroups(
    context.declared.groups,
    byRank.map(({ groups }) => groups),
    { ranks, strict: context.strict ?? true },
  );
  const plan = pairCollectives(
    byRank.map(({ collectives }) => collectives),
    resolved.groups,
    context.algorithms ?? {},
    context.worldSize,
  );
  const groupFindings = [...context.declared.findings, ...resolved.findings];
  const subject = { surveys: byRank, context, groups: resolved.groups, groupFindings, plan };
  const findings = [...(context.findings ?? []), ...byRank.flatMap((survey) => survey.findings)];
  for (const rule of RULES) if (rule.scope === 'traceset') findings.push(...rule.check(subject));
  return inOrder(findings);
}

const CODE_PLACE = new Map(Object.keys(CATALOGUE).map((code, place) => [code, place]));

function inOrder(findings: readonly Finding[]): Finding[] {
  const rankOf = ({ rank }: Finding): number => rank ?? Infinity;
  const codeOf = ({ code }: Finding): number => CODE_PLACE.get(code) ?? Infinity;
  return [...findings].sort(
    (left, right) =>
      difference(rankOf(left), rankOf(right)) ||
      difference(codeOf(left), codeOf(right)) ||
      compareIds(left.nodes?.[0], right.nodes?.[0]),
  );
}

/** Also where both are infinite. */
function difference(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

/** Findings without nodes last; ids above 2^53 are text and come after numbers. */
function compareIds(left: number | string | undefined, right: number | string | undefined): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [first, second] = [BigInt(left), BigInt(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}
