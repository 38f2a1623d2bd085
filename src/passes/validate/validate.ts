import { CATALOGUE, type FindingCode } from '../../base/catalogue.js';
import type { Finding } from '../../base/finding.js';
import { pairCollectives } from '../../collectives/build-plan.js';
import { surveyCollectives } from '../../collectives/survey.js';
import { groupUse, resolveGroups } from '../../trace/group-use.js';
import type { RankTrace } from '../../trace/rank-trace.js';
import { surveyWaits } from '../waits/wait-survey.js';
import { observe } from './observations.js';
import { RankSubject, type RankContext } from './rank-subject.js';
import { rulesFor } from './rules.js';
import type { ValidationContext, ValidationSurvey } from './survey.js';
import type { Target } from './target.js';

/**
 * Runs the rules of one rank and takes what those of the traceset need.
 * @param target program that is to read the traces; its demands are rules too
 */
export function surveyForValidation(trace: RankTrace, context: RankContext = {}, target?: Target): ValidationSurvey {
  const subject = new RankSubject(trace, context);
  const findings = [...subject.found];
  for (const rule of rulesFor(target)) if (rule.scope === 'rank') findings.push(...rule.check(subject));
  return {
    rank: trace.rank,
    file: trace.file,
    version: trace.metadata.version,
    stored: subject.stored,
    findings,
    groups: groupUse(trace),
    collectives: surveyCollectives(trace),
    waits: surveyWaits(trace, subject.deps),
    passes: trace.metadata.passes,
    observed: observe(trace),
  };
}

/**
 * Everything found in a traceset. What could not be read comes first, since much of the rest may follow from it; then by rank
 * (what belongs to none comes last), by the place of the code in the catalogue, and by node id.
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
  for (const rule of rulesFor(context.target)) if (rule.scope === 'traceset') findings.push(...rule.check(subject));
  return inOrder(findings);
}

/** Beside the codes that stop a command elsewhere, which the catalogue does not have: `FILE_UNREADABLE`, `GZIP_BROKEN`. */
const UNREAD: ReadonlySet<string> = new Set<FindingCode>([
  'FILE_EMPTY',
  'FRAME_TRUNCATED',
  'FRAME_MALFORMED',
  'WRONG_KIND',
  'RANK_MISSING',
  'RANK_DOUBLED',
  'GROUP_MALFORMED',
]);

const CODE_PLACE = new Map(Object.keys(CATALOGUE).map((code, place) => [code, place]));

function inOrder(findings: readonly Finding[]): Finding[] {
  const isUnread = ({ code }: Finding): number => Number(UNREAD.has(code) || !CODE_PLACE.has(code));
  const rankOf = ({ rank }: Finding): number => rank ?? Infinity;
  const codeOf = ({ code }: Finding): number => CODE_PLACE.get(code) ?? Infinity;
  return [...findings].sort(
    (left, right) =>
      isUnread(right) - isUnread(left) ||
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
