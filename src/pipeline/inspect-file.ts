import { basename } from 'node:path';
import { PrepError } from '../base/errors.js';
import type { Finding } from '../base/finding.js';
import { detectFormat } from '../formats/detect.js';
import { et001Facts } from '../formats/facts/et-0.0.1.js';
import { etFileFacts } from '../formats/facts/et.js';
import { otherFileFacts } from '../formats/facts/other-files.js';
import { inspectRank, type RankFacts } from '../passes/inspect.js';
import { surveyForInspection, type InspectionSurvey } from '../passes/inspect-traceset.js';
import type { RankFile } from './open-traceset.js';
import { isGzip, rankSource, readAssumed } from './read-rank.js';

/** Facts of one file, or why there are none. */
export type FileReport = RankFacts | OtherFacts | { format: 'error'; error: string; code: string };

/** Facts of a file that is recognised and not read as a trace. */
export type OtherFacts = { format: string } & object;

/** What inspection of one file gives. */
export interface InspectedFile {
  readonly path: string;
  readonly facts: FileReport;
  readonly survey?: InspectionSurvey;
  readonly findings: readonly Finding[];
}

/** The facts of one file, or why it has none. */
export function inspectFile({ file }: { file: RankFile }): InspectedFile {
  const { path } = file;
  try {
    const source = rankSource(file);
    try {
      const other = otherFileFacts(source, detectFormat(source).format);
      if (other !== undefined) return { path, facts: other as OtherFacts, findings: [] };
      const bytes = source.length;
      const { trace, schema, findings } = readAssumed(source, file);
      const survey = surveyForInspection(trace, basename(path));
      // The first schema had other fields: its facts are said in those.
      if (schema === '0.0.1') return { path, facts: et001Facts(rankSource(file)), survey, findings };
      return {
        path,
        facts: inspectRank(trace, etFileFacts(trace, { gzip: isGzip(file), bytes, schema })),
        survey,
        findings,
      };
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    const { code, message, advice, findings } = error;
    const said = { message, rank: file.rank, file: path, ...(advice === undefined ? {} : { advice }) };
    return {
      path,
      facts: { format: 'error', error: message, code },
      findings: [{ code, severity: 'error', ...said }, ...findings],
    };
  }
}
