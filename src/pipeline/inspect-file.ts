import { basename } from 'node:path';
import { PrepError } from '../base/errors.js';
import { etFileFacts } from '../formats/facts/et.js';
import { readTrace } from '../formats/read-trace.js';
import { inspectRank } from '../passes/inspect.js';
import { surveyForInspection } from '../passes/inspect-traceset.js';
import type { InspectedFile } from './inspect-files.js';
import type { RankFile } from './open-traceset.js';
import { isGzip, rankSource } from './read-rank.js';

/** The facts of one file, or why it has none. */
export function inspectFile({ file }: { file: RankFile }): InspectedFile {
  const { path } = file;
  try {
    const source = rankSource(file);
    try {
      const { trace, findings } = readTrace(source, { rank: file.rank, file: path });
      const facts = inspectRank(trace, etFileFacts(trace, isGzip(file), source.length));
      return { path, facts, survey: surveyForInspection(trace, basename(path)), findings };
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof PrepError)) throw error;
    const { code, message, findings } = error;
    return { path, facts: { format: 'error', error: message, code }, findings };
  }
}
