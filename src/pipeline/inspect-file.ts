import { basename } from 'node:path';
import { PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { detectFormat } from '../formats/detect.js';
import { et001Facts } from '../formats/facts/et-0.0.1.js';
import { etFileFacts } from '../formats/facts/et.js';
import { otherFileFacts } from '../formats/facts/other-files.js';
import { groupsDeclaredIn } from '../formats/process-group-init.js';
import type { ReadTrace } from '../formats/read-trace.js';
import { inspectRank, type RankFacts } from '../passes/inspect.js';
import { surveyForInspection, type InspectionSurvey } from '../passes/inspect-traceset.js';
import type { NodeFilter } from '../passes/views/nodes.js';
import { surveyForViews, type TracesetViews, type ViewSurvey } from '../passes/views/view-survey.js';
import { failureFindings } from './failure-findings.js';
import type { RankFile } from './open-traceset.js';
import { isGzip, rankSource, readAssumed } from './read-rank.js';
import { selectedNodes, type SelectedNodes } from './selected-nodes.js';

/** Facts of one file, or why there are none. */
export type FileReport = RankFacts | OtherFacts | { format: 'error'; error: string; code: string };

/** Facts of a file that is recognised and not read as a trace. */
export type OtherFacts = { format: string } & object;

/** Views to take beside or in place of the facts. */
export interface InspectionViews extends TracesetViews {
  /** Nodes one by one. */
  readonly nodes?: NodeFilter;
}

/** What inspection of one file gives. */
export interface InspectedFile {
  readonly path: string;
  /** Absent where they were not asked for and the file can be read. */
  readonly facts?: FileReport;
  readonly survey?: InspectionSurvey;
  readonly view?: ViewSurvey;
  readonly nodes?: SelectedNodes;
  readonly findings: readonly Finding[];
}

export interface InspectionJob {
  readonly file: RankFile;
  /** Whether facts are asked for, default `true`. */
  readonly facts?: boolean;
  readonly views?: InspectionViews;
}

/** The facts of one file and what views need of it, or why it has none. */
export function inspectFile({ file, facts = true, views }: InspectionJob): InspectedFile {
  const { path } = file;
  try {
    const source = rankSource(file);
    try {
      const other = views === undefined ? otherFileFacts(source, detectFormat(source).format) : undefined;
      if (other !== undefined) return { path, facts: other as OtherFacts, findings: [] };
      const bytes = source.length;
      const read = readAssumed(source, file);
      const { trace, findings } = read;
      const survey = facts ? surveyForInspection(trace, basename(path)) : undefined;
      const viewed = views === undefined ? { findings: [] } : forViews(read, views, survey);
      return {
        path,
        ...(survey === undefined ? {} : { facts: factsOf(file, read, bytes), survey }),
        ...viewed,
        findings: [...findings, ...viewed.findings],
      };
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    const { code, message } = error;
    return {
      path,
      facts: { format: 'error', error: message, code },
      findings: failureFindings(error, { rank: file.rank, file: path }),
    };
  }
}

function factsOf(file: RankFile, { trace, schema }: ReadTrace, bytes: number): FileReport {
  // The first schema had other fields: its facts are said in those.
  if (schema === '0.0.1') return et001Facts(rankSource(file));
  return inspectRank(trace, etFileFacts(trace, { gzip: isGzip(file), bytes, schema }));
}

function forViews(
  read: ReadTrace,
  views: InspectionViews,
  survey: InspectionSurvey | undefined,
): Pick<InspectedFile, 'view' | 'nodes' | 'findings'> {
  const { trace } = read;
  const declared = views.groups || views.collectives ? groupsDeclaredIn(trace) : { declarations: [], findings: [] };
  const nodes = views.nodes === undefined ? undefined : selectedNodes(read, views.nodes);
  return {
    view: surveyForViews(trace, views, declared.declarations, survey?.transfers),
    ...(nodes === undefined ? {} : { nodes }),
    findings: declared.findings,
  };
}
