import { existsSync, statSync } from 'node:fs';
import { EXIT, PrepError, requestError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { inspectTraceset, type TracesetFacts } from '../passes/inspect-traceset.js';
import { collectivesView, type CollectivesView } from '../passes/views/collectives.js';
import { groupsView, type GroupsView } from '../passes/views/groups.js';
import type { DeclaredInTraceset } from '../passes/views/listed-groups.js';
import type { NodeFilter } from '../passes/views/nodes.js';
import { pairsView, type PairsView } from '../passes/views/pairs.js';
import type { CollectiveViewSurvey } from '../passes/views/view-survey.js';
import { foldAssumptions } from '../trace/assumption-findings.js';
import { joinDeclarations } from '../trace/group-declarations.js';
import { assumed } from './assume.js';
import type { FileReport, InspectedFile, InspectionJob, InspectionViews } from './inspect-file.js';
import { openTraceset, threadsFor, type OpenTraceset, type Reading } from './open-traceset.js';
import type { NodeDetails } from './selected-nodes.js';
import { readGroupFile } from './traceset-groups.js';
import { Workers } from './workers.js';

/** Why discovery refuses files that are fit to be inspected one by one. */
const NOT_ONE_TRACESET: ReadonlySet<string> = new Set(['WRONG_KIND', 'NO_TRACES', 'PREFIXES_MIXED', 'RANK_UNNAMED']);

export interface InspectionRequest extends Reading {
  /** Views to take; none when left out. Files must then be traces of one traceset. */
  readonly views?: InspectionViews;
  /** Whether the facts of files and traceset are asked for; by default where no view is. */
  readonly facts?: boolean;
}

/** Nodes one by one. */
export interface NodesView {
  /** How many nodes the filter lets through, on all ranks. */
  readonly matched: number;
  /** Ids and ranges of the filter that no node has, as text. */
  readonly idsNotFound: readonly string[];
  /** By rank, then in file order, at most as many as the filter's limit. */
  readonly list: readonly NodeDetails[];
}

export interface Inspection {
  /** Facts by path as given; without them only of files that cannot be read. */
  readonly files: Readonly<Record<string, FileReport>>;
  /** Facts over all ranks; absent for a single file. */
  readonly traceset?: TracesetFacts;
  readonly groups?: GroupsView;
  readonly pairs?: PairsView;
  readonly collectives?: CollectivesView;
  readonly nodes?: NodesView;
  readonly findings: readonly Finding[];
}

/**
 * The facts of every file of a traceset and of the traceset, and the views that are asked for. A file that cannot be read
 * is reported beside the others; without views any file of a recognised kind has facts when it is named alone.
 * @throws PrepError when nothing is found; `RANK_ABSENT`; `FILE_UNREADABLE` for the group file
 */
export async function inspectFiles(request: InspectionRequest): Promise<Inspection> {
  const { views } = request;
  const found = views === undefined ? await openAnything(request) : await openTraceset(request);
  const opened = await assumed(found, request);
  const jobs = jobsOf(opened, request);
  const inspected = await inspectAll(jobs, threadsFor(opened, request.threads), request.onProgress);
  if (inspected.every(({ facts }) => facts?.format === 'error')) {
    const [{ findings }] = inspected;
    const [{ code, message, advice }, ...rest] = findings;
    throw new PrepError(code, EXIT.inputUnreadable, message, { advice, findings: rest });
  }
  const surveys = inspected.flatMap(({ survey }) => (survey === undefined ? [] : [survey]));
  const viewed = views === undefined ? { findings: [] } : viewsOf(inspected, views, opened);
  return {
    files: Object.fromEntries(inspected.flatMap(({ path, facts }) => (facts === undefined ? [] : [[path, facts]]))),
    ...(surveys.length > 1 ? { traceset: inspectTraceset(surveys) } : {}),
    ...viewed,
    findings: foldAssumptions(
      [
        ...foundOf(opened, inspected),
        ...groupFindings(opened, viewed.findings),
        ...inspected.flatMap(({ findings }) => findings),
        ...viewed.findings,
      ],
      opened.assumptions,
    ),
  };
}

/** Which rank a file is taken for is nothing to tell where it is no trace. */
function foundOf({ findings }: OpenTraceset, inspected: readonly InspectedFile[]): readonly Finding[] {
  const isTrace = inspected.some(({ survey, view, nodes }) => survey ?? view ?? nodes);
  return isTrace ? findings : findings.filter(({ code }) => code !== 'RANK_ASSUMED');
}

/** What is wrong with groups that assumptions needed, where no view says so: their sizes and ranks stay as they are read. */
function groupFindings({ groupFindings = [] }: OpenTraceset, viewed: readonly Finding[]): Finding[] {
  const told = new Set(viewed.map(({ message }) => message));
  return groupFindings.filter(({ severity, message }) => severity !== 'note' && !told.has(message));
}

/** One job a file; nodes are looked for on the ranks of the filter, and no other file is read for them alone. */
function jobsOf({ files }: OpenTraceset, { views, facts = views === undefined }: InspectionRequest): InspectionJob[] {
  const ranks = views?.nodes?.ranks;
  const absent = ranks?.find((rank) => !files.some((file) => file.rank === rank));
  if (absent !== undefined) throw requestError('RANK_ABSENT', `rank ${absent}: the traceset has no such rank`);
  return files.flatMap((file) => {
    if (views === undefined) return [{ file, facts }];
    if (ranks === undefined || ranks.includes(file.rank)) return [{ file, facts, views }];
    const { groups = false, pairs = false, collectives = false } = views;
    return facts || groups || pairs || collectives ? [{ file, facts, views: { groups, pairs, collectives } }] : [];
  });
}

function viewsOf(
  inspected: readonly InspectedFile[],
  views: InspectionViews,
  { groupFile }: OpenTraceset,
): Pick<Inspection, 'groups' | 'pairs' | 'collectives' | 'nodes' | 'findings'> {
  const collectives = inspected.flatMap(({ view }) => view?.collective ?? []);
  const transfers = inspected.flatMap(({ view }) => view?.transfer ?? []);
  const declared = views.groups || views.collectives ? declaredIn(groupFile, collectives) : undefined;
  return {
    ...(views.groups ? { groups: groupsView(collectives, declared!) } : {}),
    ...(views.pairs ? { pairs: pairsView(transfers) } : {}),
    ...(views.collectives ? { collectives: collectivesView(collectives, declared!) } : {}),
    ...(views.nodes === undefined ? {} : { nodes: nodesView(inspected, views.nodes) }),
    findings: declared?.joined.findings ?? [],
  };
}

/** Members beyond the ranks at hand are members: the traceset may be one rank of many. */
function declaredIn(groupFile: string | undefined, surveys: readonly CollectiveViewSurvey[]): DeclaredInTraceset {
  const file = readGroupFile(groupFile);
  const declarations = [...file.declarations, ...surveys.flatMap((survey) => survey.declarations)];
  const { groups, findings } = joinDeclarations(declarations, Infinity);
  return { declarations, joined: { groups, findings: [...file.findings, ...findings] } };
}

function nodesView(inspected: readonly InspectedFile[], { ids = [], limit = Infinity }: NodeFilter): NodesView {
  const ranks = inspected.flatMap(({ nodes }) => nodes ?? []);
  const list: NodeDetails[] = [];
  for (const rank of ranks) for (const node of rank.list) if (list.length < limit) list.push(node);
  return {
    matched: ranks.reduce((sum, { matched }) => sum + matched, 0),
    idsNotFound: ids
      .filter((_, place) => !ranks.some(({ idsFound }) => idsFound[place]))
      .map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)),
    list,
  };
}

/** Files that are no traces, or not of one traceset, can be inspected when each is named. */
async function openAnything(reading: Reading): Promise<OpenTraceset> {
  try {
    return await openTraceset(reading);
  } catch (error) {
    const named = reading.inputs.every((path) => path !== '-' && existsSync(path) && statSync(path).isFile());
    if (!named || !(error instanceof PrepError) || !NOT_ONE_TRACESET.has(error.code)) throw error;
    const files = reading.inputs.map((path, rank) => ({ rank, path, size: statSync(path).size }));
    return { prefix: '', files, findings: reading.findings ?? [] };
  }
}

async function inspectAll(
  jobs: readonly InspectionJob[],
  threads: number,
  onProgress: Reading['onProgress'],
): Promise<InspectedFile[]> {
  const workers = new Workers(threads);
  let done = 0;
  try {
    return await workers.run('inspect', jobs, () => onProgress?.(++done, jobs.length));
  } finally {
    await workers.close();
  }
}
