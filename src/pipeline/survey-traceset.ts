import type { OpenTraceset, Reading } from './open-traceset.js';
import type { RankReading, SurveyJob } from './survey-rank.js';
import { deal, type Workers } from './workers.js';

/** Surveys every rank of a traceset, in ascending rank. */
export async function surveyTraceset(
  opened: OpenTraceset,
  workers: Workers,
  job: Omit<SurveyJob, 'files'>,
  onProgress: Reading['onProgress'],
): Promise<RankReading[]> {
  const parts = dealFiles(opened.files, workers);
  let done = 0;
  const dealt = await workers.run(
    'survey',
    parts.map((files) => ({ ...job, files })),
    () => onProgress?.(++done, parts.length),
  );
  return dealt.flat();
}

/** One job a file in the calling thread; a few jobs a thread elsewhere, since each carries the plan. */
export function dealFiles<T extends { size: number }>(files: readonly T[], workers: Workers): T[][] {
  const weights = files.map(({ size }) => size + 1);
  return deal(files, weights, workers.threads === 1 ? files.length : 4 * workers.threads);
}
