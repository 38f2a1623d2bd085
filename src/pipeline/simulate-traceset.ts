import { existsSync, readFileSync } from 'node:fs';
import { PrepError, requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { OutputFiles } from '../base/output-files.js';
import type { AlgorithmChoices } from '../collectives/catalogue.js';
import { pairCollectives } from '../collectives/build-plan.js';
import type { CollectivePlan } from '../collectives/plan.js';
import { SurveyState } from '../collectives/survey.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import { readMappingFile } from '../config/mapping-file.js';
import type { RunOptions } from '../config/run-options.js';
import { analyticalUnaware } from '../network/analytical-unaware.js';
import type { NetworkFactory } from '../network/network.js';
import { isShortNetworkForm, parseNetwork } from '../network/parse-network.js';
import { planPreparation, surveyRank, type RankSurvey } from '../passes/preparation-plan.js';
import type { ChainOrder } from '../passes/serialize.js';
import { RECORDS } from '../records/records.js';
import type { ReplayOutcome } from '../replay/outcome.js';
import { NodeGathering } from '../replay/gather-nodes.js';
import { placeRanks, type Placement } from '../replay/placement.js';
import type { GatheringOptions, TraceFamily } from '../replay/replay-options.js';
import { replayGathered } from '../replay/replay.js';
import { resultDocument, type ResultDocument } from '../replay/result-document.js';
import { groupUse, resolveGroups, type ResolvedGroups } from '../trace/group-use.js';
import { demandNoErrors } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, type OpenTraceset, type Reading } from './open-traceset.js';
import { withRank } from './read-rank.js';
import { TracesetJob } from './traceset-job.js';
import { declaredGroups } from './traceset-groups.js';

/** How a replay that is stopped before it begins ends. */
const NOT_REPLAYED = 'not replayed';

export interface SimulationRequest extends Reading, RunOptions {
  /** A short form, or the path of a network file. */
  readonly network: string;
  readonly family: TraceFamily;
  readonly algorithms: AlgorithmChoices;
  readonly order: ChainOrder;
  /** Apply the pass; where it is left out, unless the traces say that it ran. */
  readonly serialize?: boolean;
  readonly sync?: boolean;
  /** Factor from 0 to 1. */
  readonly scale?: number;
  readonly useMaxStart: boolean;
  /** Stop at warnings too. */
  readonly abortOnWarning: boolean;
  /** Folder for the records. */
  readonly recordsFolder?: string;
}

export interface Simulation {
  readonly outcome: ReplayOutcome;
  /** Where every rank runs. */
  readonly placement: Placement;
  readonly document: ResultDocument;
  readonly findings: readonly Finding[];
  /** Who waits for whom, where the run stalled. */
  readonly stallLines: readonly string[];
}

/**
 * Replays a traceset, raw or prepared. Raw collectives are replayed without expanding them where the network allows it and
 * nothing is asked about single transfers.
 * @throws PrepError when the input cannot be read, the request is wrong, or the traces have errors
 */
export async function simulateTraceset(request: SimulationRequest): Promise<Simulation> {
  const network = readNetwork(request.network);
  const mapped = request.mapping !== undefined && request.useMapping ? readMappingFile(request.mapping) : undefined;
  const before = [...(request.findings ?? []), ...(mapped?.findings ?? [])];
  const opened = await openTraceset({ ...request, findings: before });
  demandAllRanks(opened);
  const placement = placeRanks({
    rankCount: opened.files.length,
    allowExtraServers: request.allowExtraServers,
    ...(mapped === undefined ? {} : { mapping: mapped.mapping, mappingName: request.mapping! }),
  });
  const records = request.recordsFolder === undefined ? undefined : new OutputFiles(request.recordsFolder);
  const wantsTransfers = records !== undefined;
  const { job, gathered, plan, sync, findings } = readyToReplay(request, opened, wantsTransfers);
  try {
    records?.prepare(); // before the replay, which may take long
    const outcome = replayGathered(job, gathered, {
      ...gatheringOptions(request),
      network,
      sync,
      useMaxAsStart: request.useMaxStart,
      recordTransfers: wantsTransfers,
      beforeRun: (found) => demandNoErrors([...findings, ...found], request, NOT_REPLAYED),
      ...(plan === undefined ? {} : { plan }),
      startPs: request.startPs,
      stopPs: request.stopPs,
      beaconIntervalPs: request.beaconIntervalPs,
    });
    const all = [...findings, ...outcome.findings];
    if (records) writeRecords(records, opened.prefix, outcome);
    return {
      outcome,
      placement,
      document: resultDocument(outcome, all),
      findings: all,
      stallLines: outcome.stall?.lines ?? [],
    };
  } catch (error) {
    records?.discard();
    throw error;
  } finally {
    job.close();
  }
}

function gatheringOptions(request: SimulationRequest): GatheringOptions {
  const { deps, family, scale, dropMissingDependencies } = request;
  return { deps, family, dropMissingDependencies, ...(scale === undefined ? {} : { scale }) };
}

/** @throws PrepError `NETWORK_UNREADABLE`, or what the parser throws */
function readNetwork(text: string): NetworkFactory {
  if (isShortNetworkForm(text) && !existsSync(text)) return analyticalUnaware(parseNetwork(text));
  let content: string;
  try {
    content = readFileSync(text, 'utf8');
  } catch (cause) {
    throw requestError(
      'NETWORK_UNREADABLE',
      `network ${text}: cannot be read (${(cause as Error).message})`,
      'expected a file or alpha-beta:latency=1us,bandwidth=50GB/s',
    );
  }
  return analyticalUnaware(parseNetwork(content, text));
}

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

interface ReadyToReplay {
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
 */
function readyToReplay(request: SimulationRequest, opened: OpenTraceset, wantsTransfers: boolean): ReadyToReplay {
  const read = surveyRanks(request, opened, wantsTransfers);
  const { groups } = read;
  const rankCount = opened.files.length;
  let { surveys, findings, gathered } = read;
  demandNoErrors(findings, request, NOT_REPLAYED);
  const steps = stepsOf(request, surveys, wantsTransfers);
  const { wantsSync, ...passes } = steps;
  let job = new TracesetJob(opened.files);
  if (passes.expand || passes.serialize || passes.sync) {
    const { algorithms, order } = request;
    const options = { ...passes, algorithms, annotate: false, order, groups, rankCount };
    const found = findings;
    const preparation = planned(found, () => planPreparation(read.surveys, options));
    findings = [...findings, ...preparation.findings];
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
}

function gatherRanks(request: SimulationRequest, job: TracesetJob): { surveys: RankSurvey[]; gathered: NodeGathering } {
  const surveys: RankSurvey[] = [];
  const gathered = new NodeGathering(job, gatheringOptions(request));
  for (let rank = 0; rank < job.rankCount; rank++) {
    job.withTrace(rank, (trace) => {
      surveys.push(surveyRank(trace));
      gathered.add(trace);
    });
  }
  return { surveys, gathered };
}

function surveyRanks(request: SimulationRequest, opened: OpenTraceset, wantsTransfers: boolean): SurveyedRanks {
  const findings: Finding[] = [...opened.findings];
  const surveys: RankSurvey[] = [];
  const uses: ReturnType<typeof groupUse>[] = [];
  const declarations: ReturnType<typeof groupsDeclaredIn>['declarations'] = [];
  let gathered: NodeGathering | undefined = new NodeGathering(new TracesetJob(opened.files), gatheringOptions(request));
  let gatheringError: unknown;
  for (const file of opened.files) {
    withRank(file, ({ trace, findings: found }) => {
      const declared = groupsDeclaredIn(trace);
      findings.push(...found, ...declared.findings);
      declarations.push(...declared.declarations);
      uses.push(groupUse(trace));
      const survey = surveyRank(trace);
      surveys.push(survey);
      const { expand, serialize, sync } = stepsOf(request, [survey], wantsTransfers);
      if (expand || serialize || sync) gathered = undefined;
      try {
        gathered?.add(trace);
      } catch (error) {
        gathered = undefined;
        gatheringError = error;
      }
    });
    request.onProgress?.(surveys.length, opened.files.length);
  }
  const declared = declaredGroups(opened.groupFile, declarations, surveys.length);
  const ranks = opened.files.map(({ rank }) => rank);
  const resolved = resolveGroups(declared.groups, uses, { ranks, strict: false });
  findings.push(...declared.findings, ...resolved.findings);
  return { surveys, groups: resolved.groups, findings, gathered, gatheringError };
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
function stepsOf(request: SimulationRequest, surveys: readonly RankSurvey[], wantsTransfers: boolean): Steps {
  const ran = (pass: string): boolean => surveys.some(({ passes }) => passes.includes(pass));
  const scaled = request.scale !== undefined && request.scale !== 1;
  const expand = (wantsTransfers || scaled) && surveys.some(isRaw);
  const expanded = surveys.some(({ state }) => state.some((bits) => (bits & SurveyState.expanded) !== 0));
  const wantsSync = request.sync ?? !ran('sync');
  const serialize = (request.serialize ?? !ran('serialize')) && mayChain(surveys, request.order);
  return { expand, serialize, sync: wantsSync && (expanded || expand), wantsSync };
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
  return order === 'ids' || surveys.some(({ issueOrder }) => issueOrder.some((place) => !Number.isNaN(place)));
}

function writeRecords(files: OutputFiles, run: string, outcome: ReplayOutcome): void {
  for (const { name, write } of RECORDS) {
    files.write(`${run}-${name}-0.csv`, (bytes) => write(outcome, (text) => bytes(Buffer.from(text)), { prefix: run }));
  }
  files.commit();
}
