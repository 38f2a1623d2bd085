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
import { prepareRank } from '../passes/prepare.js';
import type { ChainOrder } from '../passes/serialize.js';
import { RECORDS } from '../records/records.js';
import type { ReplayOutcome } from '../replay/outcome.js';
import { placeRanks, type Placement } from '../replay/placement.js';
import type { TraceFamily } from '../replay/replay-options.js';
import { replay } from '../replay/replay.js';
import { resultDocument, type ResultDocument } from '../replay/result-document.js';
import { groupUse, resolveGroups, type ResolvedGroups } from '../trace/group-use.js';
import { NodeType } from '../trace/node-type.js';
import type { RankTrace } from '../trace/rank-trace.js';
import { demandNoErrors } from './demand-no-errors.js';
import { demandAllRanks, openTraceset, type OpenTraceset, type Reading } from './open-traceset.js';
import { withRank } from './read-rank.js';
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
 * Replays a traceset, raw or prepared. Raw collectives are replayed without expanding them where the network allows it.
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
  const read = readAll(opened, request.onProgress);
  const { traces, plan, sync, findings } = ready(request, read);
  const records = request.recordsFolder === undefined ? undefined : new OutputFiles(request.recordsFolder);
  try {
    records?.prepare(); // before the replay, which may take long
    const outcome = replay(traces, {
      network,
      deps: request.deps,
      family: request.family,
      sync,
      useMaxAsStart: request.useMaxStart,
      recordTransfers: records !== undefined,
      ...(plan === undefined ? {} : { plan }),
      stopPs: request.stopPs,
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
  }
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

interface ReadRanks {
  readonly traces: readonly RankTrace[];
  readonly groups: ResolvedGroups['groups'];
  readonly findings: readonly Finding[];
}

function readAll(opened: OpenTraceset, onProgress: Reading['onProgress']): ReadRanks {
  const findings: Finding[] = [...opened.findings];
  const traces: RankTrace[] = [];
  const declarations: ReturnType<typeof groupsDeclaredIn>['declarations'] = [];
  for (const file of opened.files) {
    withRank(file, ({ trace, findings: found }) => {
      const declared = groupsDeclaredIn(trace);
      findings.push(...found, ...declared.findings);
      declarations.push(...declared.declarations);
      traces.push(trace);
    });
    onProgress?.(traces.length, opened.files.length);
  }
  const declared = declaredGroups(opened.groupFile, declarations, traces.length);
  const ranks = opened.files.map(({ rank }) => rank);
  const resolved = resolveGroups(declared.groups, traces.map(groupUse), { ranks, strict: false });
  findings.push(...declared.findings, ...resolved.findings);
  return { traces, groups: resolved.groups, findings };
}

interface ReadyToReplay {
  readonly traces: readonly RankTrace[];
  /** Raw collectives that are left. */
  readonly plan?: CollectivePlan;
  /** Whether the replay itself puts a barrier before each raw collective. */
  readonly sync: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Applies in memory what the request asks for and the traces do not have. Raw collectives stay raw, except under scaling,
 * which counts per transfer.
 */
function ready(request: SimulationRequest, read: ReadRanks): ReadyToReplay {
  const { groups } = read;
  const surveys = read.traces.map(surveyRank);
  const ran = (pass: string): boolean => surveys.some(({ passes }) => passes.includes(pass));
  const wantsSync = request.sync ?? !ran('sync');
  const scaled = request.scale !== undefined && request.scale !== 1;
  const expanded = surveys.some(({ state }) => state.some((bits) => (bits & SurveyState.expanded) !== 0));
  const steps = {
    expand: scaled,
    serialize: (request.serialize ?? !ran('serialize')) && mayChain(surveys, request.order),
    sync: wantsSync && (expanded || scaled),
  };
  let traces = read.traces;
  let findings = read.findings;
  demandNoErrors(findings, request, NOT_REPLAYED);
  if (steps.expand || steps.serialize || steps.sync) {
    const preparation = planned(findings, () =>
      planPreparation(surveys, {
        ...steps,
        algorithms: request.algorithms,
        annotate: false,
        order: request.order,
        groups,
        rankCount: traces.length,
        ...(request.scale === undefined ? {} : { scale: request.scale }),
      }),
    );
    traces = traces.map((trace) => prepareRank(trace, preparation).trace);
    findings = [...findings, ...preparation.findings];
    demandNoErrors(findings, request, NOT_REPLAYED);
  }
  if (!traces.some(({ type }) => type.includes(NodeType.collective))) return { traces, sync: false, findings };
  const plan = pairCollectives(traces.map(surveyRank), groups, request.algorithms, traces.length);
  if (!(steps.expand || steps.serialize || steps.sync)) findings = [...findings, ...plan.findings];
  demandNoErrors(findings, request, NOT_REPLAYED);
  return { traces, plan, sync: wantsSync && !steps.sync, findings };
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
