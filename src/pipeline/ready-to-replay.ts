import { PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { NO_STOPWATCH } from '../base/stopwatch.js';
import { pairCollectives } from '../collectives/build-plan.js';
import type { CollectivePlan } from '../collectives/plan.js';
import { SurveyState } from '../collectives/survey.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import { exitsLeftOut } from '../passes/for-astra-sim/exits-left-out.js';
import { planPreparation, surveyRank, type RankSurvey } from '../passes/preparation-plan.js';
import type { ChainOrder } from '../passes/serialize.js';
import { NodeGathering } from '../replay/gather-nodes.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { groupUse, resolveGroups, type ResolvedGroups } from '../trace/group-use.js';
import { demandNoErrors } from './demand-no-errors.js';
import type { OpenTraceset } from './open-traceset.js';
import { withRank } from './read-rank.js';
import { gatheringOptions, NOT_REPLAYED, type SimulationRequest } from './simulation-request.js';
import { declaredGroups } from './traceset-groups.js';
import { TracesetJob } from './traceset-job.js';

/** What one reading of all ranks gives. */
interface SurveyedRanks {
  readonly surveys: readonly RankSurvey[];
  readonly groups: ResolvedGroups['groups'];
  readonly findings: readonly Finding[];
  /** The nodes as they are in the files; absent when a rank was seen that passes have to change first. */
  readonly gathered: NodeGathering | undefined;
  /** What gathering threw: said when nothing else has to be said first. */
  readonly gatheringError: unknown;
}

export interface ReadyToReplay {
  readonly job: TracesetJob;
  readonly gathered: NodeGathering;
  /** Raw collectives that are left. */
  readonly plan?: CollectivePlan;
  /** Whether the replay itself puts a barrier before each raw collective. */
  readonly sync: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reads all ranks and applies in memory what the request asks for and the traces do not have; where that is nothing, each file is
 * read once.
 *
 * @param expandAll whether every transfer must be a node: raw collectives are expanded
 * @throws PrepError when a file cannot be read, or the traces have errors
 */
export function readyToReplay(request: SimulationRequest, opened: OpenTraceset, expandAll: boolean): ReadyToReplay {
  const read = surveyRanks(request, opened, expandAll);
  const { groups } = read;
  const stopwatch = request.stopwatch ?? NO_STOPWATCH;
  const rankCount = opened.files.length;
  let { surveys, findings, gathered } = read;
  demandNoErrors(findings, request, NOT_REPLAYED);
  const steps = stepsOf(request, surveys, expandAll);
  const { wantsSync, ...passes } = steps;
  findings = [...findings, ...exitsLeftOut(surveys, wantedPasses(request, wantsSync))];
  demandNoErrors(findings, request, NOT_REPLAYED);
  let job = new TracesetJob(opened.files);
  try {
    if (passes.expand || passes.serialize || passes.sync) {
      const { algorithms, order } = request;
      const options = { ...passes, algorithms, annotate: false, order, groups, rankCount };
      const found = findings;
      const span = stopwatch.begin('prepare', 'plan');
      const preparation = planned(found, () => planPreparation(read.surveys, options));
      stopwatch.end(span);
      findings = [...findings, ...preparation.findings.filter(({ code }) => code !== 'EXITS_LEFT_OUT')];
      demandNoErrors(findings, request, NOT_REPLAYED);
      job = new TracesetJob(opened.files, preparation);
      gathered = undefined;
    }
    if (read.gatheringError !== undefined && job.isAsRead) throw read.gatheringError;
    if (gathered === undefined) ({ surveys, gathered } = gatherRanks(request, job));
    if (!surveys.some(isRaw)) return { job, gathered, sync: false, findings };
    const plan = pairCollectives(surveys, groups, request.algorithms, rankCount);
    if (job.isAsRead) findings = [...findings, ...plan.findings];
    demandNoErrors(findings, request, NOT_REPLAYED);
    return { job, gathered, plan, sync: wantsSync && !passes.sync, findings };
  } catch (error) {
    job.close();
    throw error;
  }
}

function gatherRanks(request: SimulationRequest, job: TracesetJob): { surveys: RankSurvey[]; gathered: NodeGathering } {
  const surveys: RankSurvey[] = [];
  const gathered = new NodeGathering(job, gatheringOptions(request));
  const stopwatch = request.stopwatch ?? NO_STOPWATCH;
  for (let rank = 0; rank < job.rankCount; rank++) {
    const span = stopwatch.begin('prepare', `rank ${rank}`);
    job.withTrace(rank, (trace) => {
      surveys.push(surveyRank(trace));
      gathered.add(trace);
    });
    stopwatch.end(span);
  }
  return { surveys, gathered };
}

function surveyRanks(request: SimulationRequest, opened: OpenTraceset, expandAll: boolean): SurveyedRanks {
  const findings: Finding[] = [...opened.findings];
  const surveys: RankSurvey[] = [];
  const uses: ReturnType<typeof groupUse>[] = [];
  const declarations: ReturnType<typeof groupsDeclaredIn>['declarations'] = [];
  let gathered: NodeGathering | undefined = new NodeGathering(new TracesetJob(opened.files), gatheringOptions(request));
  let gatheringError: unknown;
  const stopwatch = request.stopwatch ?? NO_STOPWATCH;
  for (const file of opened.files) {
    const span = stopwatch.begin('load', `rank ${file.rank}`, file.path);
    withRank(file, ({ trace, findings: found }) => {
      const declared = groupsDeclaredIn(trace);
      findings.push(...found, ...declared.findings);
      declarations.push(...declared.declarations);
      uses.push(groupUse(trace));
      const survey = surveyRank(trace);
      surveys.push(survey);
      const { expand, serialize, sync } = stepsOf(request, [survey], expandAll);
      if (expand || serialize || sync) gathered = undefined;
      try {
        gathered?.add(trace);
      } catch (error) {
        gathered = undefined;
        gatheringError = error;
      }
    });
    stopwatch.end(span, file.size);
    request.onProgress?.(surveys.length, opened.files.length);
  }
  const declared = declaredGroups(opened.groupFile, declarations, surveys.length);
  const ranks = opened.files.map(({ rank }) => rank);
  const resolved = resolveGroups(declared.groups, uses, { ranks, strict: false });
  findings.push(...declared.findings, ...resolved.findings);
  return {
    surveys,
    groups: resolved.groups,
    findings: foldAssumptions(findings, opened.assumptions),
    gathered,
    gatheringError,
  };
}

/** What has to be done to the traces before they can be replayed as asked. */
interface Steps {
  readonly expand: boolean;
  readonly serialize: boolean;
  /** Barriers that have to be in the traces; those before raw collectives are left to the replay. */
  readonly sync: boolean;
  readonly wantsSync: boolean;
}

/** Scaling counts per transfer, so collectives are expanded for it. */
function stepsOf(request: SimulationRequest, surveys: readonly RankSurvey[], expandAll: boolean): Steps {
  const ran = (pass: string): boolean => surveys.some(({ passes }) => passes.includes(pass));
  const scaled = request.scale !== undefined && request.scale !== 1;
  const expand = (expandAll || scaled) && surveys.some(isRaw);
  const expanded = surveys.some(({ state }) => state.some((bits) => (bits & SurveyState.expanded) !== 0));
  const wantsSync = request.sync ?? !ran('sync');
  const serialize = (request.serialize ?? !ran('serialize')) && mayChain(surveys, request.order);
  return { expand, serialize, sync: wantsSync && (expanded || expand), wantsSync };
}

/** Without being asked nothing is chained where no order is recorded, and exits that are gone record none. */
function wantedPasses({ serialize }: SimulationRequest, wantsSync: boolean): ('serialize' | 'sync')[] {
  return [...(serialize === true ? (['serialize'] as const) : []), ...(wantsSync ? (['sync'] as const) : [])];
}

function isRaw({ state }: RankSurvey): boolean {
  return state.some((bits) => (bits & SurveyState.expanded) === 0);
}

/** What planning throws, with what was found before. */
function planned<T>(found: readonly Finding[], plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (error instanceof PrepError) demandNoErrors([...found, ...error.findings], {}, NOT_REPLAYED);
    throw error;
  }
}

function mayChain(surveys: readonly RankSurvey[], order: ChainOrder): boolean {
  const isIssued = ({ issueOrder, issuesSends }: RankSurvey): boolean =>
    issuesSends || issueOrder.some((place) => !Number.isNaN(place));
  return order === 'ids' || surveys.some(isIssued);
}
